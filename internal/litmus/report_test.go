package litmus_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/litmus"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// reportsEnv names the variable that says how many programs' reports to check.
const reportsEnv = "JACQUARD_LITMUS_REPORTS"

// fewReports is how many programs' reports are checked by default.
const fewReports = 60

// The table of a failure shows what each operation did, and the cause agrees with the
// table.
func TestReportsTellWhatHappened(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	first, n := reports(t)
	failed, rows, causes := 0, 0, 0
	for seed := first; seed < first+n; seed++ {
		p := apart(litmus.Generate(seed))
		tl, err := report(p, seed)
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, p)
			continue
		}
		if tl == nil {
			continue
		}
		failed, rows = failed+1, rows+len(tl.Steps)
		if tl.Cause != "" {
			causes++
		}
		if wrong := wrongWords(p, tl); len(wrong) > 0 {
			t.Errorf("seed %d:\n%s\n%s\n%s", seed, strings.Join(wrong, "\n"), p, drawn(t, tl))
		}
	}
	t.Logf("%d programs, %d failures, %d rows, %d causes", n, failed, rows, causes)
	if failed < int(n)/3 {
		t.Errorf("got %d failures of %d programs, want a third of them", failed, n)
	}
}

// apart returns p with an operation of its own to start each task, so that the results of
// each are known.
func apart(p litmus.Program) litmus.Program {
	for i, ops := range p.Tasks {
		p.Tasks[i] = nil
		for _, o := range ops {
			for n := 0; n <= o.More; n++ {
				one := o
				if o.Verb == litmus.Start {
					one = litmus.Op{Verb: litmus.Start, Arg: o.Arg + n}
				}
				p.Tasks[i] = append(p.Tasks[i], one)
			}
		}
	}
	return p
}

// reports returns the first seed, and the number of programs to check.
func reports(t *testing.T) (first, n uint64) {
	first, _, _ = extent(t)
	n = fewReports
	if v := os.Getenv(reportsEnv); v != "" {
		many, err := strconv.ParseUint(v, 10, 64)
		if err != nil {
			t.Fatalf("%s: got %q, want a number of programs", reportsEnv, v)
		}
		n = many
	}
	return first, n
}

// report makes a program fail at one in three of its outcomes, or where it is stuck,
// and returns the report, in which each task logs what its operations did. Half of the
// failures are minimised.
func report(p litmus.Program, seed uint64) (*timeline.Timeline, error) {
	cfg := explore.Config{
		Name: fmt.Sprint("program ", seed), Seed: seed,
		Plan:  []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 30}},
		Leaks: explore.LeaksIgnore, Races: explore.RacesNote, Workers: 1, MaxSteps: 2000, Minimise: -1, Stall: -1,
	}
	if seed%2 == 0 {
		cfg.Minimise = 50
	}
	r, err := explore.Run(context.Background(), cfg, func(t *explore.T) {
		run := litmus.NewRun(p, false)
		run.Go = t.Go
		run.Note = func(task, op, result int) { t.Log(mark, task, op, result) }
		run.Task(0)
		t.Wait()
		if o := run.Outcome(); chosen(o, seed) {
			t.Errorf("%s", o)
		}
	})
	if err != nil || r.Failure == nil {
		return nil, err
	}
	return r.Failure.Timeline, nil
}

// mark is the prefix of the lines that a task logs before and after an operation, with
// its number and its result.
const mark = "operation"

// chosen reports whether a program is to fail at an outcome.
func chosen(o litmus.Outcome, seed uint64) bool {
	h := fnv.New64a()
	_, _ = h.Write([]byte(o))
	return (h.Sum64()>>8)%3 == seed%3
}

func drawn(t *testing.T, tl *timeline.Timeline) string {
	t.Helper()
	var b strings.Builder
	if err := timeline.Text(&b, tl, timeline.Options{Verbose: true, Width: 220}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
