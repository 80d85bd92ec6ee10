package cache_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

// The creator's context keeps the contract of context.Context, in whatever order its methods are called.

func TestScopeWhileCreating(t *testing.T) {
	c := open(t, cache.Config[string, int]{})
	caller, cancel := context.WithTimeout(context.WithValue(t.Context(), ctxKey{}, "value"), time.Hour)
	defer cancel()
	must[int](t)(c.GetOrCreate(caller, "k", func(ctx context.Context) (int, error) {
		if ctx.Err() != nil || context.Cause(ctx) != nil {
			t.Errorf("ended with %v at the beginning", context.Cause(ctx))
		}
		if _, ok := ctx.Deadline(); ok {
			t.Error("has a deadline")
		}
		if ctx.Value(ctxKey{}) != "value" || ctx.Value(42) != nil {
			t.Errorf("has %v for the caller's value and %v for nothing", ctx.Value(ctxKey{}), ctx.Value(42))
		}
		if first, second := ctx.Done(), ctx.Done(); first == nil || first != second {
			t.Error("Done is nil, or another channel the second time")
		}
		if s := fmt.Sprint(ctx); s != "cache.creation(k)" {
			t.Errorf("prints as %s", s)
		}
		return 1, nil
	}))
}

// A context that a creator keeps has ended afterwards, even if no method of it was called before.
func TestScopeAfterCreating(t *testing.T) {
	for name, ctx := range map[string]context.Context{"in place": forever, "apart": t.Context()} {
		c := open(t, cache.Config[string, int]{})
		var early, late context.Context
		create := func(child bool) func(context.Context) (int, error) {
			return func(ctx context.Context) (int, error) {
				if late = ctx; child {
					var cancel context.CancelFunc
					early, cancel = context.WithTimeout(ctx, time.Hour)
					t.Cleanup(cancel)
				}
				return 1, nil
			}
		}
		must[int](t)(c.GetOrCreate(ctx, "a", create(true)))
		<-early.Done()
		if !errors.Is(early.Err(), context.Canceled) || errors.Is(context.Cause(early), context.Canceled) {
			t.Errorf("%s: a child ended with %v for %v", name, early.Err(), context.Cause(early))
		}
		must[int](t)(c.GetOrCreate(ctx, "b", create(false)))
		<-late.Done()
		if !errors.Is(late.Err(), context.Canceled) || context.Cause(late) == nil {
			t.Errorf("%s: the context ended with %v for %v", name, late.Err(), context.Cause(late))
		}
	}
}

// A creator that asks only after its creation was decided gets the right cause.
func TestScopeAskedLate(t *testing.T) {
	for name, tc := range map[string]struct {
		end  func(c *cache.Cache[string, int], leave context.CancelFunc)
		want error
	}{
		"superseded": {func(c *cache.Cache[string, int], _ context.CancelFunc) { c.Delete("k") }, cache.ErrSuperseded},
		"closed":     {func(c *cache.Cache[string, int], _ context.CancelFunc) { go func() { _ = c.Close() }() }, cache.ErrClosed},
		"abandoned":  {func(_ *cache.Cache[string, int], leave context.CancelFunc) { leave() }, cache.ErrAbandoned},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := open(t, cache.Config[string, int]{})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tc.want != cache.ErrAbandoned {
				ctx = forever
			}
			release, cause := make(chan struct{}), make(chan error, 1)
			a := ask(ctx, c, "k", func(ctx context.Context) (int, error) {
				if <-release; len(cause) == 0 { // not for the creation that replaces a superseded one
					if !errors.Is(ctx.Err(), context.Canceled) {
						t.Errorf("%s: Err is %v", name, ctx.Err())
					}
					cause <- context.Cause(ctx)
				}
				return 1, nil
			})
			synctest.Wait()
			tc.end(c, cancel)
			synctest.Wait()
			close(release)
			<-a
			synctest.Wait() // the caller may have left before
			if err := <-cause; !errors.Is(err, tc.want) {
				t.Errorf("%s: the creator was told %v, want %v", name, err, tc.want)
			}
		})
	}
}
