package lifecycle_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// An identifier that exists is refused, and its plan or changeset stays.
func TestDuplicateIdentifiers(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := newPlan(t, s)
		var exists *lifecycle.AlreadyExistsError
		if _, err := s.InsertPlan(ctx, p); !errors.As(err, &exists) || exists.Kind != lifecycle.KindPlan || exists.ID != p.ID {
			t.Errorf("got %v, want the plan to exist", err)
		}
		if a, err := s.GetAction(ctx, "build"); err != nil || a.Uses != 1 {
			t.Errorf("got %d uses, %v, want the one that counted", a.Uses, err)
		}
		execution := s.ExecutionContext(p.ID)
		id, err := execution.StartChangeset(ctx)
		check(t, err)
		if err := s.StartChangesetAs(ctx, p.ID, id); !errors.As(err, &exists) || exists.Kind != lifecycle.KindChangeset || exists.ID != id {
			t.Errorf("got %v, want the changeset to exist", err)
		}
		if got, err := execution.RecordChange(ctx, entry("a")); err != nil || got != id {
			t.Errorf("got %q, %v, want the first changeset still open", got, err)
		}
	})
}

// Two services with the same entropy and clock collide in the database, and one
// of them gets an error.
func TestDuplicateULIDs(t *testing.T) {
	ctx := context.Background()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	cfg := lifecycle.Config{
		URL: storetest.FileURL(t), Engines: storetest.Engines(t), Entropy: zeros{}, Clock: func() time.Time { return now },
	}
	a, b := open(t, cfg), open(t, cfg)
	newPlan(t, a)
	if _, err := b.UseAction(ctx, "build", lifecycle.UseOptions{}); !errors.Is(err, lifecycle.ErrAlreadyExists) {
		t.Errorf("got %v, want ErrAlreadyExists", err)
	}
	if got, err := b.GetAction(ctx, "build"); err != nil || got.Uses != 1 {
		t.Errorf("got %d uses, %v, want 1", got.Uses, err)
	}
}

func TestIdentifiersNeedEntropy(t *testing.T) {
	ctx := context.Background()
	s := open(t, lifecycle.Config{Entropy: broken{}})
	_, err := s.CreateAction(ctx, spec("a"))
	check(t, err)
	if _, err := s.UseAction(ctx, "a", lifecycle.UseOptions{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want an error without an identifier for a plan", err)
	}
	if _, err := s.ExecutionContext("x").StartChangeset(ctx); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v, want an error without an identifier for a changeset", err)
	}
}

// If the entropy leaves no greater identifier in a millisecond, calls still
// succeed.
func TestGreatestEntropy(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := open(t, lifecycle.Config{Entropy: ones{}, Clock: func() time.Time { return now }})
	last := ""
	for range 5 {
		p := newPlan(t, s)
		if p.ID <= last {
			t.Errorf("got %s after %s, want a greater one", p.ID, last)
		}
		last = p.ID
	}
}

// ones is entropy that has only ones.
type ones struct{}

func (ones) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 0xff
	}
	return len(p), nil
}

// Identifiers sort by creation, even if the clock is set back.
func TestClockThatJumps(t *testing.T) {
	ctx := context.Background()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := open(t, lifecycle.Config{Clock: func() time.Time { return now }})
	var made []string
	for _, jump := range []time.Duration{0, time.Hour, -24 * time.Hour, time.Millisecond, -time.Hour} {
		now = now.Add(jump)
		made = append(made, newPlan(t, s).ID)
	}
	all, err := s.ListPlans(ctx)
	check(t, err)
	for i, p := range all {
		if p.ID != made[i] {
			t.Errorf("got %[2]s as plan %[1]d, want %[3]s", i, p.ID, made[i])
		}
	}
}
