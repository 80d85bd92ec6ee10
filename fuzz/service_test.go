package fuzz_test

import (
	"slices"
	"testing"
)

func everyOperation() []operation {
	return slices.Concat(actionOperations(), planOperations(), changesetOperations(), deletionOperations())
}

// FuzzService mixes all operations on a service in memory.
func FuzzService(f *testing.F) {
	addInputs(f, 24)
	f.Fuzz(func(t *testing.T, input []byte) {
		w := newWorld(t, input).inMemory()
		w.prepare()
		w.play(100, everyOperation()...)
	})
}

// FuzzDatabase mixes all operations on two services that share a file. Each sees the other's.
func FuzzDatabase(f *testing.F) {
	addInputs(f, 24)
	f.Fuzz(func(t *testing.T, input []byte) {
		w := newWorld(t, input).onFile()
		w.prepare()
		w.play(80, everyOperation()...)
	})
}
