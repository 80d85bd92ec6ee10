package lifecycle_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// take returns the next n events after a cursor. The test fails if they do not come.
func take(t testing.TB, s *lifecycle.Service, after lifecycle.Cursor, n int) []lifecycle.PlanEvent {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var all []lifecycle.PlanEvent
	if n == 0 {
		return nil
	}
	for e, err := range s.Events(ctx, after) {
		if err != nil {
			t.Fatalf("got %d events behind %d, %v, want %d", len(all), after, err, n)
		}
		if all = append(all, e); len(all) == n {
			return all
		}
	}
	return all
}

// short describes an event in a few words.
func short(e lifecycle.PlanEvent) string {
	text := fmt.Sprintf("%d %s", e.Version, e.Position)
	if e.Archived {
		text += " archived"
	}
	if e.Deleted {
		text += " deleted"
	}
	return text
}

func shorts(all []lifecycle.PlanEvent) []string {
	var texts []string
	for _, e := range all {
		texts = append(texts, short(e))
	}
	return texts
}

// last returns the cursor of the last event.
func last(t testing.TB, s *lifecycle.Service) lifecycle.Cursor {
	t.Helper()
	c, err := s.LastEvent(context.Background())
	check(t, err)
	return c
}

// Each change of a plan is an event, from its creation to its deletion, in order. Claims
// and changesets are none.
func TestEvents(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		ctx := context.Background()
		p := newPlan(t, s)
		do := func(r lifecycle.Request) {
			t.Helper()
			r.PlanID = p.ID
			check(t, ignore(s.Transition(ctx, r)))
		}
		do(lifecycle.Request{Command: lifecycle.CommandStartStrategize})
		do(lifecycle.Request{Command: lifecycle.CommandCompleteStrategize, Progress: true})
		c, err := s.Claim(ctx, p.ID, "A", 0)
		check(t, err)
		work := s.ExecutionContext(p.ID).Under(c)
		check(t, ignore(work.StartChangeset(ctx)))
		check(t, ignore(work.RecordChange(ctx, entry("warp"))))
		check(t, ignore(s.Renew(ctx, c, 0)))
		check(t, ignore(s.AddErrorDetails(ctx, lifecycle.Note{PlanID: p.ID, Fence: c.Fence, Details: map[string]string{"a": "b"}})))
		check(t, s.Release(ctx, c))
		check(t, ignore(s.Cancel(ctx, p.ID, "")))
		check(t, ignore(s.ArchivePlan(ctx, p.ID)))
		check(t, s.DeletePlan(ctx, p.ID, 0))
		want := []string{
			"1 strategize/queued", "2 strategize/processing", "3 strategize/complete", "4 execute/queued", "5 execute/queued",
			"6 execute/cancelled", "7 execute/cancelled archived", "8 execute/cancelled archived deleted",
		}
		all := take(t, s, 0, len(want))
		if got := shorts(all); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		for i, e := range all {
			if e.Cursor != lifecycle.Cursor(i+1) || e.PlanID != p.ID || e.At.IsZero() || e.At.Location() != time.UTC {
				t.Errorf("got %+v, want cursor %d, plan %s and a time in UTC", e, i+1, p.ID)
			}
			if got := shorts(take(t, s, e.Cursor, len(all)-i-1)); !slices.Equal(got, want[i+1:]) {
				t.Errorf("behind %d: got %q, want %q", e.Cursor, got, want[i+1:])
			}
		}
		if got := last(t, s); got != all[len(all)-1].Cursor {
			t.Errorf("got the last event %d, want %d", got, all[len(all)-1].Cursor)
		}
	})
}

func ExampleService_Events() {
	ctx := context.Background()
	s, err := lifecycle.Open(ctx, lifecycle.Config{})
	if err != nil {
		panic(err)
	}
	defer s.Close()
	_, err = s.CreateAction(ctx, spec("weave"))
	if err != nil {
		panic(err)
	}
	p, err := s.UseAction(ctx, "weave", lifecycle.UseOptions{})
	if err == nil {
		_, err = s.StartStrategize(ctx, p.ID)
	}
	if err == nil {
		_, err = s.Cancel(ctx, p.ID, "not needed")
	}
	if err != nil {
		panic(err)
	}
	var cursor lifecycle.Cursor // as stored before
	for e, err := range s.Events(ctx, cursor) {
		if err != nil {
			panic(err)
		}
		fmt.Println(e.Cursor, "version", e.Version, e.Position)
		cursor = e.Cursor // to be stored
		if e.Position.State.Terminal() {
			break
		}
	}
	// Output:
	// 1 version 1 strategize/queued
	// 2 version 2 strategize/processing
	// 3 version 3 strategize/cancelled
}
