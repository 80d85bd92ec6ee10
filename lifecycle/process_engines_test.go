package lifecycle_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// openPlainly opens a service with only a URL.
func openPlainly(t testing.TB, url string) *lifecycle.Service {
	t.Helper()
	s, err := lifecycle.Open(context.Background(), lifecycle.Config{URL: url})
	check(t, err)
	return s
}

// R1 as reported: services opened with only a URL, in any spelling, share one
// database from the first to the last.
func TestR1ServicesOfOneURLShareAnEngine(t *testing.T) {
	ctx := context.Background()
	a, b := openPlainly(t, "sqlite:///:memory:"), openPlainly(t, "sqlite://")
	if a.Engine() != b.Engine() {
		t.Error("got two engines for one URL, want one")
	}
	p := newPlan(t, a)
	check(t, a.Close())
	if _, err := b.GetPlan(ctx, p.ID); err != nil {
		t.Errorf("got %v, want the plan that the first service made", err)
	}
	apart := open(t, lifecycle.Config{URL: "sqlite://"})
	if _, err := apart.GetPlan(ctx, p.ID); !errors.Is(err, lifecycle.ErrNotFound) {
		t.Errorf("got %v, want nothing of the process's database with other Engines", err)
	}
	check(t, b.Close())
	again := openPlainly(t, "sqlite://")
	if _, err := again.GetPlan(ctx, p.ID); !errors.Is(err, lifecycle.ErrNotFound) {
		t.Errorf("got %v, want a new database after the last service was closed", err)
	}
	check(t, again.Close())
	if n := lifecycle.ProcessEngines(); n != 0 {
		t.Errorf("got %d engines left over, want none", n)
	}
}

// Services of one URL are opened and closed concurrently. Whenever two are open,
// they share a database.
func TestR1ServicesComeAndGo(t *testing.T) {
	ctx := context.Background()
	for range 50 {
		together(4, func(i int) {
			s := openPlainly(t, "sqlite://")
			if _, err := s.CreateAction(ctx, spec("build")); err != nil && !errors.Is(err, lifecycle.ErrAlreadyExists) {
				t.Error(err)
			}
			other := openPlainly(t, "sqlite://")
			if _, err := other.GetAction(ctx, "build"); err != nil || s.Engine() != other.Engine() {
				t.Errorf("got error %v and one engine %t, want none and true", err, s.Engine() == other.Engine())
			}
			check(t, s.Close())
			if _, err := other.GetAction(ctx, "build"); err != nil {
				t.Errorf("got %v, want the plan while a service is open", err)
			}
			check(t, other.Close())
		})
	}
	if n := lifecycle.ProcessEngines(); n != 0 {
		t.Errorf("got %d engines left over, want none", n)
	}
}

// A database that cannot be opened is not kept. The next service tries again.
func TestServiceThatCannotOpenLeavesNoEngine(t *testing.T) {
	url := "sqlite:///" + filepath.Join(t.TempDir(), "missing", "plans.db")
	for range 2 {
		_, err := lifecycle.Open(context.Background(), lifecycle.Config{URL: url})
		if !errors.Is(err, lifecycle.ErrUnavailable) {
			t.Errorf("got %v, want ErrUnavailable", err)
		}
	}
	if n := lifecycle.ProcessEngines(); n != 0 {
		t.Errorf("got %d engines left over, want none", n)
	}
}

func TestUnitOfWorkOfAService(t *testing.T) {
	ctx := context.Background()
	s := openPlainly(t, "sqlite://")
	p := newPlan(t, s)
	u, err := s.UnitOfWork()
	check(t, err)
	get := func(ctx context.Context, r lifecycle.Repositories) error {
		_, err := r.Plans.Get(ctx, p.ID)
		return err
	}
	check(t, u.Transaction(ctx, get))
	other := openPlainly(t, "sqlite://") // keeps the engine open
	check(t, s.Close())
	if err := u.Transaction(ctx, get); !errors.Is(err, lifecycle.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
	check(t, other.Close())
	if _, err := openPlainly(t, "").UnitOfWork(); !errors.Is(err, lifecycle.ErrInvalid) {
		t.Errorf("got %v, want ErrInvalid without a database", err)
	}
	for _, nothing := range []error{
		lifecycle.NewUnitOfWork(nil, "sqlite://").Transaction(ctx, get), ignore(lifecycle.Migrate(ctx, nil, "sqlite://")),
	} {
		if !errors.Is(nothing, lifecycle.ErrInvalid) {
			t.Errorf("got %v, want ErrInvalid without engines", nothing)
		}
	}
}
