package soak_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/stress/soak"
)

// A short soak of a SQLite file is clean and tries everything.
func TestSQLite(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	soaked(t, config(t, worker), func() string { return "sqlite:///" + filepath.Join(t.TempDir(), "plans.db") })
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if check(t, err); len(left) > 0 {
		t.Errorf("got %v left behind, want nothing", left)
	}
}

// soaked soaks new databases for longer and longer until everything was tried, because a slow machine
// does little in a short time. Each soak must be clean.
func soaked(t *testing.T, cfg soak.Config, database func() (url string)) {
	t.Helper()
	for ; ; cfg.Time *= 2 {
		cfg.URL = database()
		l := listen(t, cfg.URL)
		r, err := soak.Run(t.Context(), cfg)
		check(t, err)
		l.end()
		if !r.Clean || r.Kept != "" {
			t.Errorf("got wrong %v, kept %q, want a clean report", problems(r), r.Kept)
		}
		if r.Restarts != r.Kills || (r.ServerRestarts > 0) != (cfg.Restart != nil) {
			t.Errorf("got %d kills, %d restarts and %d of the server, want each killed process again, and restarts only of a server", r.Kills, r.Restarts, r.ServerRestarts)
		}
		// A kill may cut off no call by chance. TestHistories judges such calls.
		if r.Linearity.Operations < r.Operations/2 {
			t.Errorf("got %+v of %d operations, want most of them judged", r.Linearity, r.Operations)
		}
		if o := r.Owned; o.Submitted < o.Succeeded {
			t.Errorf("got %+v, want no more jobs that succeeded than were submitted", o)
		}
		missing := untried(r)
		if len(missing) == 0 {
			return
		}
		if cfg.Time > 20*time.Second {
			t.Fatalf("got no %q in %v: %+v", missing, cfg.Time, r)
		}
	}
}

// untried returns what a soak has not tried, or not with success. Holders may be late or in time by
// chance, so something acquired is enough; and no subplan may be executed, so created ones are.
func untried(r *soak.Report) (missing []string) {
	done := make(map[soak.Kind]int)
	for _, k := range r.Kinds {
		done[k.Kind] += k.Outcomes[soak.OK]
	}
	for _, kind := range []soak.Kind{soak.CreateAction, soak.UseAction, soak.GetPlan, soak.MovePlan, soak.StartChangeset, soak.RecordChange, soak.ListChangesets} {
		if done[kind] == 0 {
			missing = append(missing, string(kind))
		}
	}
	for what, tried := range map[string]bool{
		"kill": r.Kills > 0, "freeze": r.Freezes > 0, "jump of a clock": r.Jumps > 0, "parent": r.Subplans.Parents > 0,
		"owned plan": r.Owned.Plans.Got > 0, "owned job": r.Owned.Jobs.Got > 0, "lock": r.Owned.Locks.Got > 0, "job submitted": r.Owned.Submitted > 0,
	} {
		if !tried {
			missing = append(missing, what)
		}
	}
	return missing
}

func problems(r *soak.Report) []soak.Problem {
	all := append(r.Processing, r.Linearity.Problems...)
	for _, c := range r.Checks {
		all = append(all, c.Problems...)
	}
	return all
}

// problemsOf returns the problems that one check reports.
func problemsOf(r *soak.Report, check string) []soak.Problem {
	if check == "linearizable" {
		return r.Linearity.Problems
	}
	for _, c := range r.Checks {
		if strings.HasPrefix(c.Name, check) {
			return c.Problems
		}
	}
	return nil
}

// wrong returns the names of the checks that do not hold.
func wrong(r *soak.Report) []string {
	var names []string
	for _, c := range r.Checks {
		if c.Wrong > 0 {
			names = append(names, c.Name)
		}
	}
	if r.Linearity.Wrong > 0 {
		names = append(names, "linearizable")
	}
	return names
}

// The check for each faulty service finds it, and the histories are kept. The services are invented, or
// documented races as reported. A soak takes a second, then twice as long, until it finds the fault.
func TestSpecimens(t *testing.T) {
	for role, want := range map[string]string{
		forgetful: "every acknowledged write is there",
		reportR6:  "linearizable",                       // a stale read of a plan that another process moved
		reportR7:  "no plan was applied or moved twice", // two processes got a success for one move
		reportN2:  "linearizable",                       // a read of an uncommitted change
		reportN3:  "no plan was applied or moved twice", // two processes got a success for one claim
		reportN10: "nothing is accepted of a late holder",
		twoJobs:   "nobody gets what another has",
		lateJobs:  "no job is lost, and none succeeds twice",
		twoLocks:  "nobody gets what another has",
		ownClock:  "nobody gets what another has",
		anyOrder:  "no subplan is lost, done again or merged out of order",
		twice:     "no subplan is lost, done again or merged out of order",
		unmerged:  "no subplan is lost, done again or merged out of order",
	} {
		t.Run(role, func(t *testing.T) {
			r := soakedUntil(t, role, want)
			t.Logf("after %v: %v", r.Time, wrong(r))
			shown := 0
			for _, p := range problemsOf(r, want) {
				if strings.HasSuffix(p.What, " were not decided in time") {
					continue // beside what was found, on a busy machine
				}
				if shown++; p.What == "" || len(p.Excerpt) == 0 {
					t.Errorf("got %+v, want a description and operations", p)
				}
			}
			if shown == 0 {
				t.Error("got no problem that was decided, want what was found")
			}
			journals, err := filepath.Glob(filepath.Join(r.Kept, "process-*.jsonl"))
			if check(t, err); len(journals) < 4 {
				t.Errorf("got %v in %q, want the journal of each process", journals, r.Kept)
			}
		})
	}
}

// soakedUntil soaks a faulty service for longer and longer until the check finds it, because a slow
// machine does little in a short time.
func soakedUntil(t *testing.T, role, want string) *soak.Report {
	t.Helper()
	cfg := config(t, role)
	cfg.Time, cfg.KillEvery = time.Second, time.Second
	if want != "linearizable" {
		cfg.CheckTime = 5 * time.Second // another check must find the fault
	}
	for ; ; cfg.Time *= 2 {
		cfg.Keep = filepath.Join(t.TempDir(), "kept")
		r, err := soak.Run(t.Context(), cfg)
		check(t, err)
		found := strings.Contains(strings.Join(wrong(r), "\n"), want)
		if !found && cfg.Time > 30*time.Second {
			t.Errorf("got wrong %q after %v, want %q", wrong(r), cfg.Time, want)
		}
		if found || cfg.Time > 30*time.Second {
			return r
		}
	}
}

// A process that ends by itself or gets stuck ends the soak. Its output is in the report.
func TestProcessesInTrouble(t *testing.T) {
	for role, want := range map[string][]string{
		crasher: {"ended by itself", "panic: planted"},
		deaf:    {"ended by itself", "panic: planted"},
		mute:    {"is stuck", "soak_test.play("},
	} {
		t.Run(role, func(t *testing.T) {
			cfg := config(t, role)
			cfg.Keep = filepath.Join(t.TempDir(), "kept")
			cfg.KillEvery, cfg.Stall, cfg.Time = time.Hour, time.Second, time.Minute
			r, err := soak.Run(t.Context(), cfg)
			check(t, err)
			if r.Clean || len(r.Processing) == 0 {
				t.Fatalf("got %+v, want it not clean", r)
			}
			if p := r.Processing[0]; !strings.Contains(p.What, want[0]) || !strings.Contains(strings.Join(p.Excerpt, "\n"), want[1]) {
				t.Errorf("got %+v, want %q", p, want)
			}
		})
	}
}

// There is no report if the processes do not share a clock.
func TestOtherClock(t *testing.T) {
	cfg := config(t, liar)
	cfg.KillEvery, cfg.Stall, cfg.Time = 10*time.Millisecond, 30*time.Second, time.Minute
	if _, err := soak.Run(t.Context(), cfg); !errors.Is(err, soak.ErrUnsupported) {
		t.Errorf("got %v, want %v", err, soak.ErrUnsupported)
	}
}

// An interrupted soak returns the context's error at once, and leaves nothing behind.
func TestInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	cfg := config(t, worker)
	cfg.Time = time.Hour
	cfg.Progress = func(string) { cancel() } // after the first kill
	if _, err := soak.Run(ctx, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if check(t, err); len(left) > 0 {
		t.Errorf("got %v left behind, want nothing", left)
	}
}

func TestBadConfig(t *testing.T) {
	for _, cfg := range []soak.Config{
		{Time: -1}, {KillEvery: -1}, {MaxAge: -1}, {Stall: -1}, {CheckTime: -1}, {Processes: -1}, {Goroutines: -1},
	} {
		if _, err := soak.Run(t.Context(), cfg); !errors.Is(err, soak.ErrConfig) {
			t.Errorf("%+v: got %v, want %v", cfg, err, soak.ErrConfig)
		}
	}
	cfg := config(t, worker)
	cfg.Keep = t.TempDir()
	if _, err := soak.Run(t.Context(), cfg); !errors.Is(err, os.ErrExist) {
		t.Errorf("got %v for an existing folder, want %v", err, os.ErrExist)
	}
}

func TestWorkRefuses(t *testing.T) {
	if err := soak.Work(t.Context(), nil, strings.NewReader("hello"), os.Stdout); err == nil {
		t.Error("got no error, want one for a bad job")
	}
}
