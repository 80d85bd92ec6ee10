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

// A package gets a share by how many of its tests are to be run, and what those before it
// have left. What a change touches is run first, and has four times its share.
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

// A test whose first schedule is long leaves most of the time to the others, so that several
// of them do: and in a short time it may take half of that.
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
