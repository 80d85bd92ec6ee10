package tdd

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

// The tags. issuePrefix is followed by the report's number.
const (
	captureTag  = "@tdd_issue"
	issuePrefix = "@tdd_issue_"
	failTag     = "@tdd_expected_fail"
	family      = "@tdd_" // the prefix of all of them
)

// ErrTags is wrapped by every error about a scenario's tags.
var ErrTags = errors.New("bad tags")

// Tags is what a scenario's tags say. The zero value is a scenario that
// captures nothing.
type Tags struct {
	Capture      bool // it shows a reported bug
	Issue        int  // the report's number; 0 if the tags do not say
	ExpectedFail bool // the bug is still there
}

// Read reads the tags of one scenario, those of its feature and its examples
// included, and ignores those of other families. The error wraps [ErrTags].
func Read(names []string) (Tags, error) {
	var t Tags
	for _, name := range names {
		number, numbered := strings.CutPrefix(name, issuePrefix)
		switch {
		case name == captureTag:
			t.Capture = true
		case name == failTag:
			t.ExpectedFail = true
		case numbered:
			issue, err := parseIssue(name, number)
			if err != nil {
				return Tags{}, err
			}
			if t.Issue != 0 && t.Issue != issue {
				return Tags{}, fmt.Errorf("%w: got %s%d and %s, want one report", ErrTags, issuePrefix, t.Issue, name)
			}
			t.Issue = issue
		case strings.HasPrefix(name, family):
			return Tags{}, fmt.Errorf("%w: got %s, want %s, %sN or %s", ErrTags, name, captureTag, issuePrefix, failTag)
		}
	}
	if err := t.check(); err != nil {
		return Tags{}, err
	}
	return t, nil
}

func parseIssue(name, number string) (int, error) {
	issue, err := strconv.Atoi(number)
	if err != nil || issue < 1 || strconv.Itoa(issue) != number {
		return 0, fmt.Errorf("%w: got %s, want the number of a report after %s", ErrTags, name, issuePrefix)
	}
	return issue, nil
}

// check refuses tags that do not go together.
func (t Tags) check() error {
	switch {
	case t.ExpectedFail && (!t.Capture || t.Issue == 0):
		return fmt.Errorf("%w: %s without both %s and %sN", ErrTags, failTag, captureTag, issuePrefix)
	case t.Issue != 0 && !t.Capture:
		return fmt.Errorf("%w: %s%d without %s", ErrTags, issuePrefix, t.Issue, captureTag)
	}
	return nil
}

// Check reads the tags of all scenarios, and calls match to check the report number of each
// capture. Call it before a suite is run. The error names every wrong scenario, and wraps [ErrTags]
// or what match returned.
func Check(scenarios []*godog.Scenario, match func(s *godog.Scenario, issue int) error) error {
	var wrong []error
	for _, s := range scenarios {
		t, err := Read(names(s))
		if err == nil && t.Issue != 0 {
			err = match(s, t.Issue)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %q: %w", s.Uri, s.Name, err))
		}
	}
	return errors.Join(wrong...)
}

func names(s *godog.Scenario) []string {
	list := make([]string, len(s.Tags))
	for i, t := range s.Tags {
		list[i] = t.Name
	}
	return list
}
