package steps_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cucumber/godog"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
	"github.com/jacquard-go/jacquard/steps"
	"github.com/jacquard-go/jacquard/steps/tdd"
)

const removeTag = "remove @tdd_expected_fail from"

// features returns a folder with one feature that has one scenario.
func features(tags string, lines ...string) fstest.MapFS {
	text := "Feature: trial\n" + tags + "\nScenario: trial\n" + strings.Join(lines, "\n") + "\n"
	return fstest.MapFS{"features/trial.feature": {Data: []byte(text)}}
}

// The steps of R1 as reported.
const (
	given = "Given an engine cache, as reported"
	when  = "When two callers ask for the engine"
	then  = "Then everybody holds the same engine"
)

func ExampleSuite() {
	_, err := steps.Suite(steps.Config{
		Features: features("@R1 @tdd_issue @tdd_issue_7120", given, when, then),
		Run:      steps.Run,
	})
	fmt.Println(err)
	// Output: features/trial.feature: "trial": bad tags: got report 7120, want 3950
}

// run runs features with a RunFunc and returns whether they passed, and the output.
func run(t *testing.T, c steps.Config) (passed bool, output string) {
	t.Helper()
	var out bytes.Buffer
	c.Options.Output = &out
	suite, err := steps.Suite(c)
	if err != nil {
		t.Fatal(err)
	}
	suite.Options.DefaultContext = t.Context()
	return suite.Run() == 0, out.String()
}

// TestCatalogueIsTold: every cell of the catalogue has a scenario tagged with its race. The
// scenario is expected to fail exactly if the cell is violated.
func TestCatalogueIsTold(t *testing.T) {
	suite, err := steps.Suite(steps.Config{Features: os.DirFS(".."), Run: unwanted(t)})
	if err != nil {
		t.Fatal(err)
	}
	all, err := suite.RetrieveFeatures()
	if err != nil {
		t.Fatal(err)
	}
	told := make(map[string]races.Want)
	for _, f := range all {
		for _, s := range f.Pickles {
			var tags []string
			for _, tag := range s.Tags {
				tags = append(tags, tag.Name)
			}
			if len(tags) == 0 || !strings.HasPrefix(tags[0], "@R") && !strings.HasPrefix(tags[0], "@N") {
				continue
			}
			want := races.Holds
			if slices.Contains(tags, "@tdd_expected_fail") {
				want = races.Violated
			}
			_, version, column := strings.Cut(s.Steps[0].Text, ", ")
			if !column {
				continue // a further scenario of this race, of our implementation only
			}
			told[tags[0][1:]+"/"+strings.TrimPrefix(version, "as ")] = want
		}
	}
	for _, cell := range explored.Cells() {
		if told[cell.ID] != cell.Want {
			t.Errorf("%s: got a scenario that wants %q, want %q", cell.ID, told[cell.ID], cell.Want)
		}
	}
	if got, want := len(told), len(explored.Cells()); got != want {
		t.Errorf("got scenarios of %d cells, want %d: %v", got, want, told)
	}
}

// TestNothingElseIsInverted: only the expected race passes a scenario that is expected to
// fail, and no other failure does.
func TestNothingElseIsInverted(t *testing.T) {
	for name, test := range map[string]struct {
		explore steps.RunFunc
		want    string
	}{
		"unknown":       {always(steps.Outcome{Verdict: "unknown", Summary: "set-up: no disk"}), "nothing can be concluded (unknown): set-up: no disk"},
		"no verdict":    {always(steps.Outcome{}), "nothing can be concluded"},
		"other verdict": {always(steps.Outcome{Verdict: "fine"}), "nothing can be concluded (fine)"},
		"deadlock":      {always(steps.Outcome{Verdict: "violated", Kind: "deadlock", Message: "all wait"}), "violated by a deadlock, which is not what the step is about: all wait"},
		"error":         {failing(errors.New("no disk")), "no disk"},
		"panic":         {func(context.Context, steps.Script) (steps.Outcome, error) { panic("no disk") }, "no disk"},
		"holds":         {always(steps.Outcome{Verdict: "holds"}), removeTag + ` "trial" in features/trial.feature: the race no longer happens`},
	} {
		t.Run(name, func(t *testing.T) {
			passed, output := run(t, steps.Config{
				Features: features("@R1 @tdd_issue @tdd_issue_3950 @tdd_expected_fail", given, when, then), Run: test.explore,
			})
			if passed || !strings.Contains(output, test.want) {
				t.Errorf("passed: got %t, want a failure with %q\n%s", passed, test.want, output)
			}
			if name != "holds" && strings.Contains(output, removeTag) {
				t.Errorf("got advice to remove the tag, want none:\n%s", output)
			}
		})
	}
}

// TestCrashesAreAssertions: a crash of the body counts as a failed assertion.
func TestCrashesAreAssertions(t *testing.T) {
	for _, kind := range []string{"check", "panic", "fatal"} {
		passed, output := run(t, steps.Config{
			Features: features("@R1 @tdd_issue @tdd_issue_3950 @tdd_expected_fail", given, when, then),
			Run:      always(steps.Outcome{Verdict: "violated", Kind: kind}),
		})
		if !passed {
			t.Errorf("%s: got a failure, want it inverted:\n%s", kind, output)
		}
	}
}

// TestSeveralThens: only the step that the violation names fails.
func TestSeveralThens(t *testing.T) {
	one := "And one engine was made"
	for message, failed := range map[string]string{"one engine was made: got 2": "one engine was made", "a panic": "everybody holds the same engine"} {
		passed, output := run(t, steps.Config{
			Features: features("@other", given, when, then, one), Run: always(steps.Outcome{Verdict: "violated", Kind: "check", Message: message}),
		})
		if want := "Scenario: trial"; passed || !strings.Contains(output, want) || !strings.Contains(output, failed) || strings.Count(output, "Error: "+message) != 1 {
			t.Errorf("%s: passed %t, want one failure, of %q\n%s", message, passed, failed, output)
		}
		passed, output = run(t, steps.Config{
			Features: features("@R1 @tdd_issue @tdd_issue_3950 @tdd_expected_fail", given, when, then, one),
			Run:      always(steps.Outcome{Verdict: "violated", Kind: "check", Message: message}),
		})
		if !passed {
			t.Errorf("%s: got a failure, want it inverted:\n%s", message, output)
		}
	}
}

// TestNonsense: a scenario whose steps do not fit together is an error and no failed
// assertion. Nothing runs, and the error lists the steps that fit.
func TestNonsense(t *testing.T) {
	for name, test := range map[string]struct {
		steps []string
		want  string
	}{
		"unknown column":   {[]string{"Given an engine cache, as imagined", when, then}, "Given an engine cache, as reported"},
		"no scene":         {[]string{when, then}, "nobody is there; there are"},
		"two scenes":       {[]string{given, "And a cache", when, then}, "got a cache, and before that an engine cache"},
		"nothing happens":  {[]string{given, then}, "nothing happens; there are"},
		"nothing holds":    {[]string{given, when}, "nothing must hold; there are"},
		"unknown step":     {[]string{given, when, "Then all is well"}, "Then exactly one succeeds"},
		"unknown call":     {[]string{given, "When two callers ask for the engine and another sings", then}, `there is no call "sings"; there are`},
		"unknown table":    {[]string{"Given these plans:", "| plan |", "| warp |", when, then}, `got a table of 2 rows with the head "plan", want "name | at"`},
		"unknown position": {[]string{"Given a plan at sea/complete", when, then}, "want it at one of strategize/queued, "},
		"killed threads":   {[]string{given, "When two callers ask for the engine, and one of them is killed", then}, "who is killed has a process of its own"},
		"unknown ending":   {[]string{given, "When two callers ask for the engine slowly", then}, "want nothing, and then …"},
	} {
		t.Run(name, func(t *testing.T) {
			passed, output := run(t, steps.Config{
				Features: features("@R1 @tdd_issue @tdd_issue_3950 @tdd_expected_fail", test.steps...), Run: unwanted(t),
			})
			if passed || !strings.Contains(output, test.want) {
				t.Errorf("passed: got %t, want a failure with %q\n%s", passed, test.want, output)
			}
		})
	}
}

// TestFormats: JUnit and Cucumber output marks the scenarios that are expected to fail.
func TestFormats(t *testing.T) {
	for _, format := range []string{"junit", "cucumber"} {
		for tags, want := range map[string]bool{"@R1 @tdd_issue @tdd_issue_3950 @tdd_expected_fail": true, "@R1 @tdd_issue @tdd_issue_3950": false} {
			outcome := steps.Outcome{Verdict: "holds"}
			if want {
				outcome = steps.Outcome{Verdict: "violated", Kind: "check"}
			}
			passed, output := run(t, steps.Config{
				Features: features(tags, given, when, then), Run: always(outcome), Options: godog.Options{Format: format},
			})
			if got := strings.Contains(output, `trial (expected to fail)"`); got != want || !passed {
				t.Errorf("%s of %s: got marked %t, passed %t, want %t, true\n%s", format, tags, got, passed, want, output)
			}
		}
	}
}

// TestBadTags: bad tags are reported before anything runs, even in scenarios that are not
// selected.
func TestBadTags(t *testing.T) {
	other := []string{"Given nobody"}
	for tags, test := range map[string]struct {
		steps []string
		want  string
	}{
		"@R1 @tdd_issue_3950":                               {nil, "@tdd_issue_3950 without @tdd_issue"},
		"@R1 @tdd_issue @tdd_expected_fail":                 {nil, "@tdd_expected_fail without both"},
		"@R1 @tdd_issue @tdd_issue_R1":                      {nil, "got @tdd_issue_R1, want the number"},
		"@R1 @tdd_issue @tdd_issue_7424 @tdd_expected_fail": {nil, "got report 7424, want 3950"},
		"@tdd_issue @tdd_issue_12":                          {other, "got report 12, want 3950 or 1281 or 7120 or 7424"},
	} {
		if test.steps == nil {
			test.steps = []string{given, when, then}
		}
		_, err := steps.Suite(steps.Config{Features: features(tags, test.steps...), Run: unwanted(t), Options: godog.Options{Tags: "@other"}})
		if !errors.Is(err, tdd.ErrTags) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", tags, err, test.want)
		}
	}
	if _, err := steps.Suite(steps.Config{Features: features("@tdd_issue @tdd_issue_7424", other...), Run: unwanted(t)}); err != nil {
		t.Errorf("got %v, want no error for a scenario without a documented race", err)
	}
}

func TestConfig(t *testing.T) {
	fine := features("@other", given, when, then)
	for name, test := range map[string]struct {
		config steps.Config
		is     error
		want   string
	}{
		"no features":        {steps.Config{Run: unwanted(t)}, steps.ErrConfig, "Features and Run are required"},
		"nobody to run":      {steps.Config{Features: fine}, steps.ErrConfig, "Features and Run are required"},
		"negative schedules": {steps.Config{Features: fine, Run: unwanted(t), Schedules: -1}, steps.ErrConfig, "got Schedules -1"},
		"negative number":    {steps.Config{Features: fine, Run: unwanted(t), Options: godog.Options{Concurrency: -2}}, steps.ErrConfig, "Concurrency -2"},
		"nothing left":       {steps.Config{Features: fine, Run: unwanted(t), Options: godog.Options{Tags: "@slow"}}, steps.ErrConfig, `tags "@slow" select none of 1 scenarios`},
		"no folder":          {steps.Config{Features: fstest.MapFS{}, Run: unwanted(t)}, nil, `feature path "features" is not available`},
		"no Gherkin":         {steps.Config{Features: fstest.MapFS{"features/a.feature": {Data: []byte("func main()")}}, Run: unwanted(t)}, nil, "features/a.feature - Parser errors"},
	} {
		_, err := steps.Suite(test.config)
		if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, test.want)
		}
	}
}

// TestConcurrency: as many scenarios run at once as there are processors, or one in pretty.
func TestConcurrency(t *testing.T) {
	fine := features("@other", given, when, then)
	for format, want := range map[string]int{"": runtime.NumCPU(), "progress": runtime.NumCPU(), "pretty": 1, "junit:a.xml,pretty": 1} {
		suite, err := steps.Suite(steps.Config{Features: fine, Run: unwanted(t), Options: godog.Options{Format: format}})
		if err != nil {
			t.Fatal(err)
		}
		if got := suite.Options.Concurrency; got != want || !suite.Options.Strict {
			t.Errorf("format %q: got concurrency %d, strict %t, want %d, true", format, got, suite.Options.Strict, want)
		}
	}
}
