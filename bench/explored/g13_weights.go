package explored

import (
	"errors"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func weights() []Row {
	return []Row{
		{ID: "G13a", What: "what is in the cache weighs no more than the limit", Body: withinWeight},
		{ID: "G13b", What: "nothing goes for a value that alone is too heavy", Body: tooHeavy},
		{ID: "G13c", What: "what cannot be weighed is an error, and closed", Body: unweighable},
	}
}

// weighing returns a trial whose objects weigh what their keys say.
func weighing(t *explore.T, limit int64, weights map[string]int64) *trial {
	return try(t, cache.Config[string, *object]{MaxWeight: limit, Weigher: func(key string, _ *object) int64 { return weights[key] }})
}

func withinWeight(t *explore.T) {
	weights := map[string]int64{"a": 1, "b": 2, "c": 3, "d": 3}
	x := weighing(t, 4, weights)
	t.Go("writer", func() { x.set("a"); x.set("d") })
	t.Go("caller", func() { x.get(leaving(t), "b"); x.get(t.Context(), "c") })
	t.Go("deleter", func() { x.c.Delete("a"); x.c.Delete("c") })
	t.Wait()
	sum := int64(0)
	for key := range x.c.All() {
		sum += weights[key]
	}
	if sum > 4 {
		t.Errorf("what is left weighs %d, want at most 4", sum)
	}
	x.set("b") // there is room for it, if the removed value is no longer counted
	x.set("a")
	if _, ok := x.c.Get("b"); !ok {
		t.Error("b is not there, although it and a weigh 3 of 4")
	}
	x.end()
}

func tooHeavy(t *explore.T) {
	x := weighing(t, 4, map[string]int64{"a": 2, "b": 2, "heavy": 5})
	t.Go("writer", func() { x.set("a"); x.set("heavy") })
	t.Go("caller", func() { x.get(either(t, 1), "b") })
	t.Go("caller of too much", func() {
		if o := x.get(t.Context(), "heavy"); o.closed.Load() != 0 {
			t.Errorf("got object %d, which is closed", o.id)
		}
	})
	t.Wait()
	for key, want := range map[string]bool{"a": true, "b": true, "heavy": false} {
		if _, ok := x.c.Get(key); ok != want {
			t.Errorf("%s is there: %v, want %v", key, ok, want)
		}
	}
	x.end()
}

func unweighable(t *explore.T) {
	x := try(t, cache.Config[string, *object]{MaxWeight: 1, Weigher: func(string, *object) int64 { panic(errCreate) }})
	for i := range 2 {
		t.Go("caller", func() {
			var panicked *cache.PanicError
			if _, err := x.c.GetOrCreate(either(t, i), "k", x.create); !errors.As(err, &panicked) || !errors.Is(err, errCreate) {
				t.Errorf("got %v, want the weigher's panic", err)
			}
		})
	}
	t.Wait()
	if n := x.c.Len(); n != 0 {
		t.Errorf("%d entries are left, want none", n)
	}
	x.end()
}
