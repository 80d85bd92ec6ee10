package cache_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/cache"
)

func TestIteration(t *testing.T) {
	for _, shards := range []int{1, 4} {
		c := open(t, cache.Config[int, int]{Shards: shards, Capacity: 100})
		for k := range 100 {
			_ = c.Set(k, k*k)
		}
		seen := map[int]int{}
		for k, v := range c.All() {
			seen[k] = v
			c.Delete(k) // the body may change the cache
		}
		if len(seen) != 100 || seen[9] != 81 || c.Len() != 0 {
			t.Errorf("saw %d values, Len is %d", len(seen), c.Len())
		}
		_ = c.Set(1, 1)
		_ = c.Set(2, 2)
		n := 0
		c.Range(func(int, int) bool { n++; return false })
		if n != 1 {
			t.Errorf("Range went on after false: %d calls", n)
		}
	}
}

// A key that is present all the time is seen exactly once, although the table grows and shrinks meanwhile.
func TestIterationWhileTheTableChanges(t *testing.T) {
	c := open(t, cache.Config[int, int]{})
	for k := range 500 {
		_ = c.Set(-k-1, k)
	}
	seen := map[int]int{}
	next := 0
	for k := range c.All() {
		seen[k]++
		for range 20 {
			_ = c.Set(next, next)
			next++
		}
		_ = c.Set(k, 0)
	}
	for k := range 500 {
		if seen[-k-1] != 1 {
			t.Errorf("key %d was seen %d times, want once", -k-1, seen[-k-1])
		}
	}
}
