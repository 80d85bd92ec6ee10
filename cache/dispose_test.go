package cache_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/cache"
)

// Close closes every value even if a Close method fails or panics, and reports the errors.
func TestClosersThatFail(t *testing.T) {
	c := open(t, cache.Config[int, *object]{})
	bad := errors.New("cannot close")
	objects := []*object{
		{name: "fine"}, {name: "failing", err: bad}, {name: "panicking", onShut: func() { explode("shut") }}, {name: "fine too"},
	}
	for i, o := range objects {
		_ = c.Set(i, o)
	}
	err := c.Close()
	var pe *cache.PanicError
	if !errors.Is(err, bad) || !errors.As(err, &pe) || pe.Value != "shut" {
		t.Errorf("Close gave %v, want both failures", err)
	}
	for _, o := range objects {
		o.wantClosed(t, 1)
	}
}

// A Close method that ends the goroutine of Close does not prevent the other values from being closed.
func TestCloserThatVanishes(t *testing.T) {
	c := open(t, cache.Config[int, *object]{})
	objects := []*object{{name: "first"}, {name: "vanishing", onShut: vanish}, {name: "last"}}
	for i, o := range objects {
		_ = c.Set(i, o)
	}
	apart(func() { _ = c.Close() })
	for _, o := range objects {
		o.wantClosed(t, 1)
	}
}

// Errors of closing values before Close are kept, up to a bound.
func TestEarlyErrorsAreBounded(t *testing.T) {
	c := open(t, cache.Config[int, *object]{})
	for i := range 20 {
		_ = c.Set(i, &object{err: fmt.Errorf("number %d.", i)})
		c.Delete(i)
	}
	err := c.Close()
	if err == nil || !strings.Contains(err.Error(), "number 15.") || strings.Contains(err.Error(), "number 16.") ||
		!strings.Contains(err.Error(), "4 more") {
		t.Errorf("Close gave %v, want 16 errors and a count of 4", err)
	}
}

// One object in several places is closed once, when the last of them lets go of it.
func TestSharedObject(t *testing.T) {
	c := open(t, cache.Config[string, *object]{})
	o := &object{name: "shared"}
	_ = c.Set("a", o)
	_ = c.Set("a", o)
	_ = c.Set("b", o)
	c.Delete("a")
	o.wantClosed(t, 0)
	if _, ok := c.CompareAndSwap("b", 99, o); ok {
		t.Error("swapped an unknown version")
	}
	c.Delete("b")
	o.wantClosed(t, 1)
}

// bundle is a closer that cannot be compared.
type bundle struct{ parts []*object }

func (b bundle) Close() error { return b.parts[0].Close() }

func TestKindsOfValues(t *testing.T) {
	c := open(t, cache.Config[string, any]{})
	o := &object{name: "part"}
	var none *object
	for k, v := range map[string]any{"nil": nil, "typed nil": none, "plain": 7, "bundle": bundle{[]*object{o}}} {
		if got := must[any](t)(c.GetOrCreate(t.Context(), k, plain(v))); k != "bundle" && got != v {
			t.Errorf("%s is %v, want %v", k, got, v)
		}
		if _, ok := c.Get(k); !ok {
			t.Errorf("%s is not there", k)
		}
		c.Delete(k)
	}
	must[any](t)(nil, c.Close())
	o.wantClosed(t, 1)
}
