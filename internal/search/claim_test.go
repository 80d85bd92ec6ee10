package search_test

import (
	"context"
	"log"
	"os"
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

// searches returns a plan that has only searches.
func searches(schedules int) []schedule.Stage {
	return []schedule.Stage{{Strategy: strategy.DPOR(), Schedules: schedules}, {Strategy: strategy.DepthFirst(1), Schedules: schedules}}
}

// A search reaches both ends of a loop that polls a limited number of times. It makes no
// claim if the loop polls more often than it tries.
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
				t.Errorf("got %v (%s), want both final states, seen and gave up", got.Finals, got.Why)
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

// If the first execution of a process differs from later ones, no search of the later ones
// claims to be exhaustive. The result says why.
func TestFirstExecution(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Lazies() {
		cfg, onlyLater := search.Config{Name: b.Name, Plan: searches(50), Workers: 1}, workers.Hooks{OnlyLater: true}
		r := runWith(t, onlyLater, cfg, b.Run)
		if r.Exhausted || r.Verdict != verdict.Holds || !strings.Contains(r.Summary(), "first execution") || !strings.Contains(r.Claim(), "first execution") {
			t.Errorf("%s: got %v (%s), want it to hold without a claim, because of the first execution", b.Name, r.Verdict, r.Summary())
		}
		if r = runWith(t, onlyLater, cfg, b.Run); !r.Exhausted || strings.Contains(r.Summary(), "first execution") {
			t.Errorf("%s, once more: got %v (%s), want it exhausted", b.Name, r.Verdict, r.Summary())
		}
	}
}

// The first execution is like later ones if the harness cancels contexts as the test does, and if
// calls of loggers are several steps once a logger was set.
func TestFirstExecutionLikeOthers(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, body := range []func(*engine.T){cancels, logs} {
		r := runWith(t, workers.Hooks{OnlyLater: true}, search.Config{Name: t.Name(), Plan: searches(50), Workers: 1}, body)
		if r.Verdict != verdict.Holds || r.Kept || strings.Contains(r.Summary(), "first execution") {
			t.Errorf("got %v (%s), want it to hold, with nothing that outlives a schedule", r.Verdict, r.Summary())
		}
	}
}

func cancels(t *engine.T) {
	_, left := context.WithCancel(t.Context())
	t.Cleanup(left) // after the harness has cancelled the parent
	outer, cancel := context.WithCancel(context.Background())
	inner, other := context.WithCancel(outer)
	defer other()
	go cancel()
	<-inner.Done()
}

func logs(t *engine.T) {
	l := log.New(os.Stdout, "", 0)
	t.Go("sets", func() { l.SetFlags(log.Lmsgprefix) })
	t.Go("logs", func() { l.Print() })
	t.Wait()
}

// If there are only a few first executions, each runs in a process of its own. Then the
// search claims what it has covered.
func TestFirstExecutionsExhausted(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Lazies() {
		r := run(t, search.Config{Name: b.Name, Plan: searches(50), Workers: 1}, b.Run)
		if !r.Exhausted || !r.Unbounded || r.Verdict != verdict.Holds {
			t.Errorf("%s: got %v (%s), want it to hold, exhausted", b.Name, r.Verdict, r.Summary())
		}
	}
}

// A failure that only the first execution of a process can reach is found. Its card replays
// it in a process of its own.
func TestFirstExecutionFails(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, search.Config{Name: t.Name(), Plan: searches(50)}, programs.Singleton)
	if r.Verdict != verdict.Violated || r.Failure.Message != "two connections" || r.Failure.Card == "" {
		t.Errorf("got %v (%s), want the failure with a card", r.Verdict, r.Summary())
	}
}

// A failure that needs a search among first executions is found, too.
func TestFirstExecutionSearched(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, search.Config{Name: t.Name(), Plan: searches(50)}, programs.Filling)
	if r.Verdict != verdict.Violated || r.Failure.Message != "seen before it was full" || r.Failure.Strategy != "dpor" {
		t.Fatalf("got %v (%s), want the failure, found by dpor", r.Verdict, r.Summary())
	}
}

// The first samples are of later executions, because a first one costs as much as a process.
func TestFirstSamplesAreOfLaterExecutions(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	once := programs.Lazies()[1].Run
	r := run(t, search.Config{Name: t.Name(), Plan: strategy.DefaultPlan()}, func(t *engine.T) {
		once(t)
		programs.LostUpdate(t)
	})
	if r.Failure == nil || r.Failure.Strategy != "directed" {
		t.Errorf("got %s, want it found by directed, which comes first in the plan", r.Summary())
	}
}

// Assembly is reported as unseen, unless it belongs to the Go installation or is known to
// use only its arguments.
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

// A failure of both first and later executions is reported from a later one, even if the
// first one takes another course. The report names the default schedule, and other schedules
// are minimised as usual.
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
		t.Errorf("got %s, want it by the default schedule", r.Summary())
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
		t.Errorf("got %s, want it minimal with one preemption", r.Summary())
	}
}
