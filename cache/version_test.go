package cache_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/cache"
)

func TestVersions(t *testing.T) {
	c := open(t, cache.Config[string, int]{})
	if _, ok := c.GetVersion("k"); ok {
		t.Error("a version without a value")
	}
	v1, ok := c.CompareAndSwap("k", 0, 1)
	if !ok || v1 == 0 {
		t.Fatalf("CompareAndSwap from nothing gave %d, %v", v1, ok)
	}
	if _, ok := c.CompareAndSwap("k", 0, 9); ok {
		t.Error("swapped from nothing twice")
	}
	v2, ok := c.CompareAndSwap("k", v1, 2)
	if got, _ := c.GetVersion("k"); !ok || v2 <= v1 || got.Value != 2 || got.Version != v2 {
		t.Errorf("versions %d, %d, %v, value %+v", v1, v2, ok, got)
	}
	if _, ok := c.CompareAndSwap("k", v1, 9); ok || c.CompareAndDelete("k", v1) || c.CompareAndDelete("k", 0) {
		t.Error("an old version was accepted")
	}
	if !c.CompareAndDelete("k", v2) || c.CompareAndDelete("k", v2) {
		t.Error("CompareAndDelete must succeed once")
	}
}

// Of several calls that compare the same version exactly one wins.
func TestOneSwapWins(t *testing.T) {
	c := open(t, cache.Config[string, int]{})
	_ = c.Set("k", 0)
	for range 300 {
		seen, _ := c.GetVersion("k")
		var wins atomic.Int32
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if _, ok := c.CompareAndSwap("k", seen.Version, seen.Value+1); ok {
					wins.Add(1)
				}
			})
		}
		wg.Wait()
		if wins.Load() != 1 {
			t.Fatalf("%d swaps won, want 1", wins.Load())
		}
	}
}
