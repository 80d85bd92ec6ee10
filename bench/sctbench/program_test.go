package sctbench_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/bench/sctbench"
	"github.com/jacquard-go/jacquard/explore"
)

// The paper's table has forty programs.
func TestForty(t *testing.T) {
	seen := make(map[string]bool)
	for _, p := range sctbench.Programs() {
		if seen[p.Name] || p.Run == nil || p.Kind == "" || p.Published == (sctbench.Published{}) {
			t.Errorf("got %+v, want a distinct name, a kind and published figures", p)
		}
		seen[p.Name] = true
	}
	if len(seen) != 40 {
		t.Errorf("got %d programs, want 40", len(seen))
	}
}

// The default plan finds each program's failure, of the right kind. SafeStack takes longer and has a
// test of its own.
func TestEachCanFail(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, p := range sctbench.Programs() {
		if p.Name == "SafeStack" || testing.Short() && large(p.Name) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			r, err := explore.Run(t.Context(), explore.Config{Name: p.Name, Minimise: -1, Workers: 1}, p.Run)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != explore.Violated || r.Failure.Kind != p.Kind {
				t.Errorf("got %v (%s), want a failure: %s", r.Verdict, r.Summary(), p.Kind)
			}
		})
	}
}

// Bugs among many tasks need one goroutine in a particular place. All seeds but one find them within
// a hundred schedules.
func TestManyTasks(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	seeds := uint64(10)
	if testing.Short() {
		seeds = 2
	}
	for _, p := range sctbench.Programs() {
		if !manyTasks(p.Name) || testing.Short() && large(p.Name) {
			continue
		}
		var missed []string
		for seed := uint64(1); seed <= seeds; seed++ {
			r, err := explore.Run(t.Context(), explore.Config{Name: p.Name, Seed: seed, Schedules: 100, Minimise: -1, Workers: 1}, p.Run)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != explore.Violated {
				missed = append(missed, fmt.Sprintf("seed %d: %v (%s)", seed, r.Verdict, r.Summary()))
			}
		}
		if len(missed) > 1 {
			t.Errorf("%s: got %q, want at most one seed to miss it within 100 schedules", p.Name, missed)
		}
	}
}

func manyTasks(name string) bool {
	return strings.Contains(name, "reorder") || strings.Contains(name, "twostage")
}

// large reports whether a schedule of a program takes long.
func large(name string) bool {
	return strings.HasSuffix(name, "_50") || strings.HasSuffix(name, "_100")
}

// Guided finds a bug that needs seven preemptions, with every seed: 20 seeds in the long form of the
// test, and one otherwise. Removing deviations alone would leave 16 to 26 preemptions. All
// reductions together leave seven, eight or nine.
func TestSafeStack(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	safe := sctbench.Programs()
	safe = safe[slices.IndexFunc(safe, func(p sctbench.Program) bool { return p.Name == "SafeStack" }):]
	seeds, reached := uint64(1), uint64(0)
	if os.Getenv("JACQUARD_LONG") != "" {
		seeds = 20
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		plan := []explore.Stage{{Strategy: explore.Guided(), Schedules: 50_000}}
		r, err := explore.Run(t.Context(), explore.Config{Name: "SafeStack", Seed: seed, Plan: plan, Minimise: 60_000}, safe[0].Run)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != explore.Violated {
			t.Errorf("seed %d: got %v (%s), want it found", seed, r.Verdict, r.Summary())
			continue
		}
		if got := r.Failure.Preemptions; got < fewest || got > fewest+2 {
			t.Errorf("seed %d: got %d preemptions after minimisation, want from %d to %d", seed, got, fewest, fewest+2)
		} else if got == fewest {
			reached++
		}
		t.Logf("seed %d: at schedule %d, with %d preemptions after minimisation", seed, r.Failure.Schedule, r.Failure.Preemptions)
	}
	if reached < seeds/2 {
		t.Errorf("got minimum %d reached by %d of %d seeds, want at least half of them", fewest, reached, seeds)
	}
}
