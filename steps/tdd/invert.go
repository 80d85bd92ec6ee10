package tdd

import (
	"context"
	"errors"
	"fmt"

	"github.com/cucumber/godog"
)

// A Failure is a failed assertion: a statement of the scenario is false.
type Failure struct{ message string }

func (f *Failure) Error() string { return f.message }

// Failf returns a *[Failure]. It is for steps registered with [Then]. A step that could not judge
// must return any other error.
func Failf(format string, args ...any) error {
	return &Failure{message: fmt.Sprintf(format, args...)}
}

// A scenario is the state of one scenario. It is in the scenario's context and
// written by the goroutine that runs its steps.
type scenario struct {
	tags  Tags
	where string // for messages
	last  string // the identifier of its last step
	step  string // the identifier of the step that runs

	failed  bool // an assertion has failed, as expected
	skipped bool // a step asked to skip the rest
}

type key struct{}

func of(ctx context.Context) *scenario {
	s, _ := ctx.Value(key{}).(*scenario)
	return s
}

// Expected reports whether the scenario of a context is expected to fail.
func Expected(ctx context.Context) bool {
	s := of(ctx)
	return s != nil && s.tags.ExpectedFail
}

// Hooks makes a scenario follow its tags. Call it for every scenario, before adding hooks that
// change a scenario's context.
func Hooks(sc *godog.ScenarioContext) {
	sc.Before(begin)
	sc.StepContext().Before(func(ctx context.Context, step *godog.Step) (context.Context, error) {
		if s := of(ctx); s != nil {
			s.step = step.Id
		}
		return ctx, nil
	})
	sc.StepContext().After(func(ctx context.Context, _ *godog.Step, status godog.StepResultStatus, _ error) (context.Context, error) {
		if s := of(ctx); s != nil && status == godog.StepSkipped {
			s.skipped = true
		}
		return ctx, nil
	})
	sc.After(end)
}

func begin(ctx context.Context, sc *godog.Scenario) (context.Context, error) {
	tags, err := Read(names(sc))
	if err != nil {
		return ctx, err
	}
	s := &scenario{tags: tags, where: fmt.Sprintf("%q in %s", sc.Name, sc.Uri), last: sc.Steps[len(sc.Steps)-1].Id}
	return context.WithValue(ctx, key{}, s), nil
}

// end fails a scenario that should have failed and has not.
func end(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
	s := of(ctx)
	if err != nil || s == nil || !s.tags.ExpectedFail || s.failed || s.skipped {
		return ctx, nil
	}
	return ctx, fmt.Errorf("remove %s from %s: the race no longer happens", failTag, s.where)
}

// Then registers a step that asserts: it matches only where Gherkin says Then.
// Its [Failure] is inverted in a scenario that is expected to fail.
func Then(sc *godog.ScenarioContext, expr string, assert func(context.Context) error) {
	sc.Then(expr, func(ctx context.Context) error { return judged(ctx, assert) })
}

// ThenTable is [Then] for a step with a data table, which it does not pass to assert.
func ThenTable(sc *godog.ScenarioContext, expr string, assert func(context.Context) error) {
	sc.Then(expr, func(ctx context.Context, _ *godog.Table) error { return judged(ctx, assert) })
}

// judged runs assert, and inverts its failure if it is expected.
func judged(ctx context.Context, assert func(context.Context) error) error {
	err := assert(ctx)
	s := of(ctx)
	if s == nil || !s.tags.ExpectedFail || !failure(err) {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w when an assertion failed: %w", ctx.Err(), err)
	}
	s.failed = true
	godog.Logf(ctx, "fails, as expected: %v", err)
	if s.step == s.last {
		return nil
	}
	return godog.ErrSkip // the steps after a failed one are not run
}

// failure reports whether err is a failed assertion and nothing else: an error that joins several
// is not.
func failure(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if _, ok := err.(*Failure); ok {
			return true
		}
	}
	return false
}
