package explored

import (
	"context"
	"runtime"
	"strconv"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func stamps() []Row {
	return []Row{
		{ID: "G11a", What: "what was read before an invalidation is not filled in after it", Body: func(t *explore.T) {
			staleFill(t, func(c ints) { c.Invalidate("k") })
		}},
		{ID: "G11b", What: "nor after all keys were invalidated", Body: func(t *explore.T) {
			staleFill(t, func(c ints) { c.InvalidateAll() })
		}},
		{ID: "G11c", What: "nor through the bus of several instances", Body: busFill},
		{ID: "G11d", What: "a fill replaces no value", Body: fillReplacesNothing},
		{ID: "G11e", What: "nor a creation", Body: fillDuringCreation},
		{ID: "G11f", What: "what was read before all keys were invalidated is in none of them", Body: staleFills},
	}
}

// staleFill: the truth changes, then the key is invalidated; a reader that fills in what it read must not restore the old
// truth.
func staleFill(t *explore.T, invalidate func(ints)) {
	c := open(t, cache.Config[string, int]{})
	var truth counter
	truth.add()
	t.Go("reader", func() {
		stamp := c.Stamp("k")
		c.Fill("k", truth.get(), stamp)
	})
	t.Go("writer", func() {
		truth.add()
		invalidate(c)
	})
	t.Wait()
	if v, ok := c.Get("k"); ok && v != 2 {
		t.Errorf("the key has %d after it was invalidated, want nothing or 2", v)
	}
	_ = c.Close()
}

// staleFills is staleFill for several keys, each with a reader of its own, that are invalidated at once.
func staleFills(t *explore.T) {
	c := open(t, cache.Config[string, int]{Shards: 2})
	var truth counter
	truth.add()
	keys := []string{"a", "b"}
	for _, key := range keys {
		t.Go("reader", func() {
			stamp := c.Stamp(key)
			c.Fill(key, truth.get(), stamp)
		})
	}
	t.Go("writer", func() {
		truth.add()
		c.InvalidateAll()
	})
	t.Wait()
	for _, key := range keys {
		if v, ok := c.Get(key); ok && v != 2 {
			t.Errorf("%s has %d after all keys were invalidated, want nothing or 2", key, v)
		}
	}
	_ = c.Close()
}

var codec = cache.KeyCodec[int]{Encode: strconv.Itoa, Decode: strconv.Atoi}

func busFill(t *explore.T) {
	var bus cache.LocalBus
	var truth counter
	truth.add()
	here, there := open(t, cache.Config[int, int]{}), open(t, cache.Config[int, int]{})
	a, err := cache.Join(here, &bus, codec)
	if err != nil {
		t.Fatal(err)
	}
	b, err := cache.Join(there, &bus, codec)
	if err != nil {
		t.Fatal(err)
	}
	t.Go("reader", func() {
		generation := b.Generation()
		b.Fill(1, truth.get(), generation)
	})
	t.Go("writer", func() {
		truth.add()
		if err := a.Invalidate(t.Context(), 1); err != nil {
			t.Errorf("Invalidate: %v", err)
		}
	})
	t.Wait()
	if v, ok := there.Get(1); ok && v != 2 {
		t.Errorf("the other instance has %d after the key was invalidated, want nothing or 2", v)
	}
	a.Leave()
	b.Leave()
	_ = here.Close()
	_ = there.Close()
}

func fillReplacesNothing(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	t.Go("reader", func() {
		if stamp := c.Stamp("k"); c.Fill("k", 1, stamp) {
			if v, ok := c.Get("k"); ok && v != 1 && v != 2 {
				t.Errorf("the key has %d, want 1 or 2", v)
			}
		}
	})
	t.Go("writer", func() {
		_ = c.Set("k", 2)
		if v, ok := c.Get("k"); v != 2 || !ok {
			t.Errorf("after Set the key has %d, %v, want 2", v, ok)
		}
	})
	t.Wait()
	if v, _ := c.Get("k"); v != 2 {
		t.Errorf("at last the key has %d, want 2", v)
	}
	_ = c.Close()
}

func fillDuringCreation(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	started := make(chan struct{})
	for i := range 2 {
		t.Go("caller", func() {
			v, err := c.GetOrCreate(either(t, i), "k", func(context.Context) (int, error) {
				close(started) // panics the second time
				runtime.Gosched()
				return 1, nil
			})
			if v != 1 || err != nil {
				t.Errorf("got %d, %v, want 1", v, err)
			}
		})
	}
	<-started
	if stamp := c.Stamp("k"); c.Fill("k", 3, stamp) {
		t.Error("a fill was taken while there was a creation or its value")
	}
	t.Wait()
	_ = c.Close()
}
