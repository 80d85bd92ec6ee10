package explored

import (
	"context"
	"errors"
	"runtime"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/explore"
)

func errorsTold() []Row {
	return []Row{
		{ID: "G2a", What: "an error is told to all who waited, and not remembered", Body: failsOnce(
			func() (int, error) { return 0, errCreate },
			func(err error) bool { return err == errCreate })},
		{ID: "G2b", What: "the entry is gone before anyone learns of the error", Body: goneBeforeTold},
		{ID: "G2c", What: "those who wait for a failing creation do not wait for ever", Body: allFail},
		{ID: "G3a", What: "a panic is told to all who waited, and the key stays usable", Body: failsOnce(
			func() (int, error) { panic("boom") },
			func(err error) bool {
				var p *cache.PanicError
				return errors.As(err, &p) && p.Value == "boom" && len(p.Stack) > 0
			})},
		{ID: "G3b", What: "a Goexit is told to all who waited, and the key stays usable", Body: failsOnce(
			func() (int, error) { runtime.Goexit(); return 0, nil },
			func(err error) bool {
				var p *cache.PanicError
				return errors.As(err, &p) && p.Goexit && len(p.Stack) > 0
			})},
	}
}

// failsOnce returns a body in which only the first creation fails: callers that got the failure try again, and must not get
// the same one. (A Goexit also ends the goroutine that it happens on, which is a caller's if that created itself.)
func failsOnce(fail func() (int, error), right func(error) bool) func(*explore.T) {
	return func(t *explore.T) {
		c := open(t, cache.Config[string, int]{})
		var calls, told counter
		create := func(context.Context) (int, error) {
			if calls.add() == 1 {
				return fail()
			}
			return 7, nil
		}
		for i := range 2 {
			t.Go("caller", func() {
				exits := true
				defer func() {
					if exits {
						told.add()
					}
				}()
				v, err := c.GetOrCreate(either(t, i), "k", create)
				exits = false
				if err != nil {
					told.add()
					if !right(err) {
						t.Errorf("got %v, want the failure", err)
					}
					v, err = c.GetOrCreate(either(t, i+1), "k", create)
				}
				if v != 7 || err != nil {
					t.Errorf("got %d, %v, want 7", v, err)
				}
			})
		}
		t.Wait()
		if told.get() == 0 {
			t.Error("nobody was told of the failure")
		}
		if n := calls.get(); n != 2 {
			t.Errorf("%d creations, want one that fails and one that does not", n)
		}
		_ = c.Close()
	}
}

func goneBeforeTold(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	t.Go("reader", func() {
		if v, ok := c.Get("k"); ok {
			t.Errorf("got %d, which nobody made", v)
		}
	})
	for i := range 2 {
		_, err := c.GetOrCreate(either(t, i), "k", func(context.Context) (int, error) { return 0, errCreate })
		if n := c.Len(); err != errCreate || n != 0 {
			t.Errorf("got %v and %d entries, want the creator's error and none", err, n)
		}
	}
	t.Wait()
	_ = c.Close()
}

func allFail(t *explore.T) {
	c := open(t, cache.Config[string, int]{})
	for i := range 3 {
		t.Go("caller", func() {
			_, err := c.GetOrCreate(either(t, i), "k", func(context.Context) (int, error) { return 0, errCreate })
			if err != errCreate {
				t.Errorf("got %v, want the creator's error", err)
			}
		})
	}
	t.Wait()
	if n := c.Len(); n != 0 {
		t.Errorf("%d entries are left, want none", n)
	}
	_ = c.Close()
}
