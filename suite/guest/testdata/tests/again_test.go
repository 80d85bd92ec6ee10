package tests

import (
	"sync/atomic"
	"testing"
)

var (
	begun  atomic.Int32
	opened atomic.Pointer[int]
)

// twice fails if a test is run a second time in its process.
func twice(t *testing.T) {
	t.Helper()
	if begun.Add(1) > 1 {
		t.Fatal("it was run before")
	}
}

// TestNotAgain can fail in the first execution of a process. It fails in all later ones.
func TestNotAgain(t *testing.T) {
	twice(t)
	var got [2]*int
	pair(func(i int) {
		if got[i] = opened.Load(); got[i] == nil {
			got[i] = new(int)
			opened.Store(got[i])
		}
	})
	if got[0] != got[1] {
		t.Error("two of them")
	}
}

// TestWellOnce passes if it is run once.
func TestWellOnce(t *testing.T) {
	twice(t)
	var n atomic.Int32
	pair(func(int) { n.Add(1) })
	if n.Load() != 2 {
		t.Error("one is lost")
	}
}
