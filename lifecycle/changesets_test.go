package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

func TestChangesets(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p, other := newPlan(t, s), newPlan(t, s)
		c := s.ExecutionContext(p.ID)
		if c.PlanID() != p.ID {
			t.Errorf("got plan %s, want %s", c.PlanID(), p.ID)
		}
		if all, err := c.Changesets(ctx); err != nil || len(all) != 0 {
			t.Errorf("got %v, %v, want none", all, err)
		}
		first, err := c.StartChangeset(ctx)
		check(t, err)
		at := time.Date(2020, 1, 1, 0, 0, 0, 1000, time.UTC)
		entries := []lifecycle.Entry{
			{Operation: lifecycle.OperationCreate, Path: "b", AfterHash: "1", At: at},
			{Operation: lifecycle.OperationMove, Path: "a", MovedFrom: "b", BeforeHash: "1", AfterHash: "1", At: at},
			{Operation: lifecycle.OperationModify, Path: "a", BeforeHash: "1", AfterHash: "2", At: at},
			{Operation: lifecycle.OperationDelete, Path: "a", BeforeHash: "2", At: at},
		}
		for _, e := range entries {
			if id, err := c.RecordChange(ctx, e); err != nil || id != first {
				t.Errorf("got %q, %v, want the change in %q", id, err, first)
			}
		}
		second, err := s.ExecutionContext(p.ID).StartChangeset(ctx)
		check(t, err)
		if id, err := c.RecordChange(ctx, entry("c")); err != nil || id != second {
			t.Errorf("got %q, %v, want the change in the newer %q", id, err, second)
		}
		all, err := c.Changesets(ctx)
		check(t, err)
		if len(all) != 2 || all[0].ID != first || all[1].ID != second || all[0].PlanID != p.ID {
			t.Fatalf("got %+v, want the two in order", all)
		}
		if all[0].Open() || !all[1].Open() || all[0].FinishedAt != all[1].StartedAt {
			t.Errorf("got %+v, want the first closed as the second starts", all)
		}
		if !reflect.DeepEqual(all[0].Entries, entries) || !reflect.DeepEqual(paths(all[1]), []string{"c"}) {
			t.Errorf("got %+v, want the entries as recorded", all)
		}
		if got := all[1].Entries[0].At; got.IsZero() {
			t.Error("got no time, want the clock's")
		}
		if got, err := s.GetPlan(ctx, p.ID); err != nil || got.ChangesetID != second || got.Version != 1 {
			t.Errorf("got changeset %q of version %d, %v, want %q of version 1", got.ChangesetID, got.Version, err, second)
		}
		if got, err := s.ExecutionContext(other.ID).Changesets(ctx); err != nil || len(got) != 0 {
			t.Errorf("got %v, %v, want none for another plan", got, err)
		}
	})
}

func TestFinishChangeset(t *testing.T) {
	ctx := context.Background()
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			s := open(t, lifecycle.Config{URL: store.url(t), Clock: ticker()})
			c := s.ExecutionContext(newPlan(t, s).ID)
			first, err := c.StartChangeset(ctx)
			check(t, err)
			second, err := c.StartChangeset(ctx)
			check(t, err)
			check(t, c.FinishChangeset(ctx, first)) // the second one's start has closed it
			if id, err := c.RecordChange(ctx, entry("a")); err != nil || id != second {
				t.Errorf("got %q, %v, want the second still open", id, err)
			}
			check(t, c.FinishChangeset(ctx, second))
			finished, err := c.Changesets(ctx)
			check(t, err)
			check(t, c.FinishChangeset(ctx, second))
			if again, err := c.Changesets(ctx); err != nil || !reflect.DeepEqual(again, finished) {
				t.Errorf("got %+v, %v, want a second finish to change nothing: %+v", again, err, finished)
			}
			// The older changeset does not become active again.
			if id, err := c.RecordChange(ctx, entry("b")); !errors.Is(err, lifecycle.ErrNoActiveChangeset) {
				t.Errorf("got %q, %v, want ErrNoActiveChangeset", id, err)
			}
			third, err := c.StartChangeset(ctx)
			check(t, err)
			if id, err := c.RecordChange(ctx, entry("c")); err != nil || id != third {
				t.Errorf("got %q, %v, want the third", id, err)
			}
		})
	}
}

func TestChangesetErrors(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		nobody := s.ExecutionContext("nope")
		_, start := nobody.StartChangeset(ctx)
		_, record := nobody.RecordChange(ctx, entry("a"))
		_, list := nobody.Changesets(ctx)
		finish := nobody.FinishChangeset(ctx, "nope")
		for i, err := range []error{start, record, list, finish} {
			if !errors.Is(err, lifecycle.ErrNotFound) {
				t.Errorf("%d: got %v, want ErrNotFound", i, err)
			}
		}
		c, other := s.ExecutionContext(newPlan(t, s).ID), s.ExecutionContext(newPlan(t, s).ID)
		if _, err := c.RecordChange(ctx, entry("a")); !errors.Is(err, lifecycle.ErrNoActiveChangeset) {
			t.Errorf("got %v, want ErrNoActiveChangeset", err)
		}
		id, err := c.StartChangeset(ctx)
		check(t, err)
		if err := other.FinishChangeset(ctx, id); !errors.Is(err, lifecycle.ErrNotFound) {
			t.Errorf("got %v, want ErrNotFound for another plan's changeset", err)
		}
	})
}

func TestChangesetsAreSnapshots(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		c := s.ExecutionContext(newPlan(t, s).ID)
		_, err := c.StartChangeset(ctx)
		check(t, err)
		_, err = c.RecordChange(ctx, entry("a"))
		check(t, err)
		all, err := c.Changesets(ctx)
		check(t, err)
		all[0].Entries[0].Path = "spoiled"
		if got, err := c.Changesets(ctx); err != nil || got[0].Entries[0].Path != "a" {
			t.Errorf("got %+v, %v, want a", got, err)
		}
	})
}

// A long answer is read completely and in order.
func TestManyEntries(t *testing.T) {
	ctx := context.Background()
	const n = 200
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		c := s.ExecutionContext(newPlan(t, s).ID)
		_, err := c.StartChangeset(ctx)
		check(t, err)
		var want []string
		for i := range n {
			want = append(want, fmt.Sprint("file", i))
			_, err := c.RecordChange(ctx, entry(want[i]))
			check(t, err)
		}
		all, err := c.Changesets(ctx)
		if err != nil || !reflect.DeepEqual(paths(all[0]), want) {
			t.Errorf("got %d entries, %v, want %d in order", len(all[0].Entries), err, n)
		}
	})
}

// fading is a context that ends after it was asked a number of times.
type fading struct {
	context.Context
	left int
}

func (c *fading) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A long answer of SQLite, which does not check the context itself, ends with it.
func TestLongAnswerEndsWithTheContext(t *testing.T) {
	ctx := context.Background()
	for _, store := range stores[1:3] {
		t.Run(store.name, func(t *testing.T) {
			s := open(t, lifecycle.Config{URL: store.url(t)})
			c := s.ExecutionContext(newPlan(t, s).ID)
			_, err := c.StartChangeset(ctx)
			check(t, err)
			for range 100 {
				_, err := c.RecordChange(ctx, entry("a"))
				check(t, err)
			}
			_, err = c.Changesets(&fading{ctx, 2}) // one to begin, and one to get its turn
			if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "row 64") {
				t.Errorf("got %v, want it to be cancelled at row 64", err)
			}
			if all, err := c.Changesets(ctx); err != nil || len(all[0].Entries) != 100 {
				t.Errorf("got %v, want all of it afterwards", err)
			}
		})
	}
}
