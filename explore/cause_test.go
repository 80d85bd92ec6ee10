package explore_test

import (
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/bodies"
)

// What is said of a data race names the locks that are held at the accesses, and
// none that were given back before.
func TestLocksOfARace(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), bodies.HalfGuarded)
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindRace {
		t.Fatalf("got %v (%s), want a data race", r.Verdict, r.Summary())
	}
	if cause := r.Failure.Timeline.Cause; !strings.Contains(cause, `"one" holds b, "two" does not`) {
		t.Errorf("the cause: got %q, want that only one holds a lock, b", cause)
	}
}
