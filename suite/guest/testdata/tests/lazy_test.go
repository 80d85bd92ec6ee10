package tests

import (
	"sync/atomic"
	"testing"
)

var single atomic.Pointer[int]

// TestLazy can fail only in the first schedule of a process.
func TestLazy(t *testing.T) {
	var got [2]*int
	pair(func(i int) {
		if got[i] = single.Load(); got[i] == nil {
			got[i] = new(int)
			single.Store(got[i])
		}
	})
	if got[0] != got[1] {
		t.Error("two of them")
	}
}
