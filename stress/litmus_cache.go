package stress

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/races"
)

// cacheLitmus returns the small tests of the cache.
func cacheLitmus() []Litmus {
	const lost = "what came later is gone"
	return []Litmus{
		{"three ask for one key", []Outcome{may("one object, 1 made", "created once"), not("two objects, 2 made", "created twice")}, inCache(askers)},
		{"one asks, one sets", []Outcome{
			may("got created, holds set", "the creation was first"), met("got set, holds set", "the set was first, or wins"),
			not("got created, holds created", lost), not("got set, holds created", lost),
		}, inCache(askerAndSetter)},
		{"one asks, one deletes", []Outcome{
			may("holds nothing", "the deletion was last"), met("holds created", "the creation was last, or begun anew"),
		}, inCache(askerAndDeleter)},
		{"two swap one version", []Outcome{may("A", "A was first"), met("B", "B was first"), not("A and B", "both have won"), not("nobody", "nobody has won")}, inCache(swappers)},
		{"one swaps, one deletes", []Outcome{
			may("swapped, holds nothing", "the swap was first"), met("refused, holds nothing", "the deletion was first"), not("swapped, holds swapped", lost), not("refused, holds something", "the deletion is lost"),
		}, inCache(swapperAndDeleter)},
		{"one invalidates, one fills in what it read before", []Outcome{may("holds nothing", "whoever was first"), not("holds old", "what is out of date is back")}, inCache(filler)},
		{"one asks, one closes", []Outcome{
			may("got created, closed 1 times", "the creation was first"), met("told, closed 1 times", "closed during the creation"), may("told, closed 0 times", "nothing was created"),
			not("got created, closed 0 times", "the object is leaked"), not("told, closed 2 times", "closed twice"),
		}, inCache(askerAndCloser)},
		{"one leases, one deletes", []Outcome{
			may("open while leased, closed 1 times", "closed after the last use"), not("closed while leased, closed 1 times", "closed under its user"),
		}, inCache(leaserAndDeleter)},
		{"one gives up, one stays", []Outcome{may("who stays has it", "one waiter is enough"), not("who stays has an error", "another's context has ended its wait")}, inCache(leaverAndStayer)},
		{"two ask, the creator fails", []Outcome{may("both are told", "and nothing is kept"), not("kept", "an error is remembered")}, inCache(failed)},
		{"one panics, one asks", []Outcome{may("an error each", "who waits is told"), met("an error and a value", "the second creation was its own")}, inCache(panicked)},
	}
}

// A thing is a value that counts how often it is closed.
type thing struct {
	by     string
	closed atomic.Int32
}

// Close counts the call.
func (o *thing) Close() error {
	o.closed.Add(1)
	return nil
}

// things is a cache of things that counts those that were created.
type things struct {
	*cache.Cache[string, *thing]
	created atomic.Int32
	last    atomic.Pointer[thing]
}

// thread is the key of all tests.
const thread = "warp"

func inCache(f func(t races.T, c *things) (string, error)) func(races.T) (string, error) {
	return func(t races.T) (what string, err error) {
		c, err := cache.New(cache.Config[string, *thing]{})
		if err != nil {
			return "", err
		}
		defer func() {
			if failed := c.Close(); !errors.Is(failed, cache.ErrClosed) {
				err = errors.Join(err, failed)
			}
		}()
		return f(t, &things{Cache: c})
	}
}

func (c *things) create(context.Context) (*thing, error) {
	c.created.Add(1)
	o := &thing{by: "created"}
	c.last.Store(o)
	return o, nil
}

// holds describes the cached value.
func (c *things) holds() string {
	if o, ok := c.Get(thread); ok {
		return "holds " + o.by
	}
	return "holds nothing"
}

func askers(t races.T, c *things) (string, error) {
	var got [3]*thing
	var errs [3]error
	for i := range got {
		t.Go("asker", func() { got[i], errs[i] = c.GetOrCreate(t.Context(), thread, c.create) })
	}
	t.Wait()
	number := "one object"
	if got[0] != got[1] || got[1] != got[2] {
		number = "two objects"
	}
	return fmt.Sprintf("%s, %d made", number, c.created.Load()), errors.Join(errs[:]...)
}

// askerAndSetter makes a creation last until the setter is about to set.
func askerAndSetter(t races.T, c *things) (string, error) {
	var got *thing
	var errA, errB error
	setting := make(chan struct{})
	both(t, func() {
		got, errA = c.GetOrCreate(t.Context(), thread, func(ctx context.Context) (*thing, error) {
			<-setting
			return c.create(ctx)
		})
	}, func() {
		close(setting)
		errB = c.Set(thread, &thing{by: "set"})
	})
	if err := errors.Join(errA, errB); err != nil {
		return "", err
	}
	return "got " + got.by + ", " + c.holds(), nil
}

func askerAndDeleter(t races.T, c *things) (string, error) {
	var err error
	both(t, func() { _, err = c.GetOrCreate(t.Context(), thread, c.create) }, func() { c.Delete(thread) })
	return c.holds(), err
}

func swappers(t races.T, c *things) (string, error) {
	if err := c.Set(thread, &thing{by: "set"}); err != nil {
		return "", err
	}
	was, _ := c.GetVersion(thread)
	var a, b bool
	swap := func(ok *bool) func() {
		return func() { _, *ok = c.CompareAndSwap(thread, was.Version, &thing{by: "swapped"}) }
	}
	both(t, swap(&a), swap(&b))
	return winner(unless(a), unless(b)), nil
}

// unless returns an error if something did not happen.
func unless(ok bool) error {
	if ok {
		return nil
	}
	return errors.New("it did not happen")
}

func swapperAndDeleter(t races.T, c *things) (string, error) {
	if err := c.Set(thread, &thing{by: "set"}); err != nil {
		return "", err
	}
	was, _ := c.GetVersion(thread)
	var ok bool
	both(t, func() { _, ok = c.CompareAndSwap(thread, was.Version, &thing{by: "swapped"}) }, func() { c.Delete(thread) })
	if ok {
		return "swapped, " + c.holds(), nil
	}
	return "refused, " + c.holds(), nil
}

func filler(t races.T, c *things) (string, error) {
	stamp := c.Stamp(thread)
	both(t, func() { c.Invalidate(thread) }, func() { c.Fill(thread, &thing{by: "old"}, stamp) })
	return c.holds(), nil
}

func askerAndCloser(t races.T, c *things) (string, error) {
	var asked, closed error
	both(t, func() { _, asked = c.GetOrCreate(t.Context(), thread, c.create) }, func() { closed = c.Close() })
	times := int32(0)
	if o := c.last.Load(); o != nil {
		times = o.closed.Load()
	}
	switch {
	case asked == nil:
		return fmt.Sprintf("got created, closed %d times", times), closed
	case errors.Is(asked, cache.ErrClosed):
		return fmt.Sprintf("told, closed %d times", times), closed
	}
	return "", errors.Join(asked, closed)
}

func leaserAndDeleter(t races.T, c *things) (string, error) {
	var leased *thing
	var during int32
	var err error
	both(t, func() {
		var l *cache.Lease[*thing]
		if l, err = c.Acquire(t.Context(), thread, c.create); err == nil {
			defer l.Release()
			leased = l.Value()
			spin(100)
			during = leased.closed.Load()
		}
	}, func() { c.Delete(thread) })
	if err != nil {
		return "", err
	}
	c.Delete(thread)
	what := "open while leased"
	if during != 0 {
		what = "closed while leased"
	}
	return fmt.Sprintf("%s, closed %d times", what, leased.closed.Load()), nil
}

func leaverAndStayer(t races.T, c *things) (string, error) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var err error
	t.Go("canceller", cancel)
	both(t, func() { _, _ = c.GetOrCreate(ctx, thread, c.create) }, func() { _, err = c.GetOrCreate(t.Context(), thread, c.create) })
	if err != nil {
		return "who stays has an error", nil
	}
	return "who stays has it", nil
}

// errJammed is the error of creators that fail.
var errJammed = errors.New("the loom is jammed")

func failed(t races.T, c *things) (string, error) {
	var errA, errB error
	ask := func(err *error) func() {
		return func() {
			_, *err = c.GetOrCreate(t.Context(), thread, func(context.Context) (*thing, error) { return nil, errJammed })
		}
	}
	both(t, ask(&errA), ask(&errB))
	_, err := c.GetOrCreate(t.Context(), thread, c.create)
	switch {
	case err != nil:
		return "kept", nil
	case !errors.Is(errA, errJammed) || !errors.Is(errB, errJammed):
		return "another error", nil
	}
	return "both are told", nil
}

func panicked(t races.T, c *things) (string, error) {
	var errA, errB error
	both(t, func() {
		_, errA = c.GetOrCreate(t.Context(), thread, func(context.Context) (*thing, error) { panic(errJammed) })
	}, func() { _, errB = c.GetOrCreate(t.Context(), thread, c.create) })
	var crash *cache.PanicError
	switch {
	case errors.As(errA, &crash) && errors.As(errB, &crash):
		return "an error each", nil
	case errors.As(errA, &crash) && errB == nil, errA == nil && errB == nil:
		return "an error and a value", nil
	}
	return "another error", nil
}
