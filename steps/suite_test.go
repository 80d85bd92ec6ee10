package steps_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
	"github.com/jacquard-go/jacquard/steps"
	"github.com/jacquard-go/jacquard/steps/tdd"
)

const removeTag = "remove @tdd_expected_fail from"

// features is a folder with one feature of one scenario.
func features(tags string, lines ...string) fstest.MapFS {
	text := "Feature: trial\n" + tags + "\nScenario: trial\n" + strings.Join(lines, "\n") + "\n"
	return fstest.MapFS{"features/trial.feature": {Data: []byte(text)}}
}

// The steps of R1, as reported.
const (
	given = "Given an engine cache, as reported"
	when  = "When a unit of work and the migration runner ask for the same in-memory database, in many orders"
	then  = "Then both hold the same engine, and the schema made through one is visible through the other"
)

func ExampleSuite() {
	_, err := steps.Suite(steps.Config{
		Features: features("@tdd_issue @tdd_issue_7120", given, when, then),
		Explore:  steps.Explore,
	})
	fmt.Println(err)
	// Output: features/trial.feature: "trial": bad tags: got report 7120, want 3950
}

// run runs features with an explorer and says how that ended.
func run(t *testing.T, c steps.Config) (passed bool, output string) {
	t.Helper()
	var out bytes.Buffer
	c.Output = &out
	suite, err := steps.Suite(c)
	if err != nil {
		t.Fatal(err)
	}
	suite.Options.DefaultContext = t.Context()
	return suite.Run() == 0, out.String()
}

// verdicts is an explorer that finds what is wanted in every cell but one.
func verdicts(wrong string) steps.ExploreFunc {
	return func(_ context.Context, id string) (steps.Outcome, error) {
		s, err := explored.Find(id)
		if err != nil {
			return steps.Outcome{}, err
		}
		if (s.Want == races.Violated) != (id == wrong) {
			return steps.Outcome{Verdict: "violated", Kind: "check", Message: id + " is wrong"}, nil
		}
		return steps.Outcome{Verdict: "holds"}, nil
	}
}

// TestWrongCellFails: the features pass if every cell is what it must be, and
// fail if any one is not.
func TestWrongCellFails(t *testing.T) {
	cells := tally{explore: verdicts("")}
	if passed, output := run(t, steps.Config{Features: os.DirFS(".."), Explore: cells.Explore}); !passed {
		t.Errorf("every cell is right, and the features fail:\n%s", output)
	}
	cells.check(t)
	for _, cell := range explored.Cells() {
		passed, output := run(t, steps.Config{Features: os.DirFS(".."), Explore: verdicts(cell.ID)})
		count := fmt.Sprintf("%d scenarios (%d passed, 1 failed)", len(explored.Cells()), len(explored.Cells())-1)
		want := cell.ID + " is wrong"
		if cell.Want == races.Violated {
			want = removeTag
		}
		if passed || !strings.Contains(output, want) || !strings.Contains(output, count) {
			t.Errorf("%s is wrong: passed %t, want one failure with %q\n%s", cell.ID, passed, want, output)
		}
	}
}

// TestNothingElseIsInverted: a race that is expected is not met by whatever
// else goes wrong.
func TestNothingElseIsInverted(t *testing.T) {
	for name, test := range map[string]struct {
		explore steps.ExploreFunc
		want    string
	}{
		"unknown":       {always(steps.Outcome{Verdict: "unknown", Summary: "set-up: no disk"}), "nothing can be concluded (unknown): set-up: no disk"},
		"no verdict":    {always(steps.Outcome{}), "nothing can be concluded"},
		"other verdict": {always(steps.Outcome{Verdict: "fine"}), "nothing can be concluded (fine)"},
		"deadlock":      {always(steps.Outcome{Verdict: "violated", Kind: "deadlock", Message: "all wait"}), "violated by a deadlock, which is not what the report tells: all wait"},
		"error":         {failing(errors.New("no disk")), "explore R1/reported: no disk"},
		"panic":         {func(context.Context, string) (steps.Outcome, error) { panic("no disk") }, "no disk"},
		"time-out":      {hang, "explore R1/reported: no verdict within 1ms: context deadline exceeded"},
		"too late":      {late, "explore R1/reported: no verdict within 1ms: context deadline exceeded"},
		"holds":         {always(steps.Outcome{Verdict: "holds"}), removeTag + ` "trial" in features/trial.feature: the race no longer happens`},
	} {
		t.Run(name, func(t *testing.T) {
			passed, output := run(t, steps.Config{
				Features: features("@tdd_issue @tdd_issue_3950 @tdd_expected_fail", given, when, then), Explore: test.explore, Limit: time.Millisecond,
			})
			if passed || !strings.Contains(output, test.want) {
				t.Errorf("passed: got %t, want a failure with %q\n%s", passed, test.want, output)
			}
			if name != "holds" && strings.Contains(output, removeTag) {
				t.Errorf("told to remove the tag:\n%s", output)
			}
		})
	}
}

func hang(ctx context.Context, _ string) (steps.Outcome, error) {
	<-ctx.Done()
	return steps.Outcome{}, errors.New("killed")
}

// late has a verdict when nobody waits for it any more.
func late(ctx context.Context, id string) (steps.Outcome, error) {
	<-ctx.Done()
	return verdicts("")(ctx, id)
}

// TestCrashesAreAssertions: a body that crashes has failed.
func TestCrashesAreAssertions(t *testing.T) {
	for _, kind := range []string{"check", "panic", "fatal"} {
		passed, output := run(t, steps.Config{
			Features: features("@tdd_issue @tdd_issue_3950 @tdd_expected_fail", given, when, then),
			Explore:  always(steps.Outcome{Verdict: "violated", Kind: kind}),
		})
		if !passed {
			t.Errorf("a %s is not inverted:\n%s", kind, output)
		}
	}
}

// TestNonsense: steps that do not go together are no failed assertion, and
// explore nothing.
func TestNonsense(t *testing.T) {
	for name, test := range map[string]struct {
		steps []string
		want  string
	}{
		"unknown column":    {[]string{"Given an engine cache, as imagined", then}, `an engine cache, got "as imagined", want as reported, as suggested or ours`},
		"other scene":       {[]string{"Given a plan service that keeps everything in memory, ours", when, then}, `R1 needs an engine cache, got "a plan service that keeps everything in memory"`},
		"no scene":          {[]string{when, then}, "R1 needs an engine cache"},
		"two scenes":        {[]string{given, "And an engine cache, ours", when, then}, "an engine cache, and before that an engine cache"},
		"nothing explored":  {[]string{given, then}, "to judge R1 it must have been explored"},
		"unknown step":      {[]string{given, when + " at least", then}, "undefined"},
		"an act as a scene": {[]string{strings.Replace(when, "When", "Given", 1), then}, "undefined"},
	} {
		t.Run(name, func(t *testing.T) {
			passed, output := run(t, steps.Config{
				Features: features("@tdd_issue @tdd_issue_3950 @tdd_expected_fail", test.steps...), Explore: unwanted(t),
			})
			if passed || !strings.Contains(output, test.want) {
				t.Errorf("passed: got %t, want a failure with %q\n%s", passed, test.want, output)
			}
		})
	}
}

// TestBadTags: they are reported before anything runs, in scenarios that were
// not selected too.
func TestBadTags(t *testing.T) {
	other := []string{"Given nobody"}
	for tags, test := range map[string]struct {
		steps []string
		want  string
	}{
		"@tdd_issue_3950":                               {nil, "@tdd_issue_3950 without @tdd_issue"},
		"@tdd_issue @tdd_expected_fail":                 {nil, "@tdd_expected_fail without both"},
		"@tdd_issue @tdd_issue_R1":                      {nil, "got @tdd_issue_R1, want the number"},
		"@tdd_issue @tdd_issue_7424 @tdd_expected_fail": {nil, "got report 7424, want 3950"},
		"@tdd_issue @tdd_issue_12":                      {other, "got report 12, want 3950 or 1281 or 7120 or 7424"},
	} {
		if test.steps == nil {
			test.steps = []string{given, when, then}
		}
		_, err := steps.Suite(steps.Config{Features: features(tags, test.steps...), Explore: unwanted(t), Tags: "@other"})
		if !errors.Is(err, tdd.ErrTags) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", tags, err, test.want)
		}
	}
	if _, err := steps.Suite(steps.Config{Features: features("@tdd_issue @tdd_issue_7424", other...), Explore: unwanted(t)}); err != nil {
		t.Errorf("got %v, want no error for a scenario that tells no documented race", err)
	}
}

func TestConfig(t *testing.T) {
	fine := features("@other", given, when, then)
	for name, test := range map[string]struct {
		config steps.Config
		is     error
		want   string
	}{
		"no features":     {steps.Config{Explore: hang}, steps.ErrConfig, "Features and Explore are required"},
		"no explorer":     {steps.Config{Features: fine}, steps.ErrConfig, "Features and Explore are required"},
		"negative limit":  {steps.Config{Features: fine, Explore: hang, Limit: -1}, steps.ErrConfig, "got Limit -1ns"},
		"negative number": {steps.Config{Features: fine, Explore: hang, Concurrency: -2}, steps.ErrConfig, "Concurrency -2"},
		"nothing left":    {steps.Config{Features: fine, Explore: hang, Tags: "@slow"}, steps.ErrConfig, `tags "@slow" select none of 1 scenarios`},
		"no folder":       {steps.Config{Features: fstest.MapFS{}, Explore: hang}, nil, `feature path "features" is not available`},
		"no Gherkin":      {steps.Config{Features: fstest.MapFS{"features/a.feature": {Data: []byte("func main()")}}, Explore: hang}, nil, "features/a.feature - Parser errors"},
	} {
		_, err := steps.Suite(test.config)
		if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, test.want)
		}
	}
}

// TestConcurrency: as many scenarios as processors, but for the pretty format.
func TestConcurrency(t *testing.T) {
	fine := features("@other", given, when, then)
	for format, want := range map[string]int{"": runtime.NumCPU(), "progress": runtime.NumCPU(), "pretty": 1, "junit:a.xml,pretty": 1} {
		suite, err := steps.Suite(steps.Config{Features: fine, Explore: hang, Format: format})
		if err != nil {
			t.Fatal(err)
		}
		if got := suite.Options.Concurrency; got != want || !suite.Options.Strict {
			t.Errorf("format %q: got concurrency %d, strict %t, want %d, true", format, got, suite.Options.Strict, want)
		}
	}
}
