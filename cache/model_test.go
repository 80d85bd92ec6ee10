package cache_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/cache/cachemodel"
)

var errCreate = errors.New("creator failed")

// client makes random calls on one key and records them.
type client struct {
	id    int
	c     *cache.Cache[string, int]
	h     *cachemodel.History
	rand  *rand.Rand
	ids   func() int // returns values for creators, each used once
	known cache.Versioned[int]
}

func (w *client) step(t *testing.T) {
	set := 100 + 1000*w.id + int(w.rand.Uint64N(1000))
	switch n := w.rand.IntN(100); {
	case n < 40:
		w.create(n%4 == 0, n%5 == 0)
	case n < 55:
		w.get(t)
	case n < 65:
		w.do(cachemodel.Call{Kind: cachemodel.Set, Value: set}, func() cachemodel.Return {
			return ended(w.c.Set("k", set))
		})
	case n < 75:
		w.do(cachemodel.Call{Kind: cachemodel.Delete}, func() cachemodel.Return { return whether(w.c.Delete("k")) })
	case n < 80:
		w.do(cachemodel.Call{Kind: cachemodel.Invalidate}, func() cachemodel.Return {
			w.c.Invalidate("k")
			return cachemodel.Return{Outcome: cachemodel.DoneOnly}
		})
	case n < 90:
		w.do(cachemodel.Call{Kind: cachemodel.Swap, Value: set, Expect: w.known.Value}, func() cachemodel.Return {
			_, ok := w.c.CompareAndSwap("k", w.known.Version, set)
			return whether(ok)
		})
	case n < 98:
		if w.known.Version != 0 {
			w.do(cachemodel.Call{Kind: cachemodel.Unset, Expect: w.known.Value}, func() cachemodel.Return {
				return whether(w.c.CompareAndDelete("k", w.known.Version))
			})
		}
	default:
		w.do(cachemodel.Call{Kind: cachemodel.Close}, func() cachemodel.Return { return ended(w.c.Close()) })
	}
}

func (w *client) do(call cachemodel.Call, f func() cachemodel.Return) { w.h.Do(w.id, call, f) }

func (w *client) get(t *testing.T) {
	w.do(cachemodel.Call{Kind: cachemodel.Get}, func() cachemodel.Return {
		v, ok := w.c.GetVersion("k")
		if !ok {
			w.known = cache.Versioned[int]{}
			return whether(false)
		}
		if v.Value == w.known.Value && v.Version != w.known.Version || v.Version < w.known.Version {
			t.Errorf("version %d after %d", v.Version, w.known.Version)
		}
		w.known = v
		return cachemodel.Return{Outcome: cachemodel.OK, Value: v.Value}
	})
}

func (w *client) create(fails, leaves bool) {
	ctx := forever
	if leaves || w.id%2 == 0 { // the others create in place
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		if leaves {
			go cancel()
		}
	}
	w.do(cachemodel.Call{Kind: cachemodel.Create}, func() cachemodel.Return {
		v, err := w.c.GetOrCreate(ctx, "k", func(ctx context.Context) (int, error) {
			if fails {
				return 0, errCreate
			}
			id := w.ids()
			w.do(cachemodel.Call{Kind: cachemodel.Begin, Value: id}, func() cachemodel.Return {
				return cachemodel.Return{Outcome: cachemodel.DoneOnly}
			})
			return id, nil
		})
		r := ended(err)
		r.Value = v
		return r
	})
}

func whether(ok bool) cachemodel.Return {
	if ok {
		return cachemodel.Return{Outcome: cachemodel.OK}
	}
	return cachemodel.Return{Outcome: cachemodel.None}
}

func ended(err error) cachemodel.Return {
	switch {
	case err == nil:
		return cachemodel.Return{Outcome: cachemodel.OK}
	case errors.Is(err, cache.ErrClosed):
		return cachemodel.Return{Outcome: cachemodel.Shut}
	case errors.Is(err, errCreate):
		return cachemodel.Return{Outcome: cachemodel.Failed}
	}
	return cachemodel.Return{Outcome: cachemodel.Stopped}
}

// Histories of many clients on one key must be linearizable.
func TestStressedHistoriesAreLinearizable(t *testing.T) {
	const clients, calls = 4, 10
	rounds := uint64(1500)
	if testing.Short() {
		rounds = 150
	}
	for seed := range rounds {
		c := open(t, cache.Config[string, int]{})
		var h cachemodel.History
		var ids counter
		var start, done sync.WaitGroup
		start.Add(1)
		for id := range clients {
			w := &client{id: id, c: c, h: &h, rand: rand.New(rand.NewPCG(seed, uint64(id))), ids: ids.next}
			done.Go(func() {
				start.Wait()
				for range calls {
					w.step(t)
				}
			})
		}
		start.Done()
		done.Wait()
		if got := h.Check(10 * time.Second); got != porcupine.Ok {
			t.Fatalf("seed %d: the history is %s:\n%s", seed, got, h.String())
		}
	}
}

// counter returns a function that returns 1, 2, 3 and so on.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}
