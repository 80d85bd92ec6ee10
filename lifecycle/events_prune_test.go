package lifecycle_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Pruning leaves no silent gap. A follower that needs a pruned event gets an error with
// the cursors that it can continue from. So does one that is ahead of the database.
func TestPruneEvents(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		const many = 600 // several pages
		newPlan(t, s)
		for last(t, s) < many {
			newPlan(t, s)
		}
		refused := func(c, first, last lifecycle.Cursor) {
			t.Helper()
			var refused *lifecycle.CursorError
			for _, err := range s.Events(ctx, c) {
				if !errors.As(err, &refused) || !errors.Is(err, lifecycle.ErrCursor) || *refused != (lifecycle.CursorError{Got: c, First: first, Last: last}) {
					t.Errorf("got %v, want a CursorError of %d, want %d to %d", err, c, first, last)
				}
			}
		}
		pruned := func(before time.Time, want int) {
			t.Helper()
			if got, err := s.PruneEvents(ctx, before); err != nil || got != want {
				t.Errorf("got %d pruned, %v, want %d", got, err, want)
			}
		}
		all := take(t, s, 0, many)
		refused(-1, 0, many)
		refused(many+1, 0, many)
		pruned(all[0].At, 0)
		pruned(all[0].At.Add(time.Hour), many)
		refused(0, many, many)
		refused(many-1, many, many)
		newPlan(t, s)
		if got := take(t, s, many, 1)[0]; got.Cursor != many+1 {
			t.Errorf("got %+v, want cursor %d", got, many+1)
		}
		if got := last(t, s); got != many+1 {
			t.Errorf("got the last event %d, want %d", got, many+1)
		}
		refused(many+2, many, many+1)
		if _, err := s.PruneEvents(ctx, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)); !errors.Is(err, lifecycle.ErrInvalid) {
			t.Errorf("got %v, want ErrInvalid", err)
		}
	})
}

// A follower overtaken by pruning gets the events in memory, and then the error.
func TestPrunedMeanwhile(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		for range 300 {
			newPlan(t, s)
		}
		n := 0
		for e, err := range s.Events(ctx, 0) {
			var refused *lifecycle.CursorError
			switch {
			case err == nil:
				n++
				if n == 1 {
					check(t, ignore(s.PruneEvents(ctx, e.At.Add(time.Hour))))
				}
			case !errors.As(err, &refused) || refused.Got != lifecycle.Cursor(n) || refused.First != 300:
				t.Errorf("after %d events: got %v, want a CursorError with these and 300", n, err)
			}
		}
		if n == 0 || n == 300 {
			t.Errorf("got %d events, want some", n)
		}
	})
}
