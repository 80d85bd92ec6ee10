package explored

import (
	"context"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func creation() []Row {
	return []Row{
		{ID: "G1a", What: "three callers, one creation, one object", Body: oneCreation},
		{ID: "G1b", What: "nobody gets an unfinished value", Body: noUnfinished},
		{ID: "G1c", What: "two keys, a creation each", Body: twoKeys},
	}
}

func oneCreation(t *explore.T) {
	x := try(t, cache.Config[string, *object]{})
	var got [3]*object
	for i := range got {
		t.Go("caller", func() { got[i] = x.get(either(t, i), "k") })
	}
	t.Wait()
	if n := x.made.Load(); n != 1 {
		t.Errorf("%d creations, want 1", n)
	}
	if got[0] != got[1] || got[0] != got[2] {
		t.Error("callers got different objects")
	}
	x.end()
}

// The cache treats a value without a Close method differently: it reads it from the map alone.
func noUnfinished(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	for i := range 2 {
		t.Go("caller", func() {
			if v, err := c.GetOrCreate(either(t, i), "k", plain(7)); v != 7 || err != nil {
				t.Errorf("got %d, %v, want 7", v, err)
			}
		})
	}
	t.Go("reader", func() {
		for range 2 {
			if v, ok := c.Get("k"); ok != (v == 7) {
				t.Errorf("got %d, %v, want 7 or nothing", v, ok)
			}
		}
	})
	t.Wait()
	_ = c.Close()
}

func twoKeys(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	made := map[string]*counter{"a": {}, "b": {}}
	for i := range 2 {
		for key, n := range map[string]int{"a": 1, "b": 2} {
			t.Go("caller of "+key, func() {
				v, err := c.GetOrCreate(either(t, i+n), key, func(context.Context) (int, error) {
					made[key].add()
					return n, nil
				})
				if v != n || err != nil {
					t.Errorf("%s: got %d, %v, want %d", key, v, err, n)
				}
			})
		}
	}
	t.Wait()
	for key, n := range made {
		if n.get() != 1 {
			t.Errorf("%s: %d creations, want 1", key, n.get())
		}
	}
	_ = c.Close()
}
