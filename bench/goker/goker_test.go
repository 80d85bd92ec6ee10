package goker

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/bench/goker/program"
	"github.com/jacquard-go/jacquard/bench/goker/trial"
	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/command/commandtest"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// installed returns the kernels of the Go installation. Go 1.25 has none; then the
// test has nothing to run on.
func installed(t *testing.T) []program.Kernel {
	t.Helper()
	all, err := program.Find(t.Context(), ".")
	if errors.Is(err, program.ErrNoKernels) {
		t.Skip("did not run: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The tables name existing kernels, and every kernel has a cause. The
// edits apply, and their results are valid Go.
func TestTables(t *testing.T) {
	names := make(map[string]bool)
	for _, k := range installed(t) {
		names[k.Name] = true
		if _, ok := causes()[k.Name]; !ok {
			t.Errorf("%s: got no cause", k.Name)
		}
		k, err := shortened(k)
		if err == nil {
			_, err = k.With(twins()[k.Name].edits...)
		}
		if err != nil {
			t.Error(err)
		}
	}
	for name := range causes() {
		if !names[name] {
			t.Errorf("got a cause of %s, want a kernel of that name", name)
		}
	}
	for name := range twins() {
		if !names[name] {
			t.Errorf("got a twin of %s, want a kernel of that name", name)
		}
	}
	if len(names) != 63 || len(twins()) < 10 {
		t.Errorf("got %d kernels and %d twins, want 63 and at least 10", len(names), len(twins()))
	}
}

// A kernel whose process died has a row, and an error that says how it died.
func TestNoSearches(t *testing.T) {
	o := order{seeds: 2, replays: 3}
	r := &row{kernel: program.Kernel{Name: "Etcd7492"}, died: "more than 10m0s"}
	text := page(t.Context(), o, []*row{r})
	for _, want := range []string{"**0 of 1 kernels are found", "| Etcd7492 | – | – / – |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if err := errors.Join(r.wrong(o)...); err == nil || !strings.Contains(err.Error(), "got 0 searches, want 2 (more than 10m0s)") {
		t.Errorf("got %v, want that there are none, and why", err)
	}
}

// The whole command runs on a few kernels: a deadlock, a leak that needs a timer, and
// one that fails only when it is repaired.
func TestCommand(t *testing.T) {
	installed(t)
	for _, name := range []string{"Kubernetes62464", "Etcd7492", "Moby27782"} {
		file := filepath.Join(t.TempDir(), "page.md")
		got := commandtest.Execute(t, Command(), "-only", name, "-seeds", "2", "-replays", "3", "-twins", "200", "-commit", "abc", "-o", file)
		if got.Code != command.ExitOK {
			t.Fatal(got.Errs)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"\nCommit abc, go1.", "**1 of 1 kernels are found", "| " + name + " | ", "| 2 of 2 | 6 of 6 |"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: the page lacks %q:\n%s", name, want, text)
			}
		}
	}
}

func TestBadArguments(t *testing.T) {
	for _, args := range [][]string{{"-seeds", "0"}, {"-replays", "0"}, {"-twins", "-1"}, {"more"}, {"-unknown"}} {
		if got := commandtest.Execute(t, Command(), args...); got.Code != command.ExitError {
			t.Errorf("%q: got code %d, want %d", args, got.Code, command.ExitError)
		}
	}
}

// For a Go installation without kernels, the command says so in one line.
func TestWithoutKernels(t *testing.T) {
	bin := t.TempDir()
	fake := "#!/bin/sh\necho " + t.TempDir() + "\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if path, err := exec.LookPath("go"); err != nil || filepath.Dir(path) != bin {
		t.Fatalf("got %s, %v, want the go command in %s", path, err, bin)
	}
	got := commandtest.Execute(t, Command())
	if !strings.Contains(got.Errs, program.ErrNoKernels.Error()) || strings.Count(got.Errs, "\n") != 1 {
		t.Errorf("got %q, want %q in one line", got.Errs, program.ErrNoKernels)
	}
}

func waits(w ...timeline.Wait) *timeline.Timeline { return &timeline.Timeline{Blocked: w} }

// A verdict must name all waits of the cause, and no others.
func TestToldCause(t *testing.T) {
	known := one("a 1 mu", "f.func1 2 ch").or("a 3 mu").besides("b 4 wait group wg")
	a, f, b := timeline.Wait{Thread: "a #2", Object: "mu#1", Where: "x.go:1"}, timeline.Wait{Thread: "main.f.func1", Object: "ch", Where: "x.go:2"}, timeline.Wait{Thread: "b", Object: "wait group wg to reach 0", Where: "x.go:4"}
	line := a
	line.Where = "x.go:3"
	for _, tl := range []*timeline.Timeline{waits(a, f), waits(f, a, b), waits(line), waits(line, b)} {
		if err := known.told(tl); err != nil {
			t.Errorf("%+v: got %v, want the cause", tl.Blocked, err)
		}
	}
	other, elsewhere := a, f
	other.Object, elsewhere.Where = "nu", "x.go:5"
	for _, tl := range []*timeline.Timeline{nil, waits(), waits(a), waits(f), waits(b), waits(other, f), waits(a, elsewhere), waits(a, f, line)} {
		if known.told(tl) == nil {
			t.Errorf("%+v: got the cause, want an error", tl)
		}
	}
}

// Each thing that is wrong with a kernel is an error.
func TestWrong(t *testing.T) {
	o := order{seeds: 1, replays: 2, twins: 10}
	report := waits(timeline.Wait{Thread: "n.Status", Object: "a receiver on n.status", Where: "etcd6857.go:34"})
	good := func() *row {
		return &row{
			kernel:   program.Kernel{Name: "Etcd6857"},
			searches: []trial.Search{{Kind: explore.KindLeak, Replayed: 2, Timeline: report}},
			twin:     &trial.Search{Verdict: "holds", Schedules: 10},
			lost:     &trial.Search{Exhausted: true},
		}
	}
	if wrong := good().wrong(o); wrong != nil {
		t.Fatalf("got %v, want nothing wrong", wrong)
	}
	for name, spoil := range map[string]func(*row){
		"died":         func(r *row) { r.searches, r.died = nil, "killed" },
		"randomDied":   func(r *row) { r.random, r.randomDied = nil, "killed" },
		"not found":    func(r *row) { r.searches[0].Kind = "" },
		"other kind":   func(r *row) { r.searches[0].Kind = explore.KindLivelock },
		"cause":        func(r *row) { r.searches[0].Timeline = waits() },
		"unknown":      func(r *row) { r.kernel.Name = "Etcd1" },
		"replays":      func(r *row) { r.searches[0].Replayed = 1 },
		"twin":         func(r *row) { r.twin.Verdict = "violated" },
		"twin, short":  func(r *row) { r.twin.Schedules = 9 },
		"not repaired": func(r *row) { r.lost.Exhausted = false },
	} {
		r := good()
		spoil(r)
		if len(r.wrong(o)) == 0 {
			t.Errorf("%s: got nothing wrong", name)
		}
	}
}

// A search that found nothing has no card to replay.
func TestPageCountsCards(t *testing.T) {
	rows := []*row{{kernel: program.Kernel{Name: "Etcd6857"}, searches: []trial.Search{{Kind: explore.KindLeak, Card: "jq2-it", Replayed: 3}, {Verdict: "holds"}}}}
	if text, want := page(t.Context(), order{seeds: 2, replays: 3}, rows), "In 0 of 2 searches the\nverdict names who waits for what, and where, as the reports of the bugs have it. 1 of 1\ncards replay 3 of 3 times."; !strings.Contains(text, want) {
		t.Errorf("the page lacks %q:\n%s", want, text)
	}
}
