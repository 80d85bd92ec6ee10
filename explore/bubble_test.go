package explore_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// Bubbles of testing/synctest behave as they do without control.
func TestBubbles(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Bubbles() {
		t.Run(b.Name, func(t *testing.T) { judge(t, small(b.Name), b) })
	}
}

// The report of a bubble's deadlock names the blocked goroutines, and the cause.
func TestBubbleSays(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct{ name, message, cause string }{
		{"all in the bubble are blocked", "deadlock: all goroutines in bubble are blocked: \"testing.", "waits for a value from"},
		{"left behind in a bubble", "deadlock: main bubble goroutine has exited but blocked goroutines remain: \"programs.Bubbles.func", "waits for a receiver on result"},
		{"asleep with a lock in a bubble", "can never go on", "a bubble's clock stands still"},
	} {
		i := slices.IndexFunc(programs.Bubbles(), func(b programs.Program) bool { return b.Name == c.name })
		r := run(t, small(c.name), programs.Bubbles()[i].Run)
		f := r.Failure
		if f == nil {
			t.Fatalf("%s: got %s, want a failure", c.name, r.Summary())
		}
		if !strings.Contains(f.Message, c.message) {
			t.Errorf("%s: got %q, want %q", c.name, f.Message, c.message)
		}
		if got := f.Timeline.Cause; !strings.Contains(got, c.cause) {
			t.Errorf("%s: got the cause %q, want %q", c.name, got, c.cause)
		}
	}
}

// Run refuses to explore from within a bubble.
func TestWithinBubble(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	synctest.Test(t, func(t *testing.T) {
		if _, err := explore.Run(t.Context(), small(t.Name()), programs.Touch); !errors.Is(err, explore.ErrBubble) {
			t.Errorf("got %v, want %v", err, explore.ErrBubble)
		}
	})
}
