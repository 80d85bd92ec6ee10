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

// reportsEnv names the variable that says of how many programs to read the report.
const reportsEnv = "JACQUARD_LITMUS_REPORTS"

// fewReports is how many programs' reports are read where nobody asks for more.
const fewReports = 60

// What the table of a failure tells of each operation is what the operation did, and
// what the cause tells is in the table.
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

// apart is a program that starts each task by an operation of its own, whose results
// are told.
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

// reports is the seed to begin with, and how many programs are wanted.
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
// and returns the report, in which each task says what its operations did. Half of the
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

// mark is what the lines begin with that a task writes before an operation and after it:
// which it is, and its result.
const mark = "operation"

// chosen reports whether an outcome is one to fail at.
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
