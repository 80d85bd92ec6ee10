package tdd_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/jacquard-go/jacquard/steps/tdd"
)

func ExampleRead() {
	fmt.Println(tdd.Read([]string{"@slow", "@tdd_issue", "@tdd_issue_7120", "@tdd_expected_fail"}))
	fmt.Println(tdd.Read([]string{"@tdd_issue_7120"}))
	// Output:
	// {true 7120 true} <nil>
	// {false 0 false} bad tags: @tdd_issue_7120 without @tdd_issue
}

func TestRead(t *testing.T) {
	for tags, want := range map[string]tdd.Tags{
		"":                                     {},
		"@slow @TDD @tdd":                      {},
		"@tdd_issue":                           {Capture: true},
		"@tdd_issue @tdd_issue_12":             {Capture: true, Issue: 12},
		"@tdd_issue_12 @tdd_issue":             {Capture: true, Issue: 12},
		"@tdd_issue @tdd_issue":                {Capture: true},
		"@tdd_issue_5 @tdd_issue_5 @tdd_issue": {Capture: true, Issue: 5},
		"@tdd_expected_fail @tdd_issue_12 @tdd_issue ": {Capture: true, Issue: 12, ExpectedFail: true},
	} {
		got, err := tdd.Read(strings.Fields(tags))
		if err != nil || got != want {
			t.Errorf("read %q: got %+v, %v, want %+v", tags, got, err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for tags, want := range map[string]string{
		"@tdd_issue_12":                               "@tdd_issue_12 without @tdd_issue",
		"@tdd_expected_fail":                          "@tdd_expected_fail without both @tdd_issue and @tdd_issue_N",
		"@tdd_expected_fail @tdd_issue":               "@tdd_expected_fail without both",
		"@tdd_expected_fail @tdd_issue_12":            "@tdd_expected_fail without both",
		"@tdd_issue @tdd_issue_":                      "got @tdd_issue_, want the number",
		"@tdd_issue @tdd_issue_twelve":                "got @tdd_issue_twelve, want the number",
		"@tdd_issue @tdd_issue_-12":                   "got @tdd_issue_-12, want the number",
		"@tdd_issue @tdd_issue_+12":                   "got @tdd_issue_+12, want the number",
		"@tdd_issue @tdd_issue_0":                     "got @tdd_issue_0, want the number",
		"@tdd_issue @tdd_issue_012":                   "got @tdd_issue_012, want the number",
		"@tdd_issue @tdd_issue_99999999999999999999":  "want the number",
		"@tdd_issue @tdd_issue_12 @tdd_issue_13":      "got @tdd_issue_12 and @tdd_issue_13, want one report",
		"@tdd_issue @tdd_issue_12 @tdd_expected_fial": "got @tdd_expected_fial, want @tdd_issue, @tdd_issue_N or @tdd_expected_fail",
	} {
		got, err := tdd.Read(strings.Fields(tags))
		if !errors.Is(err, tdd.ErrTags) || !strings.Contains(err.Error(), want) || got != (tdd.Tags{}) {
			t.Errorf("read %q: got %+v, %v, want an error with %q", tags, got, err, want)
		}
	}
}

func TestCheckNamesEveryWrongScenario(t *testing.T) {
	scenarios := []*godog.Scenario{
		scenario("right", "@tdd_issue", "@tdd_issue_12"),
		scenario("none"),
		scenario("lonely", "@tdd_issue_12"),
		scenario("capture of nothing known", "@tdd_issue"),
		scenario("other report", "@tdd_issue", "@tdd_issue_13"),
	}
	other := errors.New("no such report")
	var asked []string
	match := func(s *godog.Scenario, issue int) error {
		asked = append(asked, fmt.Sprint(s.Name, issue))
		if issue != 12 {
			return other
		}
		return nil
	}
	err := tdd.Check(scenarios, match)
	if !errors.Is(err, tdd.ErrTags) || !errors.Is(err, other) {
		t.Fatalf("got %v, want both kinds of error", err)
	}
	const want = `a.feature: "lonely": bad tags: @tdd_issue_12 without @tdd_issue` + "\n" + `a.feature: "other report": no such report`
	if err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if got := strings.Join(asked, ", "); got != "right12, other report13" {
		t.Errorf("asked about %q", got)
	}
	if err := tdd.Check(scenarios[:2], match); err != nil {
		t.Errorf("got %v, want no error", err)
	}
}

func scenario(name string, tags ...string) *godog.Scenario {
	s := &godog.Scenario{Name: name, Uri: "a.feature"}
	for _, tag := range tags {
		s.Tags = append(s.Tags, &messages.PickleTag{Name: tag})
	}
	return s
}
