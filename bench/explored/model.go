package explored

import (
	"context"
	"errors"
	"fmt"

	"github.com/anishathalye/porcupine"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/cache/cachemodel"
	"github.com/jacquard-go/jacquard/explore"
)

// scripts are what the goroutines of a row of the model do: a letter a call. See client.do.
var scripts = []struct {
	id, what string
	threads  []string
}{
	{"M1", "creations, a Set, a Delete", []string{"cg", "sg", "dh"}},
	{"M2", "creations that fail, an Invalidate", []string{"fh", "ig", "fg"}},
	{"M3", "swaps and deletions of versions", []string{"gsw", "gwu", "hgu"}},
	{"M4", "callers that leave", []string{"lg", "hd", "lc"}},
	{"M5", "Close amidst", []string{"cg", "sh", "xcg"}},
	{"M6", "batches", []string{"bg", "sb", "db"}},
}

// models are rows in which the calls on one key must be linearizable with respect to package cachemodel.
func models() []Row {
	var rows []Row
	for _, s := range scripts {
		rows = append(rows, Row{ID: s.id, What: "linearizable: " + s.what, Body: func(t *explore.T) {
			linearizable(t, s.threads)
		}})
	}
	return rows
}

// A call is one call with what came of it: the model is one of relations, while the explorer's are of functions.
type call struct {
	cachemodel.Call
	cachemodel.Return
}

// String is how reports show a call.
func (c *call) String() string {
	switch {
	case c.Outcome == cachemodel.OK && c.Return.Value != 0:
		return fmt.Sprintf("%s → %d", c.Kind, c.Return.Value)
	case c.Call.Value != 0 || c.Expect != 0:
		return fmt.Sprintf("%s(%d→%d) %s", c.Kind, c.Expect, c.Call.Value, c.Outcome)
	}
	return fmt.Sprintf("%s %s", c.Kind, c.Outcome)
}

// modelOf returns the model as the explorer takes it. The result of a call is whether it was allowed, and so right if
// it is true.
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

// created are the values that creators of one row can give.
var created = func() (all []int) {
	for v := 1; v < 16; v++ {
		all = append(all, v)
	}
	return all
}()

func linearizable(t *explore.T, threads []string) {
	c := open(t, cache.Config[string, int]{})
	h := explore.NewHistory(t, modelOf(cachemodel.New(created...)))
	var ids counter
	for i, script := range threads {
		w := &client{c: c, id: i, ids: &ids, do: func(in cachemodel.Call, f func() cachemodel.Return) {
			h.Do(&call{Call: in}, func(c *call) bool {
				c.Return = f()
				return true
			})
		}}
		t.Go("client "+script, func() {
			for _, letter := range script {
				w.step(letter)
			}
		})
	}
	t.Wait()
	h.Check()
	_ = c.Close()
}

// A client makes calls on one key.
type client struct {
	c     ints
	id    int
	ids   *counter // of values for creators, each used once
	sets  int
	known cache.Versioned[int]
	do    func(cachemodel.Call, func() cachemodel.Return)
}

// fresh returns a value to set that nobody else uses.
func (w *client) fresh() int {
	w.sets++
	return 100*(w.id+1) + w.sets
}

// step makes the call that a letter stands for.
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

// create asks for a value: with c by a creator of its own goroutine, with h by one that runs here, with f by one that
// fails; with l the caller leaves sooner or later; with b for this and another key.
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
				return map[string]int{"other": -1, "k": w.ids.add()}, nil
			})
			return ended(got["k"], err)
		}
		return ended(w.c.GetOrCreate(ctx, "k", func(context.Context) (int, error) {
			if letter == 'f' {
				return 0, errCreate
			}
			return w.ids.add(), nil
		}))
	})
}

func whether(ok bool) cachemodel.Outcome {
	if ok {
		return cachemodel.OK
	}
	return cachemodel.None
}

// ended is what a call that can fail returned.
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
