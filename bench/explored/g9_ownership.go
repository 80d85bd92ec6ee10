package explored

import (
	"context"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func ownership() []Row {
	return []Row{
		{ID: "G9a", What: "a lease keeps its object open, the last release closes it", Body: leases},
		{ID: "G9b", What: "an object given out without a lease stays open until Close", Body: mixed},
		{ID: "G9c", What: "eviction closes nothing that is leased", Body: evicted},
		{ID: "G9d", What: "Close closes nothing that is leased", Body: leasedOverClose},
		{ID: "G9e", What: "an object under two keys is closed with the last", Body: shared},
		{ID: "G9f", What: "who comes late is not given what has left and is closed", Body: late},
	}
}

// use holds a lease for a while.
func (x *trial) use(ctx context.Context, key string) {
	l, err := x.c.Acquire(ctx, key, x.create)
	if err != nil {
		x.Fatalf("%s: got %v, want a lease", key, err)
	}
	l.Value().leased.Store(true)
	x.open(l.Value())
	l.Release()
}

// open checks that an object which the caller holds is open, now and at its next steps.
func (x *trial) open(o *object) {
	for range 2 {
		if n := o.closed.Load(); n != 0 {
			x.Errorf("object %d was closed %d times while it was held", o.id, n)
		}
	}
}

func leases(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	t.Go("user", func() { x.use(t.Context(), "k") })
	t.Go("user", func() { x.use(leaving(t), "k") })
	t.Go("deleter", func() { x.c.Delete("k") })
	t.Wait()
	stays, _ := x.c.Get("k")
	for _, o := range x.objects() {
		// A superseded object is closed by its creator, which no caller waits for.
		if o != stays && o.leased.Load() && o.closed.Load() != 1 {
			t.Errorf("object %d has left and its leases are over; it was closed %d times, want once", o.id, o.closed.Load())
		}
	}
	x.end()
}

func mixed(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	var held *object
	t.Go("holder", func() {
		held = x.get(leaving(t), "k")
		x.open(held)
	})
	t.Go("user", func() { x.use(t.Context(), "k") })
	t.Go("deleter", func() { x.c.Delete("k") })
	t.Wait()
	x.open(held)
	x.end()
}

func evicted(t *explore.T) {
	x := try(t, cache.Config[string, *object]{MaxEntries: 1})
	t.Go("user", func() { x.use(t.Context(), "a") })
	t.Go("user", func() { x.use(leaving(t), "b") })
	t.Go("writer", func() { x.set("c") })
	t.Wait()
	x.end()
}

func leasedOverClose(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	t.Go("user", func() {
		l, err := x.c.Acquire(t.Context(), "k", x.create)
		if err != nil {
			return // Close came first
		}
		x.open(l.Value())
		l.Release()
	})
	t.Go("closer", func() {
		if err := x.c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	t.Wait()
	x.end()
}

func shared(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	o := x.object()
	_ = x.c.Set("a", o)
	_ = x.c.Set("b", o)
	t.Go("deleter of a", func() { x.c.Delete("a") })
	t.Go("user of b", func() {
		if l, err := x.c.Acquire(t.Context(), "b", nil); err == nil {
			x.open(l.Value())
			l.Release()
		}
	})
	t.Go("deleter of b", func() { x.c.Delete("b") })
	t.Wait()
	if n := o.closed.Load(); n != 1 {
		t.Errorf("the object has left both keys; it was closed %d times, want once", n)
	}
	x.end()
}

// late: one goroutine makes all changes, so that the other one is late if it is stopped once, wherever that is.
func late(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	t.Go("user and deleter", func() {
		x.use(t.Context(), "k")
		x.c.Delete("k")
	})
	t.Go("late user", func() { x.use(t.Context(), "k") })
	t.Wait()
	x.end()
}
