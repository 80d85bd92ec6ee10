package cache_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

// clock is a time that tests set.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time { return time.Unix(0, c.ns.Load()) }

func (c *clock) advance(d time.Duration) { c.ns.Add(int64(d)) }

func TestTTL(t *testing.T) {
	var now clock
	now.advance(time.Hour)
	var gone recorder
	c := open(t, cache.Config[string, int]{TTL: time.Minute, Now: now.now, OnRemoval: gone.hook})
	must[int](t)(c.GetOrCreate(t.Context(), "a", plain(1)))
	now.advance(30 * time.Second)
	_ = c.Set("b", 2)
	now.advance(30*time.Second - 1)
	if v, ok := c.Get("a"); !ok || v != 1 {
		t.Errorf("a is %v, %v one ns before its time", v, ok)
	}
	gone.want(t)
	now.advance(1)
	if v, ok := c.Get("a"); ok {
		t.Errorf("a is %v after its time", v)
	}
	gone.want(t, "a=1 expired")
	if v := must[int](t)(c.GetOrCreate(t.Context(), "a", plain(3))); v != 3 {
		t.Errorf("a is %v, want it made anew", v)
	}
	now.advance(30 * time.Second) // b has expired too
	if c.Delete("b") {
		t.Error("Delete says that an expired value was there")
	}
	gone.want(t, "b=2 expired")
	now.advance(time.Minute)
	if n, l := c.Len(), c.Sweep(); n != 1 || l != 1 || c.Len() != 0 {
		t.Errorf("Len %d, Sweep %d, Len %d, want 1, 1, 0", n, l, c.Len())
	}
	gone.want(t, "a=3 expired")
}

// Adding values removes the expired ones from memory.
func TestTTLIsSweptByLaterValues(t *testing.T) {
	var now clock
	var gone recorder
	c := open(t, cache.Config[string, int]{TTL: time.Minute, Now: now.now, OnRemoval: gone.hook})
	for _, k := range []string{"a", "b", "c"} {
		_ = c.Set(k, 1)
		now.advance(time.Second)
	}
	now.advance(time.Minute - 2*time.Second)
	_ = c.Set("d", 2)
	gone.want(t, "a=1 expired", "b=1 expired")
	if c.Len() != 2 {
		t.Errorf("Len is %d, want 2", c.Len())
	}
}

// For the comparing calls an expired value does not exist, and its key can be set.
func TestTTLAndVersions(t *testing.T) {
	var now clock
	var gone recorder
	c := open(t, cache.Config[string, int]{TTL: time.Minute, Now: now.now, OnRemoval: gone.hook})
	_ = c.Set("a", 1)
	v, _ := c.GetVersion("a")
	now.advance(time.Minute)
	if _, ok := c.CompareAndSwap("a", v.Version, 2); ok {
		t.Error("swapped an expired value")
	}
	if c.CompareAndDelete("a", v.Version) {
		t.Error("deleted an expired value")
	}
	if _, ok := c.CompareAndSwap("a", 0, 3); !ok {
		t.Error("could not take the place of an expired value")
	}
	gone.want(t, "a=1 expired")
	now.advance(time.Minute)
	if !c.Fill("a", 4, c.Stamp("a")) {
		t.Error("could not fill the place of an expired value")
	}
	for range c.All() {
		now.advance(time.Hour)
	}
	for k := range c.All() {
		t.Errorf("the iteration shows %s, which has expired", k)
	}
}

// The beginning of 1970 is a time like any other, also for a clock that was set before it.
func TestTTLUntil1970(t *testing.T) {
	var now clock
	now.advance(-time.Minute)
	c := open(t, cache.Config[string, int]{TTL: time.Minute, Now: now.now})
	_ = c.Set("a", 1)
	_ = c.Set("b", 2)
	now.advance(time.Minute)
	if v, ok := c.Get("a"); ok {
		t.Errorf("got %d after its time, want nothing", v)
	}
	if n := c.Sweep(); n != 1 || c.Len() != 0 {
		t.Errorf("got %d swept and %d left, want 1 and none", n, c.Len())
	}
}
