package explored

import (
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/command/commandtest"
)

func TestCommand(t *testing.T) {
	got := commandtest.Execute(t, Command(), "-schedules", "9", "G1b", "M1")
	if lines := strings.Count(got.Out, "holds         9 schedules"); got.Code != command.ExitOK || lines != 2 {
		t.Errorf("got code %d\n%s%s\nwant two lines of rows that hold", got.Code, got.Out, got.Errs)
	}
}

// TestCommandFails: a row without the verdict that it must have makes the command fail, which shows why.
func TestCommandFails(t *testing.T) {
	var out strings.Builder
	o := order{}
	v := verdict{Verdict: "violated", Summary: "schedule 3", Execution: "the execution", Card: "jq1-x"}
	if row := (Row{ID: "G1a"}); o.print(&out, row, v) || !strings.Contains(out.String(), "the execution") {
		t.Errorf("a violated guarantee was taken for right:\n%s", &out)
	}
	o.found = true
	if row := (Row{ID: "theine"}); o.print(&out, row, verdict{Verdict: "holds"}) || !o.print(&out, row, v) {
		t.Error("a race that was not found was taken for right, or one that was for wrong")
	}
	if o.print(&out, Row{ID: "theine"}, verdict{Verdict: "unknown"}) {
		t.Error("an unknown verdict was taken for right")
	}
}

func TestBadArguments(t *testing.T) {
	for want, args := range map[string][]string{
		ErrUnknown.Error():     {"G99"},
		"want at least 3":      {"-schedules", "2"},
		"a card is of one row": {"-card", "jq1-x"},
	} {
		if got := commandtest.Execute(t, Command(), args...); got.Code != command.ExitError || !strings.Contains(got.Errs, want) {
			t.Errorf("%q: got code %d and %q, want %d and %q", args, got.Code, got.Errs, command.ExitError, want)
		}
	}
	if err := explore.CheckCard("jq1-x"); err == nil {
		t.Error("jq1-x is a card")
	}
}
