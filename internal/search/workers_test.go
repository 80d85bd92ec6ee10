//go:build unix

package search_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// everyStrategy returns a plan with every strategy.
func everyStrategy() []schedule.Stage {
	return []schedule.Stage{
		{Strategy: strategy.PCT(3), Schedules: 40},
		{Strategy: strategy.RandomWalk(), Schedules: 30},
		{Strategy: strategy.POS(), Schedules: 30},
		{Strategy: strategy.SURW(), Schedules: 30},
		{Strategy: strategy.Directed(), Schedules: 30},
		{Strategy: strategy.Guided(), Schedules: 30},
		{Strategy: strategy.DepthFirst(2), Schedules: 150},
		{Strategy: strategy.DPOR(), Schedules: 50},
	}
}

// withoutAddresses returns a result without the addresses of races. These differ between
// any two executions.
func withoutAddresses(r *verdict.Result) verdict.Result {
	got := *r
	got.Noted = append([]engine.RaceReport(nil), r.Noted...)
	for i := range got.Noted {
		got.Noted[i].Address = ""
	}
	if r.Failure != nil {
		f := *r.Failure
		f.Timeline = nil
		got.Failure = &f
	}
	return got
}

// The result is the same for any number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	if !explore.Control(t) {
		return
	}
	helped := 0
	var all []programs.Program
	all = append(all, programs.Canaries()...)
	for i, c := range programs.Classics() {
		if i%3 == 0 {
			all = append(all, c.Bug, c.Twin)
		}
	}
	for _, b := range all {
		t.Run(b.Name, func(t *testing.T) {
			cfg := search.Config{Name: b.Name, MaxSteps: 5000, Seed: 3, Plan: everyStrategy()}
			alike(t, &helped, cfg, b.Run, 2, 4)
			if b.Kind == engine.KindRace {
				cfg.Races = engine.RacesNote
				alike(t, &helped, cfg, b.Run, 3)
			}
		})
	}
	if helped == 0 {
		t.Error("got no schedules from workers, want some")
	}
}

// withWorkers explores with n processes that start at once.
func withWorkers(t *testing.T, cfg search.Config, n int, hooks workers.Hooks, body func(*engine.T)) *verdict.Result {
	t.Helper()
	cfg.Workers, hooks.Eager = n, true
	return runWith(t, hooks, cfg, body)
}

// alike explores with one process and with each number of processes, and compares the
// results. It adds to helped the schedules that workers ran: maybe none, in a short
// exploration on a busy machine.
func alike(t *testing.T, helped *int, cfg search.Config, body func(*engine.T), numbers ...int) *verdict.Result {
	t.Helper()
	one := withWorkers(t, cfg, 1, workers.Hooks{}, body)
	want := withoutAddresses(one)
	for _, n := range numbers {
		got := withoutAddresses(withWorkers(t, cfg, n, workers.Hooks{Helped: func(n int) { *helped += n }}, body))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d, %d workers: got %+v, want %+v", cfg.Seed, n, got, want)
			if got.Failure != nil && want.Failure != nil {
				t.Errorf("got %+v, want %+v", got.Failure, want.Failure)
			}
		}
	}
	return one
}

// The reported failure is the first in the order of schedules, whichever worker runs it,
// even if a later failing one ran before it.
func TestWorkersAgreeOnTheFirstFailure(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	body := programs.Rare(100)
	late, helped := 0, 0
	for _, s := range []func() schedule.Strategy{
		strategy.RandomWalk, strategy.POS, strategy.SURW,
		func() schedule.Strategy { return strategy.PCT(4) }, func() schedule.Strategy { return strategy.DepthFirst(3) },
	} {
		t.Run(s().Name(), func(t *testing.T) {
			for seed := uint64(1); seed <= 3; seed++ {
				cfg := search.Config{Name: body.Name, Seed: seed, Minimise: 50, Plan: []schedule.Stage{{Strategy: s(), Schedules: 3000}}}
				r := alike(t, &helped, cfg, body.Run, 3)
				if r.Verdict != body.Verdict {
					t.Errorf("seed %d: got %v (%s), want %v", seed, r.Verdict, r.Summary(), body.Verdict)
				} else if r.Failure.Schedule > 64 {
					late++
				}
			}
		})
	}
	if late < 5 || helped == 0 {
		t.Errorf("got %d late failures and %d schedules from workers, want at least 5 and 1", late, helped)
	}
}

// A killed process leaves nothing behind. Its workers end, and the directories that it made
// for them are removed.
func TestWorkersEnd(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	if dir := os.Getenv(orphanEnv); dir != "" { // the process to be killed
		body := programs.Rare(1 << 31)
		cfg := search.Config{Name: body.Name, Seed: 1, Plan: []schedule.Stage{{Strategy: strategy.RandomWalk(), Schedules: 1 << 30}}}
		cfg.Progress = func(n int) {
			if n == 500 {
				if err := os.WriteFile(filepath.Join(dir, "ready"), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		withWorkers(t, cfg, 3, workers.Hooks{Started: func(pid int) {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("pid-", pid)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}}, body.Run)
		return
	}
	dir, temp := t.TempDir(), t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestWorkersEnd$")
	cmd.Env = append(os.Environ(), orphanEnv+"="+dir, "TMPDIR="+temp)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "exploring", func() bool { _, err := os.Stat(filepath.Join(dir, "ready")); return err == nil })
	pids, err := filepath.Glob(filepath.Join(dir, "pid-*"))
	if err != nil || len(pids) != 2 {
		t.Fatalf("got %v and %v, want two workers", pids, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	for _, path := range pids {
		pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(path), "pid-"))
		if err != nil {
			t.Fatal(err)
		}
		await(t, fmt.Sprint("the end of ", pid), func() bool { return !running(pid) })
	}
	left, err := filepath.Glob(filepath.Join(temp, "jacquard-worker-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("got directories %v left and error %v, want none", left, err)
	}
}

// orphanEnv names the environment variable that makes TestWorkersEnd the process to be
// killed. Its value is the directory for its progress.
const orphanEnv = "JACQUARD_TEST_ORPHANS"

// running reports whether the process pid exists. A zombie does not count, because it has
// ended.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// await waits until so returns true, and fails the test after a minute.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(time.Minute)
	for !so() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("waited a minute for %s", what)
		}
	}
}

// The result does not change if a worker is killed during the exploration.
func TestWorkerKilled(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	body := programs.Classics()[0].Twin
	var said bytes.Buffer
	cfg := search.Config{Name: body.Name, Plan: []schedule.Stage{{Strategy: strategy.SURW(), Schedules: 5000}}, Logger: slog.New(slog.NewTextHandler(&said, nil))}
	want := withWorkers(t, cfg, 1, workers.Hooks{}, body.Run)
	for _, after := range []int{1, 50, 1500} {
		said.Reset()
		var pids []int
		cfg := cfg
		cfg.Progress = func(n int) {
			if n == after {
				if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
					t.Error(err)
				}
			}
		}
		got := withWorkers(t, cfg, 3, workers.Hooks{Started: func(pid int) { pids = append(pids, pid) }}, body.Run)
		if !reflect.DeepEqual(withoutAddresses(got), withoutAddresses(want)) {
			t.Errorf("killed after %d: got %+v, want %+v", after, got, want)
		}
		if n := strings.Count(said.String(), "a worker is given up"); n != 1 || !strings.Contains(said.String(), "killed") {
			t.Errorf("killed after %d: got the log %q, want one line", after, said.String())
		}
	}
}

// Workers also help with later explorations in a test: they get the results of the earlier
// ones.
func TestWorkersComeToLaterExplorations(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	body := programs.Classics()[0].Twin
	for i := range 3 {
		first := run(t, search.Config{Name: fmt.Sprint("first ", i), Plan: []schedule.Stage{{Strategy: strategy.RandomWalk(), Schedules: 20 + i}}}, programs.Touch)
		if first.Schedules != 20+i { // a worker too, although it has not explored this itself
			t.Fatalf("got %d schedules, want %d", first.Schedules, 20+i)
		}
		helped := 0
		many := []schedule.Stage{{Strategy: strategy.PCT(3), Schedules: 10_000}} // a worker takes a while to start on a busy machine
		withWorkers(t, search.Config{Name: body.Name, Plan: many}, 2, workers.Hooks{Helped: func(n int) { helped = n }}, body.Run)
		if helped == 0 {
			t.Errorf("exploration %d: got no schedules from the worker, want some", 2*i+2)
		}
	}
}
