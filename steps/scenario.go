package steps

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/cucumber/godog"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/steps/tdd"
)

// errScenario is wrapped by the errors of steps that do not go together.
var errScenario = errors.New("the scenario makes no sense")

// A scenario is what the steps of one scenario know. It is in the scenario's
// context and belongs to the goroutine that runs its steps.
type scenario struct {
	given   string       // who is there; empty until they are
	column  races.Column // whose they are
	race    string       // what was explored; empty until it was
	outcome Outcome      // and what came of it
}

type key struct{}

func of(ctx context.Context) *scenario { return ctx.Value(key{}).(*scenario) }

// bind registers the steps of all sentences for one scenario.
func (c Config) bind(sc *godog.ScenarioContext) {
	tdd.Hooks(sc)
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		return context.WithValue(ctx, key{}, new(scenario)), nil
	})
	given := make(map[string]bool) // races share it
	for _, s := range sentences() {
		if !given[s.given] {
			given[s.given] = true
			sc.Given("^"+regexp.QuoteMeta(s.given)+", (.+)$", func(ctx context.Context, version string) error {
				return of(ctx).give(s.given, version)
			})
		}
		sc.When(exactly(s.when), func(ctx context.Context) error { return of(ctx).explore(ctx, s, c.Explore, c.Limit) })
		tdd.Then(sc, exactly(s.then), func(ctx context.Context) error { return of(ctx).hold(s) })
	}
}

// give sets the scene.
func (sc *scenario) give(given, version string) error {
	column, ok := columns()[version]
	if !ok {
		return fmt.Errorf("%w: %s, got %q, want as reported, as suggested or ours", errScenario, given, version)
	}
	if sc.given != "" {
		return fmt.Errorf("%w: %s, and before that %s", errScenario, given, sc.given)
	}
	sc.given, sc.column = given, column
	return nil
}

// explore puts the race under the explorer, in the column that is given. It
// fails if nothing can be concluded.
func (sc *scenario) explore(ctx context.Context, s sentence, explore ExploreFunc, limit time.Duration) error {
	if sc.given != s.given {
		return fmt.Errorf("%w: %s needs %s, got %q", errScenario, s.race, s.given, sc.given)
	}
	id := s.race + "/" + string(sc.column)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	outcome, err := explore(ctx, id)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("explore %s: no verdict within %v: %w", id, limit, ctx.Err())
	case err != nil:
		return fmt.Errorf("explore %s: %w", id, err)
	case !outcome.Holds() && !outcome.Violated():
		return fmt.Errorf("explore %s: nothing can be concluded (%s): %s", id, outcome.Verdict, outcome.Summary)
	}
	sc.race, sc.outcome = s.race, outcome
	godog.Logf(ctx, "%s: %s: %s", id, outcome.Verdict, outcome.Summary)
	return nil
}

// hold asserts that no schedule violated what the sentence says. A violation of
// another kind, such as a deadlock, is an error and no failed assertion: it is
// not what the sentence is about.
func (sc *scenario) hold(s sentence) error {
	if sc.race != s.race {
		return fmt.Errorf("%w: to judge %s it must have been explored, got %q", errScenario, s.race, sc.race)
	}
	id := s.race + "/" + string(sc.column)
	switch {
	case sc.outcome.Holds():
		return nil
	case sc.outcome.documented():
		return tdd.Failf("%s\nshow it: go run ./cmd/jacquard replay %s", sc.outcome.Message, id)
	}
	return fmt.Errorf("%s is violated by a %s, which is not what the report tells: %s", id, sc.outcome.Kind, sc.outcome.Message)
}
