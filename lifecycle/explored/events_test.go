package explored_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
)

// Every follower gets every change, in one order, which is that of each plan's
// versions. What has returned is at or before the last event. Nobody waits for time to
// pass, so no wake-up is lost.
func TestEventsAreComplete(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	t.Run("memory", func(t *testing.T) {
		explore.Test(t, effort{schedules: 480}.config(), func(t *explore.T) { followTwice(t, "") })
	})
	t.Run("memory, two plans at once", func(t *testing.T) {
		explore.Test(t, effort{schedules: 240}.config(), makeTwo)
	})
	t.Run("sqlite-memory", func(t *testing.T) {
		explore.Test(t, effort{schedules: 18}.config(), func(t *explore.T) { followTwice(t, "sqlite:///:memory:") })
	})
}

// followTwice lets two callers change a plan and two follow.
func followTwice(t *explore.T, url string) {
	const patience, all = time.Hour, 8
	ctx := context.Background()
	s, plan := claimable(t, lifecycle.Config{URL: url, Poll: patience})
	begun := time.Now()
	heard := make([][]string, 2)
	for i := range heard {
		t.Go(fmt.Sprint("follower ", i+1), func() {
			for e, err := range s.Events(ctx, 0) {
				if err != nil {
					t.Errorf("after %d events: %v", len(heard[i]), err)
					return
				}
				if e.Cursor != lifecycle.Cursor(len(heard[i])+1) {
					t.Errorf("got cursor %d, want %d", e.Cursor, len(heard[i])+1)
				}
				if heard[i] = append(heard[i], fmt.Sprint(e.PlanID, " ", e.Version)); len(heard[i]) == all {
					return
				}
			}
		})
	}
	settled := make(map[string]lifecycle.Cursor) // each returned change, with the last event at that moment
	t.Go("A", func() {
		for _, r := range []lifecycle.Request{
			{PlanID: plan, Command: lifecycle.CommandStartStrategize},
			{PlanID: plan, Command: lifecycle.CommandCompleteStrategize, Progress: true},
		} {
			p, err := s.Transition(ctx, r)
			for errors.Is(err, lifecycle.ErrConflict) {
				p, err = s.Transition(ctx, r)
			}
			last, err2 := s.LastEvent(ctx)
			if err = errors.Join(err, err2); err != nil {
				t.Errorf("%s: %v", r.Command, err)
			}
			settled[fmt.Sprint(p.ID, " ", p.Version)] = last
		}
	})
	t.Go("B", func() {
		_, err1 := s.AddErrorDetails(ctx, lifecycle.Note{PlanID: plan, Details: map[string]string{"a": "b"}})
		_, err2 := s.UseAction(ctx, "weave", lifecycle.UseOptions{})
		p, err3 := s.UseAction(ctx, "weave", lifecycle.UseOptions{})
		if err := errors.Join(err1, err2, err3, s.DeletePlan(ctx, p.ID, 0)); err != nil {
			t.Errorf("got %v, want all of it done", err)
		}
	})
	t.Wait()
	if passed := time.Since(begun); passed >= patience {
		t.Errorf("got a wait of %v, want none", passed)
	}
	if !slices.Equal(heard[0], heard[1]) {
		t.Errorf("got events %v and %v of the followers, want the same, all of them", heard[0], heard[1])
	}
	versions := make(map[string]int)
	for i, e := range heard[0] {
		name, version, _ := strings.Cut(e, " ")
		if versions[name]++; version != fmt.Sprint(versions[name]) {
			t.Errorf("got %v, want the versions of each plan in order", heard[0])
		}
		if last, ok := settled[e]; ok && last < lifecycle.Cursor(i+1) {
			t.Errorf("%s had returned: got the last event %d, want at least %d", e, last, i+1)
		}
	}
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// makeTwo lets two callers make a plan each. No later event wakes a late follower.
func makeTwo(t *explore.T) {
	ctx := context.Background()
	s, _ := claimable(t, lifecycle.Config{})
	for _, name := range []string{"A", "B"} {
		t.Go(name, func() {
			if _, err := s.UseAction(ctx, "weave", lifecycle.UseOptions{}); err != nil {
				t.Errorf("use: %v", err)
			}
		})
	}
	t.Wait()
	if last, err := s.LastEvent(ctx); last != 3 || err != nil {
		t.Errorf("got %d events, %v, want one of each of 3 plans", last, err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
