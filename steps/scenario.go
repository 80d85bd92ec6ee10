package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/jacquard-go/jacquard/steps/tdd"
)

// A scenario is the state that the steps of one scenario share. It is in the scenario's context,
// and is read and written only by the goroutine that runs its steps.
type scenario struct {
	plot    *plot
	script  Script
	judged  int // how many steps have asserted
	run     bool
	outcome Outcome // set once the scenario has run
}

type scenarioKey struct{}

func of(ctx context.Context) *scenario { return ctx.Value(scenarioKey{}).(*scenario) }

// bind registers all steps for one scenario. The registered functions only make the steps known to
// Godog and its formatters: the scenario's text is compiled before its first step.
func (c Config) bind(sc *godog.ScenarioContext) {
	tdd.Hooks(sc)
	sc.Before(func(ctx context.Context, s *godog.Scenario) (context.Context, error) {
		script := scriptOf(s)
		script.Schedules, script.Short, script.Expected = c.Schedules, c.Short, tdd.Expected(ctx)
		p, err := compile(script)
		return context.WithValue(ctx, scenarioKey{}, &scenario{plot: p, script: script}), err
	})
	told := func(context.Context) error { return nil }
	toldTable := func(context.Context, *godog.Table) error { return nil }
	for _, d := range definitions() {
		switch {
		case d.kind == "Then" && d.table:
			tdd.ThenTable(sc, uncaptured(d.expr), func(ctx context.Context) error { return of(ctx).judge(ctx, c.Run) })
		case d.kind == "Then":
			tdd.Then(sc, uncaptured(d.expr), func(ctx context.Context) error { return of(ctx).judge(ctx, c.Run) })
		case d.kind == "When" && d.table:
			sc.When(uncaptured(d.expr), toldTable)
		case d.kind == "When":
			sc.When(uncaptured(d.expr), told)
		case d.table:
			sc.Given(uncaptured(d.expr), toldTable)
		default:
			sc.Given(uncaptured(d.expr), told)
		}
	}
}

// uncaptured returns an expression with no capturing groups.
func uncaptured(expr string) string {
	return strings.ReplaceAll(strings.ReplaceAll(expr, "(?:", "("), "(", "(?:")
}

// scriptOf returns the script of a scenario.
func scriptOf(s *godog.Scenario) Script {
	script := Script{Name: s.Name}
	for _, step := range s.Steps {
		line := Line{Kind: kindOf(step.Type), Text: step.Text}
		if step.Argument != nil && step.Argument.DataTable != nil {
			for _, row := range step.Argument.DataTable.Rows {
				cells := make([]string, len(row.Cells))
				for i, cell := range row.Cells {
					cells[i] = cell.Value
				}
				line.Table = append(line.Table, cells)
			}
		}
		script.Lines = append(script.Lines, line)
	}
	return script
}

func kindOf(t messages.PickleStepType) string {
	switch t {
	case messages.PickleStepType_CONTEXT:
		return "Given"
	case messages.PickleStepType_ACTION:
		return "When"
	case messages.PickleStepType_OUTCOME:
		return "Then"
	}
	return string(t)
}

// judge asserts one Then. The first one runs the scenario, for all of them.
func (sc *scenario) judge(ctx context.Context, run RunFunc) error {
	if !sc.run {
		if err := sc.explore(ctx, run); err != nil {
			return err
		}
	}
	m := sc.plot.musts[sc.judged]
	sc.judged++
	return sc.hold(m)
}

// explore runs the scenario. It fails if nothing can be concluded.
func (sc *scenario) explore(ctx context.Context, run RunFunc) error {
	outcome, err := run(ctx, sc.script)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("no verdict: %w", ctx.Err())
	case err != nil:
		return err
	case !outcome.Holds() && !outcome.Violated():
		return fmt.Errorf("nothing can be concluded (%s): %s", outcome.Verdict, outcome.Summary)
	}
	sc.run, sc.outcome = true, outcome
	godog.Logf(ctx, "%s: %s: %s", sc.script.Name, outcome.Verdict, outcome.Summary)
	return nil
}

// hold asserts that no schedule violated what a step says. A violation that names no step, such as
// a crash, is charged to the first one. A violation of another kind, such as a deadlock, is an
// error and not a failed assertion, because the steps are not about it.
func (sc *scenario) hold(m must) error {
	o := sc.outcome
	switch {
	case o.Holds():
		return nil
	case !o.documented():
		return fmt.Errorf("violated by a %s, which is not what the step is about: %s\n%s", o.Kind, o.Message, o.Report)
	case sc.blamed() == m.text:
		return tdd.Failf("%s\n%s", o.Message, o.Report)
	}
	return nil
}

// blamed returns the text of the step that a violation is about.
func (sc *scenario) blamed() string {
	for _, m := range sc.plot.musts {
		if strings.Contains(sc.outcome.Message, m.text+": ") {
			return m.text
		}
	}
	return sc.plot.musts[0].text
}
