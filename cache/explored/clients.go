package explored

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/anishathalye/porcupine"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/cache/cachemodel"
	"github.com/jacquard-go/jacquard/explore"
)

// errCreate is the error of the creators that fail.
var errCreate = errors.New("creator failed")

// call is one call with its result. The model is a relation over both, while the explorer's models are functions.
type call struct {
	cachemodel.Call
	cachemodel.Return
}

// String formats a call for reports.
func (c *call) String() string {
	switch {
	case c.Outcome == cachemodel.OK && c.Return.Value != 0:
		return fmt.Sprintf("%s → %d", c.Kind, c.Return.Value)
	case c.Call.Value != 0 || c.Expect != 0:
		return fmt.Sprintf("%s(%d→%d) %s", c.Kind, c.Expect, c.Call.Value, c.Outcome)
	}
	return fmt.Sprintf("%s %s", c.Kind, c.Outcome)
}

// modelOf converts the model for the explorer. The result of a call is whether the model allows it, so the right one
// is true.
func modelOf(m porcupine.Model) explore.Model[any, *call, bool] {
	return explore.Model[any, *call, bool]{
		Init: m.Init,
		Step: func(s any, c *call) (any, bool) {
			ok, next := m.Step(s, c.Call, c.Return)
			if !ok {
				return s, false
			}
			return next, true
		},
		Equal: m.Equal,
	}
}

// The letters that stand for calls; see [Linearizable].
const (
	Calls  = "gchflbsdiwux" + "pq" + leases + bused
	leases = "ar"
	bused  = "jmn"
)

// Linearizable runs clients, each letter of [Calls] a call, and checks their results and the final values:
//
//	g        Get
//	c h f l  GetOrCreate: creator on its own goroutine, on the caller's, one that fails, one whose caller leaves
//	b        GetOrCreateAll of this key and another
//	s d i    Set, Delete, Invalidate
//	w u      CompareAndSwap and CompareAndDelete of the version last read; u does nothing if none was read
//	x        Close
//	p q      Stamp, and Fill with the last stamp
//	a r      Acquire, and Release of the oldest lease; with one of them all values are objects that must be closed
//	j m n    Invalidate of a member of a bus, its Generation, and its Fill with the last one; with one of them every second
//	         client has a cache of its own, and each cache must be linearizable
//
// q, r and n do nothing if they have no stamp, lease or generation.
func Linearizable(t *explore.T, threads []string) {
	if strings.ContainsAny(strings.Join(threads, ""), leases) {
		var made objects
		linearizable(t, threads, made.values())
		made.closed(t)
		return
	}
	linearizable(t, threads, numbers())
}

// linearizable runs clients on caches of the values, and closes these.
func linearizable[V any](t *explore.T, threads []string, vs values[V]) {
	bus, places := new(cache.LocalBus), 1
	if strings.ContainsAny(strings.Join(threads, ""), bused) {
		places = 2
	}
	var all []*place[V]
	for range places {
		all = append(all, newPlace(t, bus, vs))
	}
	var made atomic.Int32
	for i, script := range threads {
		if script == "" {
			continue
		}
		w := &client[V]{place: all[i%places], all: all, t: t, id: i, made: &made}
		t.Go("client "+script, func() {
			for _, letter := range script {
				w.step(letter)
			}
			for len(w.leases) > 0 {
				w.step('r')
			}
		})
	}
	t.Wait()
	for _, p := range all {
		(&client[V]{place: p, t: t}).step('g')
		p.m.Leave()
		_ = p.c.Close() // waits for creators whose callers have left, which note their beginning
		p.h.Check()
	}
}

// place is one cache, with what is called on it.
type place[V any] struct {
	values[V]
	c *cache.Cache[string, V]
	m *cache.Member[string, V]
	h *explore.History[any, *call, bool]
}

func newPlace[V any](t *explore.T, bus cache.Bus, vs values[V]) *place[V] {
	c, err := cache.New(cache.Config[string, V]{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := cache.Join(c, bus, cache.KeyCodec[string]{
		Encode: func(key string) string { return key }, Decode: func(text string) (string, error) { return text, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return &place[V]{vs, c, m, explore.NewHistory(t, modelOf(cachemodel.New()))}
}

// do makes a call and records it.
func (p *place[V]) do(in cachemodel.Call, f func() cachemodel.Return) {
	p.h.Do(&call{Call: in}, func(c *call) bool {
		c.Return = f()
		return true
	})
}

// note records what returns nothing.
func (p *place[V]) note(in cachemodel.Call, f func()) {
	p.do(in, func() cachemodel.Return {
		f()
		return cachemodel.Return{Outcome: cachemodel.DoneOnly}
	})
}

// client makes calls on one key.
type client[V any] struct {
	*place[V]
	t      *explore.T
	all    []*place[V] // the members of the bus
	id     int
	made   *atomic.Int32 // the last value returned by a creator; each is used once
	sets   int
	known  cache.Versioned[V]
	stamps int // how many stamps and generations this client has taken
	stamp  cache.Stamp
	// stamped and told are the numbers of the last stamp and the last generation, from 1; 0 is none.
	stamped, told int
	generation    uint64
	leases        []*cache.Lease[V]
}

// fresh returns a value to set that no other call uses.
func (w *client[V]) fresh() int {
	w.sets++
	return 100*(w.id+1) + w.sets
}

// mark returns a number for a stamp that no other call uses, or 0 if there are too many.
func (w *client[V]) mark() int {
	if w.stamps++; w.stamps > cachemodel.MaxStamp/4 || w.id > 3 {
		return 0
	}
	return w.id*cachemodel.MaxStamp/4 + w.stamps
}

// step makes the call that a letter stands for, see [Linearizable].
func (w *client[V]) step(letter rune) {
	switch letter {
	case 'c', 'f', 'l', 'h', 'b', 'a':
		w.create(letter)
	case 'g':
		w.do(cachemodel.Call{Kind: cachemodel.Get}, func() cachemodel.Return {
			var ok bool
			w.known, ok = w.c.GetVersion("k")
			return cachemodel.Return{Outcome: whether(ok), Value: w.number(w.known.Value)}
		})
	case 's':
		w.put(cachemodel.Call{Kind: cachemodel.Set}, func(v V) cachemodel.Return { return ended(0, w.c.Set("k", v)) })
	case 'd':
		w.do(cachemodel.Call{Kind: cachemodel.Delete}, func() cachemodel.Return {
			return cachemodel.Return{Outcome: whether(w.c.Delete("k"))}
		})
	case 'i':
		w.note(cachemodel.Call{Kind: cachemodel.Invalidate}, func() { w.c.Invalidate("k") })
	case 'w':
		w.put(cachemodel.Call{Kind: cachemodel.Swap, Expect: w.number(w.known.Value)}, func(v V) cachemodel.Return {
			_, ok := w.c.CompareAndSwap("k", w.known.Version, v)
			return cachemodel.Return{Outcome: whether(ok)}
		})
	case 'u':
		if w.known.Version == 0 {
			return
		}
		w.do(cachemodel.Call{Kind: cachemodel.Unset, Expect: w.number(w.known.Value)}, func() cachemodel.Return {
			return cachemodel.Return{Outcome: whether(w.c.CompareAndDelete("k", w.known.Version))}
		})
	case 'x':
		w.do(cachemodel.Call{Kind: cachemodel.Close}, func() cachemodel.Return { return ended(0, w.c.Close()) })
	default:
		w.stepOfFew(letter)
	}
}

// stepOfFew makes a call of stamps, leases or the bus.
func (w *client[V]) stepOfFew(letter rune) {
	switch letter {
	case 'p':
		w.stamped = w.mark()
		w.note(cachemodel.Call{Kind: cachemodel.Stamp, Value: w.stamped}, func() { w.stamp = w.c.Stamp("k") })
	case 'm':
		w.told = w.mark()
		w.note(cachemodel.Call{Kind: cachemodel.Generation, Value: w.told}, func() { w.generation = w.m.Generation() })
	case 'q':
		if w.stamped > 0 {
			w.put(cachemodel.Call{Kind: cachemodel.Fill, Expect: w.stamped}, func(v V) cachemodel.Return {
				return cachemodel.Return{Outcome: whether(w.c.Fill("k", v, w.stamp))}
			})
		}
	case 'n':
		if w.told > 0 {
			w.put(cachemodel.Call{Kind: cachemodel.FillAt, Expect: w.told}, func(v V) cachemodel.Return {
				return cachemodel.Return{Outcome: whether(w.m.Fill("k", v, w.generation))}
			})
		}
	case 'j':
		w.publish(w.all)
	case 'r':
		if len(w.leases) > 0 {
			w.inUse(w.t, w.leases[0].Value())
			w.leases[0].Release()
			w.leases = w.leases[1:]
		}
	}
}

// put makes a call that stores a new value, which stays the caller's if the call does not take it.
func (w *client[V]) put(in cachemodel.Call, f func(V) cachemodel.Return) {
	in.Value = w.fresh()
	w.do(in, func() cachemodel.Return {
		v := w.of(in.Value)
		r := f(v)
		if r.Outcome != cachemodel.OK {
			w.kept(v)
		}
		return r
	})
}

// publish records one invalidation with each member of the bus.
func (w *client[V]) publish(members []*place[V]) {
	if len(members) > 0 {
		members[0].note(cachemodel.Call{Kind: cachemodel.Publish}, func() { w.publish(members[1:]) })
		return
	}
	if err := w.m.Invalidate(context.Background(), "k"); err != nil {
		w.t.Errorf("got %v, want none: a bus of one process never fails", err)
	}
}

// create calls GetOrCreate, GetOrCreateAll or Acquire.
func (w *client[V]) create(letter rune) {
	ctx := context.Background()
	if letter != 'h' {
		leaving, cancel := context.WithCancel(ctx)
		defer cancel()
		if ctx = leaving; letter == 'l' {
			go cancel()
		}
	}
	w.do(cachemodel.Call{Kind: cachemodel.Create}, func() cachemodel.Return {
		switch letter {
		case 'b':
			got, err := w.c.GetOrCreateAll(ctx, []string{"other", "k"}, func(_ context.Context, keys []string) (map[string]V, error) {
				made := make(map[string]V)
				for _, key := range keys {
					if key == "k" {
						made[key] = w.begin()
					} else {
						made[key] = w.of(-1)
					}
				}
				return made, nil
			})
			return ended(w.number(got["k"]), err)
		case 'a':
			lease, err := w.c.Acquire(ctx, "k", func(context.Context) (V, error) { return w.begin(), nil })
			if err != nil {
				return ended(0, err)
			}
			w.leases = append(w.leases, lease)
			return ended(w.number(lease.Value()), nil)
		}
		v, err := w.c.GetOrCreate(ctx, "k", func(context.Context) (none V, _ error) {
			if letter == 'f' {
				return none, errCreate
			}
			return w.begin(), nil
		})
		return ended(w.number(v), err)
	})
}

// begin returns a creator's value.
func (w *client[V]) begin() V {
	n := int(w.made.Add(1))
	w.note(cachemodel.Call{Kind: cachemodel.Begin, Value: n}, func() {})
	return w.of(n)
}

func whether(ok bool) cachemodel.Outcome {
	if ok {
		return cachemodel.OK
	}
	return cachemodel.None
}

// ended converts the result of a call that can fail.
func ended(v int, err error) cachemodel.Return {
	r := cachemodel.Return{Outcome: cachemodel.Outcome("an unknown error")}
	switch {
	case err == nil:
		r.Outcome, r.Value = cachemodel.OK, v
	case err == errCreate:
		r.Outcome = cachemodel.Failed
	case errors.Is(err, cache.ErrClosed):
		r.Outcome = cachemodel.Shut
	case errors.Is(err, context.Canceled):
		r.Outcome = cachemodel.Stopped
	}
	return r
}
