package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

// The command runs all campaigns in children of its own, and says what came of
// them.
func TestStress(t *testing.T) {
	cmd := exec.Command(tested.Path(t), "stress", "-time", "600ms", "-seed", "7", "-json")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("got %v\n%s%s", err, out, exit.Stderr)
		}
		t.Fatal(err)
	}
	var report stress.Report
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	if !report.Clean || report.Seed != 7 || report.RaceDetector != stress.RaceDetector || len(report.Races) != len(stress.Rows()) {
		t.Errorf("got %+v, want a clean report of seed 7 and of all races", report)
	}
	for _, race := range report.Races {
		rounds, counts := race.Total()
		if !race.Clean || rounds == 0 || counts.Operations == 0 || len(race.Specimens) > 2 {
			t.Errorf("got %+v, want clean rounds of ours and two specimens at most", race)
		}
	}
}

func TestStressRefuses(t *testing.T) {
	tested.Refused(t, "stress", map[string][]string{
		"races: stress: -seed: got 0, want at least 1\n":                           {"-seed", "0"},
		"races: stress: -time: got -1s, want a positive duration\n":                {"-time", "-1s"},
		"races: stress: -time: got 0s, want a positive duration\n":                 {"-time", "0"},
		"races: stress: -time: got \"soon\", want a duration, such as 90s or 5m\n": {"-time", "soon"},
		"races: stress: -shard: got \"6/5\", want one such as 2/5\n":               {"-shard", "6/5"},
		"races: stress: -run: error parsing regexp: missing closing ]: `[`\n":      {"-run", "["},
		"races: stress: arguments: got 1 [\"R4\"], want none\n":                    {"R4"},
		"races: campaign: arguments: got 1 [\"body\"], want none\n":                {"campaign", "body"},
		"races: stress: read a job: EOF\n":                                         {"campaign"},
		"races: stress: unknown flag: got -fast, want one of ":                     {"-fast"},
	})
}

// finding is a result of a specimen.
func finding(kind races.Kind, round int64, message string) stress.Result {
	r := stress.Result{Rounds: round, Findings: []stress.Finding{{Kind: kind, Round: round, Message: message}}}
	if kind != races.KindRace && kind != races.KindDeadlock {
		r.Outcomes = []stress.Outcome{{What: message, Grade: stress.Forbidden, Count: 1}}
	}
	return r
}

// plantedReport is a report with one row that is clean and one for each way of not
// being clean.
func plantedReport() *stress.Report {
	clean := stress.Result{
		Subject: "R0/ours", Campaign: stress.BodyCampaign, Rounds: 1, Counts: stress.Counts{Operations: 2, Successes: 1, Conflicts: 1},
		Sums: []stress.Sum{{What: "goroutines that returned", Got: 2, Want: 2}},
	}
	miscounted, wrongSum, troubled, found := clean, clean, clean, clean
	miscounted.Campaign, miscounted.Successes = "workload", 7
	wrongSum.Sums = []stress.Sum{{What: "winners", Got: 2, Want: 1}}
	troubled.Trouble = "set-up:\nno disk"
	found.Findings = []stress.Finding{
		{Kind: races.KindRace, Round: 1, Message: "data race: somewhere"}, {Kind: races.KindCheck, Round: 3, Message: "two\nengines"},
	}
	litmus := clean
	litmus.Outcomes = []stress.Outcome{
		{Test: "two ask", What: "one object", Grade: stress.Acceptable, Means: "created once", Count: 1234567},
		{Test: "two ask", What: "another object", Grade: stress.Interesting, Means: "made anew", Count: 1},
	}
	row := func(id string, ours stress.Result, specimens ...stress.Result) stress.RaceReport {
		for i := range specimens {
			specimens[i].Subject = id + "/" + string(races.Columns()[i])
		}
		return stress.RaceReport{
			ID: id, Issue: 17, Title: "a race", Clean: ours.Clean(), Ours: []stress.Result{ours}, Specimens: specimens, Specimen: len(specimens) > 0, Enough: id != "R5",
		}
	}
	return &stress.Report{
		Go: "go1.26.8", Platform: "linux/amd64", Processors: 1, Seed: 7, Time: "30s", RaceDetector: true,
		Races: []stress.RaceReport{
			row("R0", clean, finding(races.KindCheck, 1, "two\nengines"), stress.Result{Rounds: 12}),
			row("R1", miscounted, finding(races.KindRace, 3, "data race: here"), finding(races.KindPanic, 3, "panic: oh")),
			row("R2", wrongSum, finding(races.KindDeadlock, 1, "stuck"), stress.Result{Trouble: "no\ndisk"}),
			row("R3", troubled, finding(races.KindFatal, 1, "fatal error: oh"), finding(races.KindLeak, 1, "one is left")),
			row("R5", litmus, stress.Result{Rounds: 9}),
			row("R4", found, stress.Result{Rounds: 1}, stress.Result{Rounds: 1}),
		},
	}
}

// The report tells right from wrong in words, in JSON and in the error.
func TestStressTells(t *testing.T) {
	right := plantedReport()
	right.Clean, right.RaceDetector, right.Races, right.Shard, right.Interrupted = true, false, []stress.RaceReport{right.Races[0], right.Races[4]}, "2/5", true
	for name, report := range map[string]*stress.Report{"right": right, "wrong": plantedReport()} {
		var table, data, errs strings.Builder
		for _, err := range []error{tellStress(&table, &errs, report, false), tellStress(&data, &errs, report, true)} {
			if report.Clean && err != nil || !report.Clean && !errors.Is(err, command.ErrFailed) {
				t.Errorf("%s: got error %v", name, err)
			}
		}
		tested.Golden(t, "stress_"+name+".txt", table.String())
		if got, want := strings.Count(errs.String(), "WRONG"), strings.Count(table.String(), "WRONG"); got != want {
			t.Errorf("%s: got %d complaints beside the JSON, want the table's %d", name, got, want)
		}
		var back stress.Report
		if err := json.Unmarshal([]byte(data.String()), &back); err != nil || !reflect.DeepEqual(&back, report) {
			t.Errorf("%s: got %+v, %v, want %+v", name, back, err, report)
		}
	}
	broken := &os.PathError{Op: "write", Path: "out", Err: os.ErrClosed}
	for _, asJSON := range []bool{false, true} {
		if err := tellStress(deaf{broken}, io.Discard, right, asJSON); !errors.Is(err, broken) {
			t.Errorf("got %v, want the writer's error", err)
		}
	}
}

// What several runs wrote is put together, also for JUnit.
func TestStressMerge(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"a", "b"} {
		text, err := json.Marshal(plantedReport())
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Join(dir, name+".json"))
		if err := os.WriteFile(files[len(files)-1], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	junit := filepath.Join(dir, "junit.xml")
	var out, errs strings.Builder
	code := command.Execute(t.Context(), rootCommand(show{}), append([]string{"stress", "merge", "-json", "-junit", junit}, files...), strings.NewReader(""), &out, &errs)
	var all stress.Report
	if err := json.Unmarshal([]byte(out.String()), &all); err != nil || code != 1 {
		t.Fatalf("got code %d, %v, want 1 and a report\n%s", code, err, &errs)
	}
	if got, want := all.Races[0].Ours[0].Rounds, 2*plantedReport().Races[0].Ours[0].Rounds; got != want {
		t.Errorf("got %d rounds, want %d", got, want)
	}
	text, err := os.ReadFile(junit)
	if err != nil {
		t.Fatal(err)
	}
	tested.Golden(t, "stress_junit.xml", string(text))
	if code := command.Execute(t.Context(), rootCommand(show{}), []string{"stress", "merge", "/no/such/file"}, strings.NewReader(""), io.Discard, io.Discard); code != 2 {
		t.Errorf("no file: got code %d, want 2", code)
	}
}

// The page shows the rows, beside what exploring came to, how fast rounds came, how to
// look at a finding again, and the nights; and it loads nothing.
func TestStressPage(t *testing.T) {
	report := plantedReport()
	for i, rounds := range []int64{0, 10, 40, 50} {
		pace := &report.Races[0].Specimens[0].Pace
		*pace = append(*pace, stress.Pace{Seconds: float64(i), Rounds: rounds})
	}
	two := 2
	yes := true
	explored := machine{Races: []machineRace{{ID: "R0", Cells: map[string]machineCell{
		"reported": {Verdict: "violated", Schedule: 7, Took: 1.25}, "ours": {Verdict: "holds", Exhausted: &yes, Bound: &two, Schedules: 310},
	}}}}
	text, err := stressPage(report, explored, stress.Nights{report.Night("the first"), report.Night("the second")})
	if err != nil {
		t.Fatal(err)
	}
	head, body, ok := strings.Cut(string(text), "<body>")
	if !ok || strings.Contains(head, "http:") || strings.Contains(body, "src=") || strings.Contains(body, "<script") {
		t.Errorf("it loads something, or has no body:\n%s", text)
	}
	tested.Golden(t, "stress_page.html", body)
}

// A run is told in every way that was asked for, and is one more night.
func TestStressTellings(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write(t, in("explored.json"), `{"races": [{"id": "R0", "cells": {"reported": {"verdict": "violated", "schedule": 7}}}]}`)
	all := tellings{junit: in("junit.xml"), page: in("page.html"), explored: in("explored.json"), ledger: in("nights.json"), night: "a night"}
	for nights := 1; nights <= 2; nights++ {
		if err := all.tell(io.Discard, io.Discard, plantedReport()); !errors.Is(err, command.ErrFailed) {
			t.Errorf("got %v, want %v", err, command.ErrFailed)
		}
		known, err := stress.ReadNights(all.ledger)
		if err != nil || len(known) != nights || known[nights-1].Name != "a night" {
			t.Errorf("got %+v, %v, want %d nights", known, err, nights)
		}
	}
	for name, want := range map[string]string{all.junit: "<testsuites>", all.page: "violated by schedule 7"} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: got %v and no %q in it", name, err, want)
		}
	}
	part := plantedReport()
	part.Shard = "1/2"
	if err := all.tell(io.Discard, io.Discard, part); !errors.Is(err, command.ErrFailed) {
		t.Errorf("got %v, want %v", err, command.ErrFailed)
	}
	if known, err := stress.ReadNights(all.ledger); err != nil || len(known) != 2 {
		t.Errorf("got %d nights, %v, want no night for a part of one", len(known), err)
	}
	write(t, in("nails"), "nails")
	for want, bad := range map[string]tellings{
		"ledger of nights cannot be used": {ledger: in("nails")},
		"-explored":                       {page: in("page.html"), explored: in("nails")},
		"the page":                        {page: "/no/such/folder/page.html"},
		"JUnit":                           {junit: "/no/such/folder/junit.xml"},
	} {
		if err := bad.tell(io.Discard, io.Discard, plantedReport()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// deaf cannot be written to.
type deaf struct{ err error }

func (d deaf) Write([]byte) (int, error) { return 0, d.err }
