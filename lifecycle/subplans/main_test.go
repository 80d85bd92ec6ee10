package subplans_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// forEachStore runs a test on each kind of store.
func forEachStore(t *testing.T, test func(t *testing.T, m mill)) {
	storetest.EachURL(t, func(t *testing.T, url string) { test(t, newMill(t, url)) })
}

// mill is a service with a claimed parent plan.
type mill struct {
	*lifecycle.Service
	parent lifecycle.Claim
}

func newMill(t *testing.T, url string) mill {
	t.Helper()
	ctx := context.Background()
	cfg := lifecycle.Config{URL: url}
	if url != "" {
		cfg.Engines = storetest.Engines(t)
	}
	s, err := lifecycle.Open(ctx, cfg)
	check(t, err)
	t.Cleanup(func() { _ = s.Close() })
	_, err = s.CreateAction(ctx, lifecycle.ActionSpec{
		Name: "mill/weave", Actors: lifecycle.Actors{Strategy: "strategist", Execution: "weaver"}, Reusable: true,
	})
	check(t, err)
	p, err := s.UseAction(ctx, "mill/weave", lifecycle.UseOptions{})
	check(t, err)
	claim, err := s.Claim(ctx, p.ID, "the master", time.Hour)
	check(t, err)
	return mill{s, claim}
}

// config returns the configuration of a run whose subplans do work.
func (m mill) config(mode subplans.Mode, work func(context.Context, subplans.Task) error) subplans.Config {
	return subplans.Config{Service: m.Service, Parent: m.parent, Mode: mode, Work: work}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// list returns subplans with these names.
func list(names ...string) []subplans.Subplan {
	var all []subplans.Subplan
	for _, name := range names {
		all = append(all, subplans.Subplan{Name: name, Action: "mill/weave"})
	}
	return all
}

// record records one change of an attempt, in its own changeset.
func record(ctx context.Context, task subplans.Task, path string) error {
	if _, err := task.Changes.StartChangeset(ctx); err != nil {
		return err
	}
	_, err := task.Changes.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationModify, Path: path})
	return err
}

// journal is a list of words that several goroutines append to.
type journal struct {
	mu    sync.Mutex
	words []string
}

func (j *journal) write(word string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.words = append(j.words, word)
}

// merges is a Merge that appends what it merges.
func (j *journal) merges(_ context.Context, p lifecycle.Plan, c lifecycle.Change) error {
	j.write(p.Name.Base + " " + c.Path)
	return nil
}

// states returns the results' states, and the stored positions of the same plans.
func states(t *testing.T, m mill, results []subplans.Result) (said []subplans.State, kept []string) {
	t.Helper()
	for _, r := range results {
		p, err := m.GetPlan(context.Background(), r.Plan.ID)
		check(t, err)
		said, kept = append(said, r.State), append(kept, p.Position().String())
	}
	return said, kept
}
