package engine_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
)

func hears(e engine.Ear) bool {
	select {
	case <-e:
		return true
	default:
		return false
	}
}

// Each listener hears once that the bell has rung, however often it has, and
// nothing after that. Ringing never blocks.
func TestBell(t *testing.T) {
	var b engine.Bell
	b.Ring()
	one, stopOne := b.Listen()
	two, stopTwo := b.Listen()
	if hears(one) {
		t.Error("got a ring from before the listener, want none")
	}
	b.Ring()
	b.Ring()
	for _, ear := range []engine.Ear{one, two} {
		if !hears(ear) || hears(ear) {
			t.Error("got no ring or two, want one")
		}
	}
	stopOne()
	b.Ring()
	if hears(one) || !hears(two) {
		t.Error("got a ring after the stop, or none before it")
	}
	stopTwo()
	b.Ring()
	if hears(two) {
		t.Error("got a ring after the stop, want none")
	}
}

// The bell of an engine rings when the engine is closed.
func TestBellOfEngine(t *testing.T) {
	var opened atomic.Int64
	engines, err := engine.New(engine.Config{}, opener(&opened, nil))
	check(t, err)
	e, err := engines.Engine(context.Background(), "sqlite:////b.db")
	check(t, err)
	ear, stop := engine.BellOf(e).Listen()
	defer stop()
	check(t, engines.Close())
	if !hears(ear) {
		t.Error("got no ring of the bell, want one")
	}
}
