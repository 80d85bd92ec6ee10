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

// A short soak of a SQLite file: everything holds, and everything was tried.
func TestSQLite(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	soaked(t, config(t, worker))
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if check(t, err); len(left) > 0 {
		t.Errorf("it left %v behind", left)
	}
}

func soaked(t *testing.T, cfg soak.Config) {
	t.Helper()
	r, err := soak.Run(t.Context(), cfg)
	check(t, err)
	if !r.Clean || r.Kept != "" {
		t.Errorf("got wrong %v, kept %q, want a clean report", problems(r), r.Kept)
	}
	if r.Kills == 0 || r.Restarts != r.Kills {
		t.Errorf("got %d kills and %d restarts, want some, and as many", r.Kills, r.Restarts)
	}
	done := make(map[soak.Kind]int)
	for _, k := range r.Kinds {
		done[k.Kind] += k.Outcomes[soak.OK]
	}
	for _, kind := range []soak.Kind{soak.CreateAction, soak.UseAction, soak.GetPlan, soak.MovePlan, soak.StartChangeset, soak.RecordChange, soak.ListChangesets} {
		if done[kind] == 0 {
			t.Errorf("%s: got none that succeeded of %+v", kind, r.Kinds)
		}
	}
	// Whether a kill cuts a call off is luck; stories with such calls are judged in another test.
	if r.Linearity.Operations < r.Operations/2 {
		t.Errorf("got %+v of %d operations, want most of them judged", r.Linearity, r.Operations)
	}
}

// problems is everything that a report calls wrong.
func problems(r *soak.Report) []soak.Problem {
	all := append(r.Processing, r.Linearity.Problems...)
	for _, c := range r.Checks {
		all = append(all, c.Problems...)
	}
	return all
}

// wrong is the beginnings of the names of the checks that do not hold.
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

// A service that is wrong is found wrong, by the check that is for it, and the histories are kept.
func TestPlantedServices(t *testing.T) {
	for role, want := range map[string]string{
		stale:     "linearizable",
		forgetful: "every acknowledged write is there",
		generous:  "no plan was applied or moved twice",
	} {
		t.Run(role, func(t *testing.T) {
			cfg := config(t, role)
			cfg.Keep = filepath.Join(t.TempDir(), "kept")
			cfg.KillEvery = time.Second
			r, err := soak.Run(t.Context(), cfg)
			check(t, err)
			if r.Clean || !strings.Contains(strings.Join(wrong(r), "\n"), want) {
				t.Errorf("got wrong %q, want %q", wrong(r), want)
			}
			for _, p := range problems(r) {
				if p.What == "" || len(p.Excerpt) == 0 {
					t.Errorf("got %+v, want operations that show it", p)
				}
			}
			journals, err := filepath.Glob(filepath.Join(r.Kept, "process-*.jsonl"))
			if check(t, err); len(journals) < 4 {
				t.Errorf("got %v in %q, want the journal of each process", journals, r.Kept)
			}
		})
	}
}

// A process that ends by itself or gets stuck ends the soak, and is heard.
func TestProcessesInTrouble(t *testing.T) {
	for role, want := range map[string][]string{
		crasher: {"ended by itself", "panic: planted"},
		mute:    {"is stuck", "soak_test.play("},
	} {
		t.Run(role, func(t *testing.T) {
			cfg := config(t, role)
			cfg.Keep = filepath.Join(t.TempDir(), "kept")
			cfg.KillEvery, cfg.Stall, cfg.Time = time.Hour, time.Second, time.Minute
			r, err := soak.Run(t.Context(), cfg)
			check(t, err)
			if r.Clean || len(r.Processing) == 0 {
				t.Fatalf("got %+v, want it not to be clean", r)
			}
			if p := r.Processing[0]; !strings.Contains(p.What, want[0]) || !strings.Contains(strings.Join(p.Excerpt, "\n"), want[1]) {
				t.Errorf("got %+v, want %q", p, want)
			}
		})
	}
}

// Where processes do not share a clock there is no report.
func TestOtherClock(t *testing.T) {
	cfg := config(t, liar)
	cfg.KillEvery, cfg.Stall, cfg.Time = 10*time.Millisecond, 30*time.Second, time.Minute
	if _, err := soak.Run(t.Context(), cfg); !errors.Is(err, soak.ErrUnsupported) {
		t.Errorf("got %v, want %v", err, soak.ErrUnsupported)
	}
}

// Whoever interrupts a soak gets the context's error, at once and with nothing left.
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
		t.Errorf("it left %v behind", left)
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
		t.Errorf("got %v, want %v: histories are not mixed", err, os.ErrExist)
	}
}

func TestWorkRefuses(t *testing.T) {
	if err := soak.Work(t.Context(), nil, strings.NewReader("hello"), os.Stdout); err == nil {
		t.Error("got no error, want one about the job")
	}
}
