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

// Whoever listens hears that it has rung, once for any number of times, and nobody
// hears it afterwards. To ring waits for nobody.
func TestBell(t *testing.T) {
	var b engine.Bell
	b.Ring()
	one, stopOne := b.Listen()
	two, stopTwo := b.Listen()
	if hears(one) {
		t.Error("heard what was before")
	}
	b.Ring()
	b.Ring()
	for _, ear := range []engine.Ear{one, two} {
		if !hears(ear) || hears(ear) {
			t.Error("heard it not at all or twice, want once")
		}
	}
	stopOne()
	b.Ring()
	if hears(one) || !hears(two) {
		t.Error("one who has stopped hears, or one who has not does not")
	}
	stopTwo()
	b.Ring()
	if hears(two) {
		t.Error("heard it after the stop")
	}
}

// The bell of an engine rings when it is closed.
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
		t.Error("the bell has not rung")
	}
}
