package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

// The command runs all campaigns in children of its own, and says what came of
// them.
func TestStress(t *testing.T) {
	cmd := exec.Command(command(t), "stress", "-time", "600ms", "-seed", "7", "-json")
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
		if !race.Clean || rounds == 0 || counts.Operations == 0 || len(race.Specimens) != 2 {
			t.Errorf("got %+v, want clean rounds of ours and two specimens", race)
		}
	}
}

func TestStressRefuses(t *testing.T) {
	refused(t, "stress", map[string][]string{
		"jacquard: stress: -seed: got 0, want at least 1\n":            {"-seed", "0"},
		"jacquard: stress: -time: got -1s, want a positive duration\n": {"-time", "-1s"},
		"jacquard: stress: -time: got 0s, want a positive duration\n":  {"-time", "0"},
		"jacquard: stress: -time: got \"soon\", want a duration\n":     {"-time", "soon"},
		"jacquard: stress: arguments: got 1 [\"R4\"], want none\n":     {"R4"},
		"jacquard: campaign: arguments: got 1 [\"body\"], want none\n": {"campaign", "body"},
		"jacquard: stress: read a job: EOF\n":                          {"campaign"},
		"jacquard: stress: unknown flag: got -fast, want one of ":      {"-fast"},
	})
}

// finding is a result of a specimen.
func finding(kind races.Kind, round int64, message string) stress.Result {
	return stress.Result{Subject: "R0/some", Rounds: round, Findings: []stress.Finding{{Kind: kind, Round: round, Message: message}}}
}

// plantedReport is a report with one row that is clean and one for each way of not
// being clean.
func plantedReport() *stress.Report {
	clean := stress.Result{
		Subject: "R0/ours", Campaign: stress.BodyCampaign, Rounds: 1, Counts: stress.Counts{Operations: 2, Successes: 1, Conflicts: 1},
		Sums: []stress.Sum{{What: "goroutines that returned", Got: 2, Want: 2}},
	}
	miscounted, wrongSum, troubled, found := clean, clean, clean, clean
	miscounted.Campaign, miscounted.Successes = "crowd", 7
	wrongSum.Sums = []stress.Sum{{What: "winners", Got: 2, Want: 1}}
	troubled.Trouble = "set-up:\nno disk"
	found.Findings = []stress.Finding{
		{Kind: races.KindRace, Round: 1, Message: "data race: somewhere"}, {Kind: races.KindCheck, Round: 3, Message: "two\nengines"},
	}
	row := func(id string, ours stress.Result, specimens ...stress.Result) stress.RaceReport {
		return stress.RaceReport{
			ID: id, Issue: 17, Title: "a race", Clean: ours.Clean(), Ours: []stress.Result{ours}, Specimens: specimens,
		}
	}
	return &stress.Report{
		Go: "go1.26.8", Platform: "linux/amd64", Processors: 1, Seed: 7, Time: "30s", RaceDetector: true,
		Races: []stress.RaceReport{
			row("R0", clean, finding(races.KindCheck, 1, "two\nengines"), stress.Result{Subject: "R0/none", Rounds: 12}),
			row("R1", miscounted, finding(races.KindRace, 3, "data race: here"), finding(races.KindPanic, 3, "panic: oh")),
			row("R2", wrongSum, finding(races.KindDeadlock, 1, "stuck"), stress.Result{Subject: "R2/no", Trouble: "no\ndisk"}),
			row("R3", troubled, finding(races.KindFatal, 1, "fatal error: oh"), finding(races.KindLeak, 1, "one is left")),
			row("R4", found, stress.Result{Subject: "R4/none", Rounds: 1}, stress.Result{Subject: "R4/none", Rounds: 1}),
		},
	}
}

// The report tells right from wrong in words, in JSON and in the error.
func TestStressTells(t *testing.T) {
	right := plantedReport()
	right.Clean, right.RaceDetector, right.Races = true, false, right.Races[:1]
	for name, report := range map[string]*stress.Report{"right": right, "wrong": plantedReport()} {
		var table, data, errs strings.Builder
		for _, err := range []error{tellStress(&table, &errs, report, false), tellStress(&data, &errs, report, true)} {
			if report.Clean && err != nil || !report.Clean && !errors.Is(err, errFailed) {
				t.Errorf("%s: got error %v", name, err)
			}
		}
		golden(t, "stress_"+name+".txt", table.String())
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

// deaf cannot be written to.
type deaf struct{ err error }

func (d deaf) Write([]byte) (int, error) { return 0, d.err }
