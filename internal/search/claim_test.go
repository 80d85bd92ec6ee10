package search_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/programs/finals"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// searches returns a plan of searches only.
func searches(schedules int) []schedule.Stage {
	return []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: schedules}, {Strategy: strategy.DepthFirst(1), Schedules: schedules}}
}

// A search meets both ends of a loop that polls a limited number of times. It does not
// claim to be exhaustive if the loop polls more often than is tried.
func TestPolls(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range finals.Polls(14) {
		t.Run(b.Name, func(t *testing.T) {
			got := searchAll(t, b, strategy.DPOR())
			both := 0
			for final := range got.Finals {
				if strings.HasPrefix(final, "[seen") || strings.HasPrefix(final, "[gave up") {
					both++
				}
			}
			if got.Why != "" || both < 2 {
				t.Errorf("got %v (%s), want that it sees it, and that it gives up", got.Finals, got.Why)
			}
		})
	}
	for _, b := range finals.Polls(5000) {
		cfg := search.Config{Name: b.Name, Plan: searches(150), Workers: 1}
		r := run(t, cfg, func(t *engine.T) { b.Run(t, func(func() string) {}) })
		if r.Exhausted || r.Verdict != verdict.Holds {
			t.Errorf("%s, of 5,000 turns: got %v (%s), want no claim", b.Name, r.Verdict, r.Summary())
		}
	}
}

// Where the first execution of a process differs from the later ones, no search of the
// later ones claims to be exhaustive, and the result says why.
func TestFirstExecution(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Lazies() {
		cfg, onlyLater := search.Config{Name: b.Name, Plan: searches(50), Workers: 1}, workers.Hooks{OnlyLater: true}
		r := runWith(t, onlyLater, cfg, b.Run)
		if r.Exhausted || r.Verdict != verdict.Holds || !strings.Contains(r.Summary(), "first execution") || !strings.Contains(r.Claim(), "first execution") {
			t.Errorf("%s: got %v (%s)", b.Name, r.Verdict, r.Summary())
		}
		if r = runWith(t, onlyLater, cfg, b.Run); !r.Exhausted || strings.Contains(r.Summary(), "first execution") {
			t.Errorf("%s, once more: got %v (%s), want it exhausted", b.Name, r.Verdict, r.Summary())
		}
	}
}

// Where there are few first executions, each is run in a process of its own, and then the
// search claims what it has covered.
func TestFirstExecutionsExhausted(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long")
	}
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Lazies() {
		r := run(t, search.Config{Name: b.Name, Plan: searches(50), Workers: 1}, b.Run)
		if !r.Exhausted || !r.Unbounded || r.Verdict != verdict.Holds {
			t.Errorf("%s: got %v (%s)", b.Name, r.Verdict, r.Summary())
		}
	}
}

// A failure that only the first execution of a process can meet is found, and its card
// replays it in a process of its own.
func TestFirstExecutionFails(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, search.Config{Name: t.Name(), Plan: searches(50)}, programs.Singleton)
	if r.Verdict != verdict.Violated || r.Failure.Message != "two connections" || r.Failure.Card == "" {
		t.Errorf("got %v (%s)", r.Verdict, r.Summary())
	}
}

// A failure that takes a search of first executions is found too.
func TestFirstExecutionSearched(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, search.Config{Name: t.Name(), Plan: searches(50)}, programs.Filling)
	if r.Verdict != verdict.Violated || r.Failure.Message != "seen before it was full" || r.Failure.Strategy != "dpor" {
		t.Fatalf("got %v (%s)", r.Verdict, r.Summary())
	}
}

// Assembly is reported as unseen, unless it is part of the Go installation or known to
// work on its arguments only.
func TestAssembly(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	got := search.Assemblies([]string{
		"runtime.memmove", "sync/atomic.AddInt64", "golang.org/x/sys/unix.Syscall", "example.com/fast.add", "example.com/fast.sub.abi0",
		"math/bank.move", "memeqbody", "internal/bytealg.Count",
	})
	if want := []string{"example.com/fast", "math/bank"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A failure that later executions have too is reported from one of them, although the first
// execution of a process takes another course: the default schedule is named, and others are
// reduced as usual.
func TestFirstExecutionFailsAsOthers(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	const message = "to be shown"
	once := programs.Lazies()[1].Run
	r := run(t, search.Config{Name: "usual", Plan: searches(50)}, func(t *engine.T) {
		once(t)
		t.Errorf(message)
	})
	if r.Failure == nil || !r.Failure.Plain || r.Failure.Message != message || r.Failure.Strategy == "pos" {
		t.Errorf("got %s, by a strategy of first executions", r.Summary())
	}
	again := programs.Lazies()[2].Run
	r = run(t, search.Config{Name: "lost", Plan: searches(50)}, func(t *engine.T) {
		again(t)
		var n atomic.Int32
		add := func() { n.Store(n.Load() + 1) }
		t.Go("one", add)
		t.Go("two", add)
		if t.Wait(); n.Load() != 2 {
			t.Errorf(message)
		}
	})
	if r.Failure == nil || r.Failure.Preemptions != 1 || !r.Failure.Minimal {
		t.Errorf("got %s, want it reduced as far as it goes", r.Summary())
	}
}
