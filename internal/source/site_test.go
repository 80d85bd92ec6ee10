package source_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/internal/source"
)

// A pool that outlives executions, as in many libraries, locks the list of all pools at its
// first use after a garbage collection. If that were a scheduling point, executions would
// depend on earlier ones, and no card would replay.
func TestPoolsHaveNoPoints(t *testing.T) {
	for _, c := range []struct {
		functions []string // innermost first
		inner     bool
	}{
		{[]string{"(*Mutex).Lock", "(*Mutex).Lock", "(*Pool).pinSlow", "(*Pool).pin", "(*Pool).Get"}, true},
		{[]string{"(*Mutex).Unlock", "(*Mutex).Unlock", "(*Pool).pinSlow", "(*Pool).pin", "(*Pool).Put"}, true},
		{[]string{"(*poolDequeue).pushHead", "(*poolChain).pushHead", "(*Pool).Put"}, true},
		{[]string{"(*Mutex).Lock", "(*Mutex).Lock"}, false},
	} {
		if got := source.Inner(c.functions, "CompareAndSwapInt32"); got != c.inner {
			t.Errorf("%v: got inner %v, want %v", c.functions, got, c.inner)
		}
	}
}
