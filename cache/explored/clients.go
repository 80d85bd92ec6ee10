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

// created returns the values that creators can return in that many calls: each change can cause one more creation.
func created(calls int) []int {
	all := make([]int, min(calls, cachemodel.MaxCreated))
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// Calls are the letters that stand for calls; see [Linearizable].
const Calls = "gchflbsdiwux"

// Linearizable runs clients, each letter of [Calls] a call on one cache, and checks their results and the final value:
//
//	g        Get
//	c h f l  GetOrCreate: creator on its own goroutine, on the caller's, one that fails, one whose caller leaves
//	b        GetOrCreateAll of this key and another
//	s d i    Set, Delete, Invalidate
//	w u      CompareAndSwap and CompareAndDelete of the version last read; u does nothing if none was read
//	x        Close
func Linearizable(t *explore.T, threads []string) {
	c, err := cache.New(cache.Config[string, int]{})
	if err != nil {
		t.Fatal(err)
	}
	h := explore.NewHistory(t, modelOf(cachemodel.New(created(len(strings.Join(threads, "")))...)))
	var made atomic.Int32
	do := func(in cachemodel.Call, f func() cachemodel.Return) {
		h.Do(&call{Call: in}, func(c *call) bool {
			c.Return = f()
			return true
		})
	}
	for i, script := range threads {
		if script == "" {
			continue
		}
		w := &client{c: c, id: i, made: &made, do: do}
		t.Go("client "+script, func() {
			for _, letter := range script {
				w.step(letter)
			}
		})
	}
	t.Wait()
	(&client{c: c, do: do}).step('g')
	h.Check()
	_ = c.Close()
}

// client makes calls on one key.
type client struct {
	c     *cache.Cache[string, int]
	id    int
	made  *atomic.Int32 // the last value returned by a creator; each is used once
	sets  int
	known cache.Versioned[int]
	do    func(cachemodel.Call, func() cachemodel.Return)
}

// fresh returns a value to set that no other call uses.
func (w *client) fresh() int {
	w.sets++
	return 100*(w.id+1) + w.sets
}

// step makes the call that a letter stands for, see [Linearizable].
func (w *client) step(letter rune) {
	switch letter {
	case 'c', 'f', 'l', 'h', 'b':
		w.create(letter)
	case 'g':
		w.do(cachemodel.Call{Kind: cachemodel.Get}, func() cachemodel.Return {
			var ok bool
			w.known, ok = w.c.GetVersion("k")
			return cachemodel.Return{Outcome: whether(ok), Value: w.known.Value}
		})
	case 's':
		v := w.fresh()
		w.do(cachemodel.Call{Kind: cachemodel.Set, Value: v}, func() cachemodel.Return { return ended(0, w.c.Set("k", v)) })
	case 'd':
		w.do(cachemodel.Call{Kind: cachemodel.Delete}, func() cachemodel.Return {
			return cachemodel.Return{Outcome: whether(w.c.Delete("k"))}
		})
	case 'i':
		w.do(cachemodel.Call{Kind: cachemodel.Invalidate}, func() cachemodel.Return {
			w.c.Invalidate("k")
			return cachemodel.Return{Outcome: cachemodel.DoneOnly}
		})
	case 'w':
		v := w.fresh()
		w.do(cachemodel.Call{Kind: cachemodel.Swap, Value: v, Expect: w.known.Value}, func() cachemodel.Return {
			_, ok := w.c.CompareAndSwap("k", w.known.Version, v)
			return cachemodel.Return{Outcome: whether(ok)}
		})
	case 'u':
		if w.known.Version == 0 {
			return
		}
		w.do(cachemodel.Call{Kind: cachemodel.Unset, Expect: w.known.Value}, func() cachemodel.Return {
			return cachemodel.Return{Outcome: whether(w.c.CompareAndDelete("k", w.known.Version))}
		})
	case 'x':
		w.do(cachemodel.Call{Kind: cachemodel.Close}, func() cachemodel.Return { return ended(0, w.c.Close()) })
	}
}

// create calls GetOrCreate or GetOrCreateAll.
func (w *client) create(letter rune) {
	ctx := context.Background()
	if letter != 'h' {
		leaving, cancel := context.WithCancel(ctx)
		defer cancel()
		if ctx = leaving; letter == 'l' {
			go cancel()
		}
	}
	w.do(cachemodel.Call{Kind: cachemodel.Create}, func() cachemodel.Return {
		if letter == 'b' {
			got, err := w.c.GetOrCreateAll(ctx, []string{"other", "k"}, func(context.Context, []string) (map[string]int, error) {
				return map[string]int{"other": -1, "k": int(w.made.Add(1))}, nil
			})
			return ended(got["k"], err)
		}
		return ended(w.c.GetOrCreate(ctx, "k", func(context.Context) (int, error) {
			if letter == 'f' {
				return 0, errCreate
			}
			return int(w.made.Add(1)), nil
		}))
	})
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
