package tdd_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cucumber/godog"

	"github.com/jacquard-go/jacquard/steps/tdd"
)

const (
	capture      = "@tdd_issue @tdd_issue_12"
	expectedFail = capture + " @tdd_expected_fail"
	removeTag    = "remove @tdd_expected_fail from"
)

// A trial is a scenario of a few steps, and how its suite must end.
type trial struct {
	name  string
	tags  string
	steps string // separated by semicolons
	hooks func(*godog.ScenarioContext)
	fails string // what the output must say; empty if the suite must pass
	quiet bool   // the output need not contain fails: see the package's documentation
}

var errOther = errors.New("something else broke")

func trials() []trial {
	return []trial{
		{name: "untagged, holds", steps: "Given a world; Then it holds"},
		{name: "untagged, fails", steps: "Given a world; Then it fails", fails: "the world is wrong"},
		{name: "capture, holds", tags: capture, steps: "Given a world; Then it holds"},
		{name: "capture, fails", tags: capture, steps: "Given a world; Then it fails", fails: "the world is wrong"},

		{name: "expected, fails", tags: expectedFail, steps: "Given a world; Then it fails"},
		{name: "expected, fails in the middle", tags: expectedFail, steps: "Given a world; Then it fails; And it breaks"},
		{name: "expected, fails wrapped", tags: expectedFail, steps: "Given a world; Then it fails wrapped"},
		{name: "expected, fails at last", tags: expectedFail, steps: "Given a world; Then it holds; And it fails"},

		{name: "expected, holds", tags: expectedFail, steps: "Given a world; Then it holds", fails: removeTag + ` "expected, holds" in trial.feature: the race no longer happens`},
		{name: "expected, asserts nothing", tags: expectedFail, steps: "Given a world", fails: removeTag},
		{name: "expected, breaks", tags: expectedFail, steps: "Given a world; Then it breaks", fails: errOther.Error()},
		{name: "expected, fails and breaks", tags: expectedFail, steps: "Given a world; Then it fails and breaks", fails: errOther.Error()},
		{name: "expected, set-up breaks", tags: expectedFail, steps: "Given a broken world; Then it fails", fails: errOther.Error()},
		{name: "expected, set-up asserts", tags: expectedFail, steps: "Given a wrong world; Then it fails", fails: "the world is wrong"},
		{name: "expected, panics", tags: expectedFail, steps: "Given a world; Then it panics", fails: "out of the world"},
		{name: "expected, set-up panics", tags: expectedFail, steps: "Given a panicking world; Then it fails", fails: "out of the world"},
		{name: "expected, fails through T", tags: expectedFail, steps: "Given a world; Then it fails through T", fails: "told to T"},
		{name: "expected, fails also through T", tags: expectedFail, steps: "Given a world; Then it fails also through T", fails: "told to T"},
		{name: "expected, fails also through T in the middle", tags: expectedFail, steps: "Given a world; Then it fails also through T; And it holds", fails: "told to T", quiet: true},
		{name: "expected, fails after its time", tags: expectedFail, steps: "Given a world that ends; Then it fails", fails: "context canceled when an assertion failed"},
		{name: "expected, times out", tags: expectedFail, steps: "Given a world; Then it times out", fails: context.DeadlineExceeded.Error()},
		{name: "expected, pending", tags: expectedFail, steps: "Given a world; Then it is pending", fails: "pending"},
		{name: "expected, undefined", tags: expectedFail, steps: "Given a world; Then it is anything", fails: "undefined"},
		{name: "expected, set-up undefined", tags: expectedFail, steps: "Given anything; Then it fails", fails: "undefined"},
		{name: "expected, undefined after failing", tags: expectedFail, steps: "Given a world; Then it fails; And it is anything", fails: "undefined"},
		{name: "expected, ambiguous", tags: expectedFail, steps: "Given a world; Then it is this or that", fails: "ambiguous"},
		{name: "expected, ambiguous after failing", tags: expectedFail, steps: "Given a world; Then it fails; And it is this or that", fails: "ambiguous", quiet: true},
		{name: "expected, asserts too soon", tags: expectedFail, steps: "Given it fails; Then it holds", fails: "undefined"},
		{name: "expected, no steps", tags: expectedFail, fails: "1 undefined"},
		{name: "expected, skipped", tags: expectedFail, steps: "Given no world; Then it holds"},

		{name: "hook before", tags: expectedFail, steps: "Given a world; Then it fails", hooks: breakBefore, fails: errOther.Error()},
		{name: "hook before, asserts", tags: expectedFail, steps: "Given a world; Then it holds", hooks: failBefore, fails: "the world is wrong"},
		{name: "hook before a step", tags: expectedFail, steps: "Given a world; Then it fails", hooks: breakBeforeStep, fails: errOther.Error()},
		{name: "hook after a step", tags: expectedFail, steps: "Given a world; Then it fails", hooks: breakAfterStep, fails: errOther.Error()},
		{name: "hook after", tags: expectedFail, steps: "Given a world; Then it fails", hooks: breakAfter, fails: errOther.Error()},
		{name: "hook after, failed in the middle", tags: expectedFail, steps: "Given a world; Then it fails; And it holds", hooks: breakAfter, fails: errOther.Error(), quiet: true},

		{name: "bad tags", tags: "@tdd_issue @tdd_expected_fail", steps: "Given a world; Then it fails", fails: tdd.ErrTags.Error()},
		{name: "bad number", tags: "@tdd_issue @tdd_issue_x", steps: "Given a world; Then it holds", fails: tdd.ErrTags.Error()},
	}
}

func TestSemantics(t *testing.T) {
	for _, tr := range trials() {
		t.Run(tr.name, func(t *testing.T) {
			passed, output := tr.run(t)
			if want := tr.fails == ""; passed != want {
				t.Fatalf("passed: got %t, want %t\n%s", passed, want, output)
			}
			if !tr.quiet && !strings.Contains(output, tr.fails) {
				t.Errorf("got\n%s\nwant %q in it", output, tr.fails)
			}
			if !strings.Contains(tr.fails, removeTag) && strings.Contains(output, removeTag) {
				t.Errorf("got advice to remove the tag, want none:\n%s", output)
			}
		})
	}
}

// TestSubtests also runs the trials that pass as subtests, two at a time.
func TestSubtests(t *testing.T) {
	var all []godog.Feature
	for _, tr := range trials() {
		if tr.fails == "" && tr.name != "untagged, holds" {
			all = append(all, tr.feature(tr.name+".feature"))
		}
	}
	suite := godog.TestSuite{ScenarioInitializer: bind, Options: &godog.Options{
		Strict: true, Concurrency: 2, TestingT: t, Format: "progress", NoColors: true, Output: new(bytes.Buffer), FeatureContents: all,
	}}
	if status := suite.Run(); status != 0 {
		t.Errorf("got status %d, want 0", status)
	}
}

// TestWithoutHooks: nothing is inverted without the hooks that read the tags.
func TestWithoutHooks(t *testing.T) {
	tr := trial{name: "no hooks", tags: expectedFail, steps: "Given a world; Then it fails"}
	if passed, output := tr.runWith(t, bindSteps); passed || !strings.Contains(output, "the world is wrong") {
		t.Errorf("passed: got %t, want a failure\n%s", passed, output)
	}
}

func (tr trial) run(t *testing.T) (passed bool, output string) {
	t.Helper()
	return tr.runWith(t, func(sc *godog.ScenarioContext) {
		bind(sc)
		if tr.hooks != nil {
			tr.hooks(sc)
		}
	})
}

func (tr trial) runWith(t *testing.T, initializer func(*godog.ScenarioContext)) (passed bool, output string) {
	t.Helper()
	var out bytes.Buffer
	suite := godog.TestSuite{ScenarioInitializer: initializer, Options: &godog.Options{
		Strict: true, Format: "progress", NoColors: true, Output: &out, FeatureContents: []godog.Feature{tr.feature("trial.feature")},
	}}
	return suite.Run() == 0, out.String()
}

func (tr trial) feature(name string) godog.Feature {
	var b strings.Builder
	fmt.Fprintf(&b, "Feature: trial\n\n  %s\n  Scenario: %s\n", tr.tags, tr.name)
	for step := range strings.SplitSeq(tr.steps, ";") {
		fmt.Fprintf(&b, "    %s\n", strings.TrimSpace(step))
	}
	return godog.Feature{Name: name, Contents: []byte(b.String())}
}

// bind adds the hooks and the steps of the trials.
func bind(sc *godog.ScenarioContext) {
	tdd.Hooks(sc)
	bindSteps(sc)
}

func bindSteps(sc *godog.ScenarioContext) {
	wrong := func() error { return tdd.Failf("the world is %s", "wrong") }
	sc.Given(`^a world$`, func() {})
	sc.Given(`^a broken world$`, func() error { return errOther })
	sc.Given(`^a wrong world$`, wrong)
	sc.Given(`^a panicking world$`, func() { panic("out of the world") })
	sc.Given(`^no world$`, func() error { return godog.ErrSkip })
	sc.Given(`^a world that ends$`, func(ctx context.Context) context.Context {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return ctx
	})
	for text, assert := range map[string]func(context.Context) error{
		"holds":                func(context.Context) error { return nil },
		"fails":                func(context.Context) error { return wrong() },
		"fails wrapped":        func(context.Context) error { return fmt.Errorf("now: %w", wrong()) },
		"fails and breaks":     func(context.Context) error { return errors.Join(wrong(), errOther) },
		"breaks":               func(context.Context) error { return errOther },
		"panics":               func(context.Context) error { panic("out of the world") },
		"is pending":           func(context.Context) error { return godog.ErrPending },
		"is this or .*":        func(context.Context) error { return wrong() },
		"is .* or that":        func(context.Context) error { return wrong() },
		"times out":            timeOut,
		"fails through T":      func(ctx context.Context) error { godog.T(ctx).Errorf("told to T"); return nil },
		"fails also through T": func(ctx context.Context) error { godog.T(ctx).Errorf("told to T"); return wrong() },
	} {
		tdd.Then(sc, "^it "+text+"$", assert)
	}
}

// timeOut waits for a deadline that has already passed.
func timeOut(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 0)
	defer cancel()
	<-ctx.Done()
	return fmt.Errorf("no verdict: %w", ctx.Err())
}

func breakBefore(sc *godog.ScenarioContext) {
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) { return ctx, errOther })
}

func failBefore(sc *godog.ScenarioContext) {
	sc.Before(func(ctx context.Context, _ *godog.Scenario) (context.Context, error) {
		return ctx, tdd.Failf("the world is wrong")
	})
}

func breakBeforeStep(sc *godog.ScenarioContext) {
	sc.StepContext().Before(func(ctx context.Context, _ *godog.Step) (context.Context, error) { return ctx, errOther })
}

func breakAfterStep(sc *godog.ScenarioContext) {
	sc.StepContext().After(func(ctx context.Context, _ *godog.Step, _ godog.StepResultStatus, _ error) (context.Context, error) {
		return ctx, errOther
	})
}

func breakAfter(sc *godog.ScenarioContext) {
	sc.After(func(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) { return ctx, errOther })
}
