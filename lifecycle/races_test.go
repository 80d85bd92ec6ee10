package lifecycle_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

// The documented races under plain stress, with a common start and exact counts.
// The explorer runs the same races under control.

// rounds returns how often a race is run. Databases take long enough over each
// step that twenty rounds do, but memory does not.
func rounds(t *testing.T) int {
	if strings.HasSuffix(t.Name(), "/memory") {
		return 2000
	}
	return 20
}

// R1: ten goroutines, half of them units of work and half migrations, get one
// engine, opened once. A schema made through one is there for the others.
func TestR1OneEnginePerURL(t *testing.T) {
	ctx := context.Background()
	const url = "sqlite:///:memory:"
	for range rounds(t) {
		var log bytes.Buffer
		engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		check(t, err)
		got := make([]*lifecycle.Engine, 10)
		errs := make([]error, len(got))
		together(len(got), func(i int) {
			if i%2 == 0 {
				got[i], errs[i] = lifecycle.Migrate(ctx, engines, url)
				return
			}
			work := lifecycle.NewUnitOfWork(engines, "sqlite://")
			errs[i] = work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
				_, err := r.Plans.List(ctx)
				return err
			})
			if errs[i] == nil {
				got[i], errs[i] = work.Engine(ctx)
			}
		})
		check(t, errors.Join(errs...))
		for _, e := range got {
			if e == nil || e != got[0] {
				t.Fatalf("got engines %v, want one", got)
			}
		}
		check(t, engines.Close())
		for _, once := range []string{"engine opened", "schema migrated"} {
			if n := strings.Count(log.String(), once); n != 1 {
				t.Fatalf("got %[2]d times %[1]s, want 1", once, n)
			}
		}
	}
}

// R2: of ten creates of one name one succeeds, and nothing is lost.
func TestR2OneCreateSucceeds(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		for round := range rounds(t) {
			var won atomic.Int32
			name := fmt.Sprint("action", round)
			winner := make([]bool, 10)
			together(len(winner), func(i int) {
				a := spec(name)
				a.Description = fmt.Sprint(i)
				_, err := s.CreateAction(ctx, a)
				switch {
				case err == nil:
					won.Add(1)
					winner[i] = true
				case !errors.Is(err, lifecycle.ErrAlreadyExists):
					t.Errorf("got %v, want ErrAlreadyExists", err)
				}
			})
			if won.Load() != 1 {
				t.Fatalf("got %d successful creates, want 1", won.Load())
			}
			a, err := s.GetAction(ctx, name)
			if err != nil || a.Description != fmt.Sprint(slices.Index(winner, true)) {
				t.Errorf("got the action of %q, %v, want the winner's", a.Description, err)
			}
		}
		if all, err := s.ListActions(ctx); err != nil || len(all) != rounds(t) {
			t.Errorf("got %d actions, %v, want %d", len(all), err, rounds(t))
		}
	})
}

// R3: a plan that was returned can be found. Each listing is a snapshot with
// every plan that was returned before it began.
func TestR3ListingsAreSnapshots(t *testing.T) {
	ctx := context.Background()
	const makers, each = 10, 10
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		newPlan(t, s)
		var returned atomic.Int64
		together(2*makers, func(i int) {
			if i%2 == 0 {
				for range each {
					if _, err := s.UseAction(ctx, "build", lifecycle.UseOptions{}); err != nil {
						t.Error(err)
					}
					returned.Add(1)
				}
				return
			}
			seen := 0
			for range each {
				before := returned.Load()
				all, err := s.ListPlans(ctx)
				if err != nil || int64(len(all)) < before+1 || len(all) < seen {
					t.Errorf("got %d plans, %v, want %d and at least %d", len(all), err, before+1, seen)
				}
				seen = len(all)
			}
		})
		all, err := s.ListPlans(ctx)
		if err != nil || len(all) != makers*each+1 {
			t.Errorf("got %d plans, %v, want %d", len(all), err, makers*each+1)
		}
		if a, err := s.GetAction(ctx, "build"); err != nil || a.Uses != makers*each+1 {
			t.Errorf("got %d uses, %v, want %d", a.Uses, err, makers*each+1)
		}
	})
}

// R4: once a changeset is listed or its start has returned, nothing is recorded
// in an older one. Their entries stay as they are.
func TestR4NothingLandsInAnOlderChangeset(t *testing.T) {
	ctx := context.Background()
	const recorders = 4
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		starts := min(rounds(t), 200)
		c := s.ExecutionContext(newPlan(t, s).ID)
		_, err := c.StartChangeset(ctx)
		check(t, err)
		settled := make(map[string]int)
		var recorded atomic.Int64
		var done atomic.Bool
		together(recorders+1, func(i int) {
			if i == 0 {
				defer done.Store(true)
				for range starts {
					if _, err := c.StartChangeset(ctx); err != nil {
						t.Error(err)
					}
					settle(t, c, settled)
				}
				return
			}
			for n := 0; n < 20*starts && !done.Load(); n++ {
				if _, err := c.RecordChange(ctx, entry("a")); err != nil {
					t.Error(err)
				}
				recorded.Add(1)
			}
		})
		settle(t, c, settled)
		all, err := c.Changesets(ctx)
		check(t, err)
		total := int64(0)
		for i, changeset := range all {
			total += int64(len(changeset.Entries))
			if changeset.Open() != (i == len(all)-1) {
				t.Errorf("changeset %d of %d: got open %v, want only the last open", i, len(all), changeset.Open())
			}
		}
		if total != recorded.Load() || len(all) != starts+1 {
			t.Errorf("got %d entries in %d changesets, want %d in %d", total, len(all), recorded.Load(), starts+1)
		}
	})
}

// settle notes the number of entries in each changeset but the newest. It reports
// one whose number has changed.
func settle(t *testing.T, c *lifecycle.ExecutionContext, settled map[string]int) {
	all, err := c.Changesets(context.Background())
	if err != nil {
		t.Error(err)
		return
	}
	for _, changeset := range all[:len(all)-1] {
		n, seen := settled[changeset.ID]
		if seen && n != len(changeset.Entries) {
			t.Errorf("changeset %s: got %[3]d entries, want the %[2]d of when a newer one was listed", changeset.ID, n, len(changeset.Entries))
		}
		settled[changeset.ID] = len(changeset.Entries)
	}
}

// R5: a recorder that meets a finish gets an error, or is in time.
func TestR5FinishMeetsRecord(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		c := s.ExecutionContext(newPlan(t, s).ID)
		var recorded atomic.Int64
		for range rounds(t) {
			id, err := c.StartChangeset(ctx)
			check(t, err)
			together(5, func(i int) {
				if i == 0 {
					if err := c.FinishChangeset(ctx, id); err != nil {
						t.Error(err)
					}
					return
				}
				switch got, err := c.RecordChange(ctx, entry("a")); {
				case err == nil && got == id:
					recorded.Add(1)
				case !errors.Is(err, lifecycle.ErrNoActiveChangeset):
					t.Errorf("got %q, %v, want %q or ErrNoActiveChangeset", got, err, id)
				}
			})
		}
		all, err := c.Changesets(ctx)
		check(t, err)
		total := int64(0)
		for _, changeset := range all {
			total += int64(len(changeset.Entries))
		}
		if total != recorded.Load() {
			t.Errorf("got %d entries, want the %d acknowledged", total, recorded.Load())
		}
	})
}

// twoServices opens two services on one file, with engines and caches of their
// own.
func twoServices(t *testing.T) (a, b *lifecycle.Service) {
	url := storetest.FileURL(t)
	return open(t, lifecycle.Config{URL: url}), open(t, lifecycle.Config{URL: url})
}

// R6: a read sees what the other service committed before: plans, actions and
// listings, and also through a shared engine.
func TestR6ReadsAreCurrent(t *testing.T) {
	a, b := twoServices(t)
	t.Run("own engines", func(t *testing.T) { readsAreCurrent(t, a, b) })
	for _, url := range []string{storetest.FileURL(t), "sqlite:///:memory:"} {
		engines := storetest.Engines(t)
		a := open(t, lifecycle.Config{URL: url, Engines: engines})
		b := open(t, lifecycle.Config{URL: url, Engines: engines})
		t.Run("shared engine", func(t *testing.T) { readsAreCurrent(t, a, b) })
	}
}

func readsAreCurrent(t *testing.T, a, b *lifecycle.Service) {
	ctx := context.Background()
	p := newPlan(t, a)
	for _, command := range way(applyApplied) {
		for _, s := range []*lifecycle.Service{a, b} { // fills both caches, twice
			for range 2 {
				_, err := s.GetPlan(ctx, p.ID)
				check(t, err)
			}
		}
		moved, err := a.Transition(ctx, request(p.ID, command))
		check(t, err)
		if got, err := b.GetPlan(ctx, p.ID); err != nil || got.Version != moved.Version || got.Position() != moved.Position() {
			t.Fatalf("after %s: got %v version %d, %v, want version %d", command, got.Position(), got.Version, err, moved.Version)
		}
		if all, err := b.ListPlans(ctx); err != nil || all[len(all)-1].Version != moved.Version {
			t.Fatalf("after %s: got a listing with an old version, %v", command, err)
		}
		a, b = b, a
	}
	used, err := a.GetAction(ctx, "build")
	check(t, err)
	next, err := b.UseAction(ctx, "build", lifecycle.UseOptions{})
	check(t, err)
	if got, err := a.GetAction(ctx, "build"); err != nil || got.Uses != used.Uses+1 {
		t.Errorf("got %d uses, %v, want %d", got.Uses, err, used.Uses+1)
	}
	_, err = a.GetPlan(ctx, next.ID)
	check(t, err)
	changeset, err := b.ExecutionContext(next.ID).StartChangeset(ctx)
	check(t, err)
	if got, err := a.GetPlan(ctx, next.ID); err != nil || got.ChangesetID != changeset {
		t.Errorf("got changeset %q, %v, want %q", got.ChangesetID, err, changeset)
	}
}

// R7: of any number of callers that hold one version, one wins. The others get a
// conflict that names the new position.
func TestR7OneTransitionWins(t *testing.T) {
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) { oneWins(t, s, s) })
	t.Run("two services", func(t *testing.T) {
		a, b := twoServices(t)
		oneWins(t, a, b)
	})
}

func oneWins(t *testing.T, services ...*lifecycle.Service) {
	ctx := context.Background()
	for range rounds(t) {
		held := planAt(t, services[0], executeComplete)
		errs := make([]error, 10)
		together(len(errs), func(i int) {
			_, errs[i] = services[i%len(services)].Transition(ctx, lifecycle.Request{
				PlanID: held.ID, Command: lifecycle.CommandApplyPlan, IfVersion: held.Version,
			})
		})
		won := 0
		for _, err := range errs {
			var conflict *lifecycle.ConflictError
			switch {
			case err == nil:
				won++
			case !errors.As(err, &conflict) || conflict.Current != applyQueued || conflict.CurrentVersion != held.Version+1:
				t.Errorf("got %v, want a conflict with apply/queued version %d", err, held.Version+1)
			}
		}
		p, err := services[0].GetPlan(ctx, held.ID)
		if won != 1 || err != nil || p.Version != held.Version+1 {
			t.Fatalf("got %d winning transitions and version %d, %v; want 1 and %d", won, p.Version, err, held.Version+1)
		}
	}
}
