package main

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/cache/bench/explored"
	"github.com/jacquard-go/jacquard/explore"
)

func TestCommand(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-schedules", "9", "G1b", "M1"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "holds         9 schedules"); lines != 2 {
		t.Errorf("got\n%s\nwant two lines of rows that hold", out.String())
	}
}

// TestCommandFails: a row that is not as it must be makes the command fail and shows why.
func TestCommandFails(t *testing.T) {
	var out strings.Builder
	o := order{}
	v := verdict{Verdict: "violated", Summary: "schedule 3", Execution: "the execution", Card: "jq1-x"}
	if row := (explored.Row{ID: "G1a"}); o.print(&out, row, v) || !strings.Contains(out.String(), "the execution") {
		t.Errorf("a violated guarantee was taken for right:\n%s", &out)
	}
	o.found = true
	if row := (explored.Row{ID: "theine"}); o.print(&out, row, verdict{Verdict: "holds"}) || !o.print(&out, row, v) {
		t.Error("a race that was not found was taken for right, or one that was for wrong")
	}
	if o.print(&out, explored.Row{ID: "theine"}, verdict{Verdict: "unknown"}) {
		t.Error("an unknown verdict was taken for right")
	}
}

func TestBadArguments(t *testing.T) {
	for want, args := range map[error][]string{
		explored.ErrUnknown: {"G99"},
		nil:                 {"-schedules", "2"},
	} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", args, err, want)
		}
	}
	if err := run(t.Context(), []string{"-card", "jq1-x"}, io.Discard, io.Discard); err == nil {
		t.Error("a card for all rows was accepted")
	}
	if err := explore.CheckCard("jq1-x"); err == nil {
		t.Error("jq1-x is a card")
	}
}
