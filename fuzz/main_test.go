package fuzz_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// inputs returns n random inputs of growing length to start with. They are always the same.
func inputs(n int) [][]byte {
	var all [][]byte
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range n {
		var input []byte
		for range 16 * (i + 1) { // numbers of 8 bytes
			input = binary.LittleEndian.AppendUint64(input, rng.Uint64())
		}
		all = append(all, input)
	}
	return all
}

func addInputs(f *testing.F, n int) {
	for _, input := range inputs(n) {
		f.Add(input)
	}
}
