package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/postgres"
	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/stress/soak"
)

// The command starts processes of its own, kills some, and says that everything
// holds.
func TestSoak(t *testing.T) {
	keep := filepath.Join(t.TempDir(), "kept")
	cmd := exec.Command(tested.Path(t), "soak", "-time", "2s", "-kill-every", "200ms", "-seed", "7", "-databases", "sqlite", "-relaxed", "-keep", keep, "-json")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("got %v\n%s%s", err, out, exit.Stderr)
		}
		t.Fatal(err)
	}
	var got struct {
		Database string
		soak.Report
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if !got.Clean || got.Database != "sqlite" || got.Seed != 7 || got.Kills == 0 || got.Operations == 0 || got.Kept != keep+"-sqlite" {
		t.Errorf("got %+v, want a clean report of seed 7, with kills", got)
	}
	if _, err := os.Stat(filepath.Join(got.Kept, "process-1.1.jsonl")); err != nil {
		t.Error(err)
	}
}

// A server that is named and not there is an error; that there is none to be
// had is said in a line, and no failure.
func TestSoakWithoutServer(t *testing.T) {
	t.Setenv(postgres.DSN, "postgres://nobody@127.0.0.1:1/none?connect_timeout=1")
	got := tested.Run(t, "soak", "-time", "1s", "-databases", "postgres")
	if got.Code != command.ExitError || got.Out != "" || !strings.HasPrefix(got.Errs, "races: soak: create a database: ") {
		t.Errorf("got code %d, %q, %q, want the error of a server that is named and not there", got.Code, got.Out, got.Errs)
	}
	for want, asJSON := range map[string]bool{
		"soak · postgres · did not run: no PostgreSQL here: nothing; is installed\n":           false,
		`{"database":"postgres","missing":"no PostgreSQL here: nothing; is installed"}` + "\n": true,
	} {
		var out strings.Builder
		err := tellMissing(&out, "postgres", fmt.Errorf("%w: nothing\nis installed", postgres.ErrMissing), asJSON)
		if err != nil || out.String() != want {
			t.Errorf("got %q, %v, want %q", out.String(), err, want)
		}
	}
}

func TestSoakRefuses(t *testing.T) {
	tested.Refused(t, "soak", map[string][]string{
		"races: soak: -seed: got 0, want at least 1\n":                             {"-seed", "0"},
		"races: soak: -time: got -1s, want a positive duration\n":                  {"-time", "-1s"},
		"races: soak: -kill-every: got 0s, want a positive duration\n":             {"-kill-every", "0s"},
		"races: soak: -processes: got 0, want at least 1\n":                        {"-processes", "0"},
		"races: soak: -goroutines: got -3, want at least 1\n":                      {"-goroutines", "-3"},
		"races: soak: -databases: got \"oracle\", want sqlite, postgres or both\n": {"-databases", "sqlite,oracle"},
		"races: soak: arguments: got 1 [\"R4\"], want none\n":                      {"R4"},
		"races: process: arguments: got 1 [\"job\"], want none\n":                  {"process", "job"},
		"races: soak: read a job: EOF\n":                                           {"process"},
	})
}

// plantedSoak is a report in which something of each kind is wrong.
func plantedSoak() *soak.Report {
	problem := []soak.Problem{{What: "plan P was applied twice", Excerpt: []string{"0.1s one", "0.2s another"}}}
	return &soak.Report{
		Go: "go1.26.8", Platform: "linux/amd64", Processors: 2, Seed: 7, Time: 30 * time.Second, Processes: 4, Goroutines: 6,
		Kills: 3, Restarts: 3, Freezes: 2, Operations: 1000, Took: 20 * time.Second, Doubtful: 3, Happened: 1,
		Kinds: []soak.KindCount{
			{Kind: soak.GetPlan, Count: 900, Outcomes: map[soak.Outcome]int{soak.OK: 890, soak.CutOff: 5, soak.GaveUp: 5}},
			{Kind: soak.GetPlan, Recent: true, Count: 100, Outcomes: map[soak.Outcome]int{soak.OK: 100}},
		},
		Longest: soak.Longest{Label: "1.1.17", Kind: soak.MovePlan, Took: 1234567 * time.Nanosecond},
		Stats:   lifecycle.Stats{Hits: 1, Refreshes: 2, Misses: 3, RecentHits: 4, Invalidations: 5, Conflicts: 6, Retries: 7},
		Actions: 1, Plans: 2, Changesets: 3, Changes: 4,
		Owned: soak.Owned{
			Plans: soak.Turns{Got: 9, Over: 4, Refused: 8}, Jobs: soak.Turns{Got: 7, Over: 2, Refused: 3}, Locks: soak.Turns{Got: 1, Refused: 1},
			Submitted: 6, Succeeded: 5,
		},
		Jumps: 12, ServerRestarts: 1, Subplans: soak.Subplans{Parents: 3, Done: 2, Attempts: 8, Merged: 7},
		Checks: []soak.Check{
			{Name: "every write is there", Unit: "write", Count: 12},
			{Name: "no plan was applied twice", Unit: "plan", Count: 2, Wrong: 6, Problems: problem},
		},
		Linearity: soak.Linearity{
			Parts: 3, Operations: 950, Pending: 4, Largest: 500, Took: time.Second, Slowest: time.Millisecond, Wrong: 1,
			Problems: []soak.Problem{{What: "plan P: 17 operations are not linearizable"}},
		},
		Processing: []soak.Problem{{What: "process 1.2 ended by itself", Excerpt: []string{"panic: oh"}}},
		Kept:       "somewhere",
	}
}

// The report tells right from wrong in words, in JSON and in the error.
func TestSoakTells(t *testing.T) {
	right := plantedSoak()
	right.Clean, right.Kept, right.Processing, right.Checks, right.Linearity.Problems = true, "", nil, right.Checks[:1], nil
	right.Linearity.Wrong = 0
	for name, report := range map[string]*soak.Report{"right": right, "wrong": plantedSoak()} {
		var table, data strings.Builder
		for _, err := range []error{tellSoak(&table, "sqlite", report, false), tellSoak(&data, "sqlite", report, true)} {
			if report.Clean && err != nil || !report.Clean && !errors.Is(err, command.ErrFailed) {
				t.Errorf("%s: got error %v", name, err)
			}
		}
		tested.Golden(t, "soak_"+name+".txt", table.String())
		var back soak.Report
		if err := json.Unmarshal([]byte(data.String()), &back); err != nil || !reflect.DeepEqual(&back, report) {
			t.Errorf("%s: got %+v, %v, want %+v", name, back, err, report)
		}
	}
	var table strings.Builder
	if err := tellSoak(&table, "postgres", right, false); err != nil || !strings.Contains(table.String(), "ended and started again 1 time\n") {
		t.Errorf("got %v, %s, want a server that was restarted", err, table.String())
	}
	right.ServerRestarts = 0
	table.Reset()
	if err := tellSoak(&table, "postgres", right, false); err != nil || !strings.Contains(table.String(), "not restarted: it is not ours\n") {
		t.Errorf("got %v, %s, want a server that was not", err, table.String())
	}
	broken := &os.PathError{Op: "write", Path: "out", Err: os.ErrClosed}
	for _, asJSON := range []bool{false, true} {
		if err := tellSoak(deaf{broken}, "sqlite", right, asJSON); !errors.Is(err, broken) {
			t.Errorf("got %v, want the writer's error", err)
		}
	}
}
