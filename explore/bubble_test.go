package explore_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/bodies"
)

// Bubbles of testing/synctest are what they are without control.
func TestBubbles(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range bodies.Bubbles() {
		t.Run(b.Name, func(t *testing.T) { judge(t, small(b.Name), b) })
	}
}

// A bubble's deadlock names those that are to blame, and why.
func TestBubbleSays(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct{ name, message, cause string }{
		{"all in the bubble are blocked", "deadlock: all goroutines in bubble are blocked: \"testing.", "waits for a value from"},
		{"left behind in a bubble", "deadlock: main bubble goroutine has exited but blocked goroutines remain: \"bodies.Bubbles.func", "waits for a receiver on result"},
		{"asleep with a lock in a bubble", "can never go on", "a bubble's clock stands still"},
	} {
		i := slices.IndexFunc(bodies.Bubbles(), func(b bodies.Body) bool { return b.Name == c.name })
		r := run(t, small(c.name), bodies.Bubbles()[i].Run)
		f := r.Failure
		if f == nil {
			t.Fatalf("%s: got %s", c.name, r.Summary())
		}
		if !strings.Contains(f.Message, c.message) {
			t.Errorf("%s: got %q, want %q", c.name, f.Message, c.message)
		}
		if got := f.Timeline.Cause; !strings.Contains(got, c.cause) {
			t.Errorf("%s: got the cause %q, want %q", c.name, got, c.cause)
		}
	}
}

// DPOR comes to every final state in bubbles, beside which there may be others, that
// sampling comes to, and runs nothing twice.
func TestDPORInBubbles(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range bodies.FinalsInBubbles() {
		t.Run(b.Name, func(t *testing.T) {
			search := func(s explore.Strategy) explore.Search {
				var final func() string
				body := func(t *explore.T) { b.Run(t, func(f func() string) { final = f }) }
				got, err := explore.SearchAll(small(b.Name), s, 3000, body, func() string { return final() })
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
			quietly(t)
			sampled, reduced := search(explore.RandomWalk()), search(explore.DPOR())
			want, got := slices.Sorted(maps.Keys(sampled.Finals)), slices.Sorted(maps.Keys(reduced.Finals))
			if len(want) < 2 || !slices.Equal(got, want) {
				t.Errorf("got final states %q, want %q", got, want)
			}
			if !reduced.Complete || reduced.Orders != reduced.Whole || reduced.Orders < sampled.Orders {
				t.Errorf("got %d schedules of %d orders; %d were sampled", reduced.Whole, reduced.Orders, sampled.Orders)
			}
			if reduced.Why != "" {
				t.Errorf("dpor makes no claim: %s", reduced.Why)
			}
		})
	}
}

// Nothing is explored from within a bubble.
func TestWithinBubble(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	synctest.Test(t, func(t *testing.T) {
		if _, err := explore.Run(t.Context(), small(t.Name()), bodies.Touch); !errors.Is(err, explore.ErrBubble) {
			t.Errorf("got %v, want %v", err, explore.ErrBubble)
		}
	})
}
