package explored

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func refreshed() []Row {
	return []Row{
		{ID: "G15a", What: "hits on an old value have it created anew once, and wait for nothing", Body: refreshedOnce},
		{ID: "G15b", What: "what was set meanwhile stays", Body: refreshedTooLate},
		{ID: "G15c", What: "a lease keeps the old value open", Body: refreshedUnderLease},
		{ID: "G15d", What: "Close ends a creation that nobody waits for", Body: refreshedOverClose},
	}
}

// aged returns a trial whose key k has a value old enough to be refreshed.
func aged(t *explore.T) (x *trial, old *object) {
	var now atomic.Int64
	x = try(t, cache.Config[string, *object]{
		RefreshAfter: time.Second, Now: func() time.Time { return time.Unix(1000+now.Load(), 0) },
	})
	old = x.set("k")
	now.Store(1)
	return x, old
}

func refreshedOnce(t *explore.T) {
	x, old := aged(t)
	release := make(chan struct{})
	for i := range 2 {
		t.Go("caller", func() {
			got, err := x.c.GetOrCreate(either(t, i), "k", func(context.Context) (*object, error) {
				<-release
				return x.object(), nil
			})
			if got != old || err != nil {
				t.Errorf("got %v, %v, want the old value while the new one is made", got, err)
			}
		})
	}
	t.Wait()
	close(release)
	x.end()
	if n := x.made.Load(); n > 2 { // Close may have come first
		t.Errorf("%d objects were made, want the old one, and one more at most", n)
	}
}

func refreshedTooLate(t *explore.T) {
	x, _ := aged(t)
	t.Go("caller", func() { x.get(leaving(t), "k") })
	t.Go("setter", func() {
		set := x.set("k")
		for range 2 {
			if got, ok := x.c.Get("k"); got != set || !ok {
				t.Errorf("got %v, %v, want what was set", got, ok)
			}
		}
	})
	t.Wait()
	x.end()
}

func refreshedUnderLease(t *explore.T) {
	x, _ := aged(t)
	for i := range 2 {
		t.Go("user", func() { x.use(either(t, i), "k") })
	}
	t.Wait()
	x.end()
}

func refreshedOverClose(t *explore.T) {
	x, _ := aged(t)
	var running atomic.Int32
	t.Go("caller", func() {
		_, _ = x.c.GetOrCreate(t.Context(), "k", func(ctx context.Context) (*object, error) {
			running.Add(1)
			defer running.Add(-1)
			<-ctx.Done()
			return nil, context.Cause(ctx)
		})
	})
	t.Go("closer", func() {
		_ = x.c.Close()
		if n := running.Load(); n != 0 {
			t.Errorf("%d creators run behind Close", n)
		}
	})
	t.Wait()
	x.end()
}
