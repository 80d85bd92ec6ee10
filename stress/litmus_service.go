package stress

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// serviceLitmus returns the small tests of the plan service in memory.
func serviceLitmus() []Litmus {
	wins := []Outcome{may("A", "A was first"), met("B", "B was first"), not("A and B", "both have won"), not("nobody", "nobody has won")}
	return []Litmus{
		{"two create one action", wins, inService(twoCreators)},
		{"two move one plan", wins, inService(twoMovers)},
		{"two use one action", []Outcome{may("2 uses", "each counts"), not("1 uses", "a use is lost")}, inService(twoUsers)},
		{"one archives, one uses", []Outcome{
			may("used, 1 uses", "the use was first"), met("archived, 0 uses", "the archiving was first"),
			not("used, 0 uses", "the use is lost"), not("archived, 1 uses", "a use that failed counts"),
		}, inService(archiverAndUser)},
		{"one makes two plans, one lists", []Outcome{
			may("none", "listed before"), met("first", "listed between"), may("first and second", "listed after"), not("second", "torn"),
		}, inService(makerAndLister)},
		{"one starts a changeset, one reads the plan's and records", []Outcome{
			may("saw old, landed in old", "before the start"), met("saw old, landed in new", "the start came between"),
			may("saw new, landed in new", "after the start"), not("saw new, landed in old", "a stale changeset"),
		}, inService(starterAndRecorder)},
		{"one starts changesets, one looks for the plan's", []Outcome{
			may("listed", "the plan's is there"), not("not listed", "the plan names one that is not there yet"),
		}, inService(starterAndLooker)},
		{"one finishes the changeset, one records", []Outcome{
			may("recorded, there", "the record was first"), met("refused, not there", "the finish was first"),
			not("recorded, not there", "a change is lost"), not("refused, there", "a change that was refused is there"),
		}, inService(finisherAndRecorder)},
		{"one brings a plan home, one records", []Outcome{
			may("recorded, brought", "the record was first"), met("refused, not brought", "the plan was applied first"),
			not("recorded, not brought", "a change is lost"), not("refused, brought", "a change that was refused is applied"),
		}, inService(applierAndRecorder)},
		{"one gives a claim back twice, one claims", []Outcome{
			may("claimed, kept", "between or after"), met("refused", "it came too early"),
			not("claimed, lost", "somebody has ended another's claim"), not("kept what was given back", "somebody keeps another's claim"),
		}, releaserAndClaimer},
		{"two run subplans of the same names", []Outcome{
			may("merged in order", "each its own, as they were given"), not("merged out of order", "as they ended"), not("merged the other's", "found by their names"),
		}, inService(twoRunners)},
		{"one closes a service, one goes on", []Outcome{may("listed", "the engine is open"), not("closed", "the engine is closed under a user")}, closerAndLister},
		{"two ask for one engine", []Outcome{may("one engine, 1 made", "it is shared"), not("two engines, 2 made", "two databases")}, twoAskers},
		{"two bring one schema up to date", []Outcome{may("migrated 1 times", "once"), not("migrated 2 times", "twice")}, twoMigrators},
	}
}

// inService runs a test on a service in memory with two actions and one plan.
func inService(f func(t races.T, s *lifecycle.Service, planID string) (string, error)) func(races.T) (string, error) {
	return func(t races.T) (string, error) {
		return withPlan(t.Context(), lifecycle.Config{}, func(s *lifecycle.Service, planID string) (string, error) {
			if _, err := s.CreateAction(t.Context(), actionSpec(freshAction, "nobody has used it")); err != nil {
				return "", err
			}
			return f(t, s, planID)
		})
	}
}

// withPlan opens a service with one action and one plan, runs f on it, and closes it.
func withPlan(ctx context.Context, cfg lifecycle.Config, f func(s *lifecycle.Service, planID string) (string, error)) (what string, err error) {
	s, err := lifecycle.Open(ctx, cfg)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := s.CreateAction(ctx, actionSpec(planAction, "what the plans are made from")); err != nil {
		return "", err
	}
	plan, err := s.UseAction(ctx, planAction, lifecycle.UseOptions{})
	if err != nil {
		return "", err
	}
	return f(s, plan.ID)
}

// freshAction is an action that is not used before a test.
const freshAction = "local/fresh"

// both lets two goroutines meet.
func both(t races.T, a, b func()) {
	t.Go("A", a)
	t.Go("B", b)
	t.Wait()
}

// winner names the callers that got no error.
func winner(errA, errB error) string {
	switch {
	case errA == nil && errB == nil:
		return "A and B"
	case errA == nil:
		return "A"
	case errB == nil:
		return "B"
	}
	return "nobody"
}

func twoCreators(t races.T, s *lifecycle.Service, _ string) (string, error) {
	var errA, errB error
	create := func(err *error) func() {
		return func() { _, *err = s.CreateAction(t.Context(), actionSpec("local/litmus", "litmus")) }
	}
	both(t, create(&errA), create(&errB))
	return winner(errA, errB), nil
}

func twoMovers(t races.T, s *lifecycle.Service, plan string) (string, error) {
	var errA, errB error
	move := func(err *error) func() { return func() { _, *err = s.StartStrategize(t.Context(), plan) } }
	both(t, move(&errA), move(&errB))
	return winner(errA, errB), nil
}

func twoUsers(t races.T, s *lifecycle.Service, _ string) (string, error) {
	use := func() {
		if _, err := s.UseAction(t.Context(), freshAction, lifecycle.UseOptions{}); err != nil {
			t.Errorf("use: %v", err)
		}
	}
	both(t, use, use)
	a, err := s.GetAction(t.Context(), freshAction)
	return fmt.Sprintf("%d uses", a.Uses), err
}

func archiverAndUser(t races.T, s *lifecycle.Service, _ string) (string, error) {
	var used error
	both(t, func() {
		if _, err := s.ArchiveAction(t.Context(), freshAction); err != nil {
			t.Errorf("archive: %v", err)
		}
	}, func() { _, used = s.UseAction(t.Context(), freshAction, lifecycle.UseOptions{}) })
	a, err := s.GetAction(t.Context(), freshAction)
	if used == nil {
		return fmt.Sprintf("used, %d uses", a.Uses), err
	}
	return fmt.Sprintf("archived, %d uses", a.Uses), err
}

func makerAndLister(t races.T, s *lifecycle.Service, _ string) (string, error) {
	var first, second lifecycle.Plan
	var err1, err2, err3 error
	var all []lifecycle.Plan
	both(t, func() {
		first, err1 = s.UseAction(t.Context(), planAction, lifecycle.UseOptions{})
		second, err2 = s.UseAction(t.Context(), planAction, lifecycle.UseOptions{})
	}, func() { all, err3 = s.ListPlans(t.Context()) })
	has := func(p lifecycle.Plan) bool {
		return slices.ContainsFunc(all, func(l lifecycle.Plan) bool { return l.ID == p.ID })
	}
	what := "none"
	switch {
	case has(first) && has(second):
		what = "first and second"
	case has(first):
		what = "first"
	case has(second):
		what = "second"
	}
	return what, errors.Join(err1, err2, err3)
}

func starterAndRecorder(t races.T, s *lifecycle.Service, planID string) (string, error) {
	c := s.ExecutionContext(planID)
	old, err := c.StartChangeset(t.Context())
	if err != nil {
		return "", err
	}
	var seen lifecycle.Plan
	var in string
	var err1, err2, err3 error
	both(t, func() { _, err1 = c.StartChangeset(t.Context()) }, func() {
		seen, err2 = s.GetPlan(t.Context(), planID)
		in, err3 = c.RecordChange(t.Context(), lifecycle.Entry{Operation: lifecycle.OperationModify, Path: "loom/weft.go"})
	})
	age := func(id string) string {
		if id == old {
			return "old"
		}
		return "new"
	}
	return "saw " + age(seen.ChangesetID) + ", landed in " + age(in), errors.Join(err1, err2, err3)
}

func finisherAndRecorder(t races.T, s *lifecycle.Service, planID string) (string, error) {
	c := s.ExecutionContext(planID)
	id, err := c.StartChangeset(t.Context())
	if err != nil {
		return "", err
	}
	var finished, recorded error
	both(t, func() { finished = c.FinishChangeset(t.Context(), id) }, func() {
		_, recorded = c.RecordChange(t.Context(), lifecycle.Entry{Operation: lifecycle.OperationModify, Path: "loom/weft.go"})
	})
	all, err := c.Changesets(t.Context())
	what := "recorded, "
	if recorded != nil {
		what = "refused, "
	}
	if err != nil || len(all) != 1 || len(all[0].Entries) != 1 {
		return what + "not there", errors.Join(finished, err)
	}
	return what + "there", finished
}

// litmusURL is the URL of an in-memory database.
const litmusURL = "sqlite:///:memory:"

func twoAskers(t races.T) (what string, err error) {
	return withEngines(t, func(ctx context.Context, e *lifecycle.Engines, seen *races.Openings) (string, error) {
		var a, b *lifecycle.Engine
		var errA, errB error
		both(t, func() { a, errA = e.Engine(ctx, litmusURL) }, func() { b, errB = e.Engine(ctx, litmusURL) })
		if a != b {
			return fmt.Sprintf("two engines, %d made", seen.Count()), errors.Join(errA, errB)
		}
		return fmt.Sprintf("one engine, %d made", seen.Count()), errors.Join(errA, errB)
	})
}

func twoMigrators(t races.T) (string, error) {
	return withEngines(t, func(ctx context.Context, e *lifecycle.Engines, seen *races.Openings) (string, error) {
		var errA, errB error
		migrate := func(err *error) func() { return func() { _, *err = lifecycle.Migrate(ctx, e, litmusURL) } }
		both(t, migrate(&errA), migrate(&errB))
		return fmt.Sprintf("migrated %d times", seen.Migrated()), errors.Join(errA, errB)
	})
}

// withEngines runs a test on engines of its own.
func withEngines(t races.T, f func(context.Context, *lifecycle.Engines, *races.Openings) (string, error)) (what string, err error) {
	seen := new(races.Openings)
	e, err := lifecycle.NewEngines(lifecycle.EnginesConfig{Logger: slog.New(seen)})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return f(t.Context(), e, seen)
}
