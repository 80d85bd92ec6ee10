package suite_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A package's share depends on the number of its tests to run, and on what earlier packages
// have left. Packages that a change touches run first, with four times their share.
func TestShares(t *testing.T) {
	tests := map[string]int{"a": 18, "b": 3, "c": 3, "none": 0}
	for _, c := range []struct {
		cfg  suite.Config
		want string
	}{
		{suite.Config{Total: 30 * time.Second}, "none 1ms, b 5s, c 5.5s, a 24.75s"},
		{suite.Config{Total: 30 * time.Second, Run: "^Test/x"}, "none 1ms, b 4.444s, c 4.831s, a 25.363s"},
		{suite.Config{Total: 30 * time.Second, Run: "^Example"}, "none 1ms, a 10s, b 12.5s, c 18.75s"},
		{suite.Config{Total: 45 * time.Second, First: []string{"a", "x"}}, "a 40s, none 1ms, b 12.5s, c 18.75s"},
		{suite.Config{Budget: time.Second, First: []string{"c"}}, "c 1s, a 1s, b 1s, none 1s"},
	} {
		if got := strings.Join(suite.Shares(t, c.cfg, tests), ", "); got != c.want {
			t.Errorf("%v, -run %q, first %v: got %s, want %s", c.cfg.Total, c.cfg.Run, c.cfg.First, got, c.want)
		}
	}
}

// A test whose first schedule is long leaves most of the time to the others, as several such
// tests must. If there is little time, it may take half of it.
func TestFirstTime(t *testing.T) {
	for left, want := range map[time.Duration]time.Duration{
		6 * time.Second: 3 * time.Second, 10 * time.Second: 5 * time.Second,
		40 * time.Second: 5 * time.Second, 4 * time.Minute: 30 * time.Second,
	} {
		if got := protocol.FirstTime(left); got != want {
			t.Errorf("of %v: got %v, want %v", left, got, want)
		}
	}
}

// The reason why a search did not complete is what ended it, whatever the clock says.
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

// If a failure was not reduced because another failure was enough, the report says so, and
// not that the budget was over.
func TestFoundBesideAnother(t *testing.T) {
	got := runs(t, suite.Config{Workers: 1, FailFast: true, Schedules: 200}, "TestReduces", "TestRacy")
	if want := "another test had failed before it was reduced"; got.ok || !strings.Contains(got.out, want) {
		t.Errorf("got %s\nwant %q", got.out, want)
	}
}

// A test that is exhausted needs no more time, whatever else it would have run.
func TestExhaustedNeedsNoTime(t *testing.T) {
	got := runs(t, suite.Config{Verbose: true, Budget: 5 * time.Second, Schedules: 1 << 40}, "TestExhausts")
	if !got.ok || !strings.Contains(got.out, "; exhausted\n") || strings.Contains(got.out, "no time") {
		t.Errorf("got %s\nwant it to be exhausted, and no advice about more time", got.out)
	}
}
