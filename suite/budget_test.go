package suite_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite"
)

// What a change touches is run first, and has four times the share of others.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		cfg  suite.Config
		want string
	}{
		{suite.Config{Total: 8 * time.Second}, "a 2s, none 2.333s, b 2.333s, c 2.917s, d 4.375s"},
		{suite.Config{Total: 8 * time.Second, First: []string{"c", "x", "b"}}, "c 3.2s, b 4.267s, a 2.133s, none 3.2s, d 3.2s"},
		{suite.Config{Budget: time.Second, First: []string{"d"}}, "d 1s, a 1s, none 1s, b 1s, c 1s"},
	} {
		if got := strings.Join(suite.Shares(c.cfg, "a", "none", "b", "c", "d"), ", "); got != c.want {
			t.Errorf("%v, first %v: got %s, want %s", c.cfg.Total, c.cfg.First, got, c.want)
		}
	}
}

// Why a search came to no end is what ended it, whatever the clock says.
func TestWhyEarly(t *testing.T) {
	for _, c := range []struct {
		cause error
		want  string
	}{
		{suite.ErrBudget, "the budget was over"},
		{suite.ErrTimeout, "the time of the package was over"},
		{suite.ErrFailed, "another test had failed"},
		{context.Canceled, "interrupted"},
		{errors.New("a signal"), "interrupted"},
	} {
		if got := suite.WhyEarly(c.cause); got != c.want {
			t.Errorf("%v: got %q, want %q", c.cause, got, c.want)
		}
	}
}

// A test that has failed, and was not reduced for another one was enough, says so: the budget
// was not over.
func TestFoundBesideAnother(t *testing.T) {
	got := runs(t, suite.Config{Workers: 1, FailFast: true, Schedules: 200}, "TestReduces", "TestRacy")
	if want := "another test had failed before it was reduced"; got.ok || !strings.Contains(got.out, want) {
		t.Errorf("got %s\nwant %q", got.out, want)
	}
}
