package explore_test

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// Goroutines that poll are judged like others.
func TestSpins(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Spins() {
		t.Run(b.Name, func(t *testing.T) { judge(t, small(b.Name), b) })
	}
}

// A spin ends under every strategy after few steps. No execution comes near the limit of steps.
func TestSpinsEnd(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, s := range []explore.Strategy{explore.PCT(3), explore.RandomWalk(), explore.POS(), explore.SURW(), explore.Directed(), explore.Guided(), explore.DepthFirst(2), explore.DPOR()} {
		for _, b := range programs.Spins() {
			if b.Verdict != explore.Holds {
				continue
			}
			t.Run(s.Name()+"/"+b.Name, func(t *testing.T) {
				cfg := small(b.Name)
				cfg.Plan = []explore.Stage{{Strategy: s, Schedules: 300}}
				r := run(t, cfg, b.Run)
				if r.Verdict != explore.Holds {
					t.Fatalf("got %v (%s), want it to hold", r.Verdict, r.Summary())
				}
				if r.Points > cfg.MaxSteps/2 {
					t.Errorf("got an execution of %d decisions, want fewer", r.Points)
				}
			})
		}
	}
}

// A search is exhaustive even if a goroutine could spin for ever. It says which schedules it left
// out.
func TestSpinsAreExhausted(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for name, body := range map[string]func(*explore.T){"spin lock": programs.SpinLock, "CAS loop": programs.CASLoop} {
		cfg := small(name)
		cfg.Plan = []explore.Stage{{Strategy: explore.DepthFirst(2), Schedules: 20_000}}
		r := run(t, cfg, body)
		if !r.Exhausted || r.Bound != 2 {
			t.Errorf("%s: got %s, want it exhausted", name, r.Summary())
		}
		if spins := name == "spin lock"; r.Cut != spins || strings.Contains(r.Summary(), "taken to wait") != spins {
			t.Errorf("%s: got %s, want the schedules left out", name, r.Summary())
		}
	}
}

// The report of a livelock names the spinning goroutines and their objects, and those that starve.
func TestLivelockSays(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Minimise = 20 // each execution takes all of its steps
	r := run(t, cfg, programs.Starving)
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindLivelock {
		t.Fatalf("got %s, want a livelock", r.Summary())
	}
	for _, want := range []string{`"busy 0" does `, `"starved" waits in vain (chan receive)`, "odd_spin.go:"} {
		if !strings.Contains(r.Failure.Message, want) {
			t.Errorf("got %q, want %q in it", r.Failure.Message, want)
		}
	}
}

// A loop that only calls the garbage collector counts as waiting, so other goroutines run.
func TestCollectorsWait(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	freed := func(t *explore.T) {
		var w weak.Pointer[[1024]int]
		func(x *[1024]int) {
			w = weak.Make(x)
			t.Go("keeps", func() { runtime.KeepAlive(x) })
		}(new([1024]int))
		for w.Value() != nil {
			runtime.GC()
		}
		t.Wait()
	}
	counted := func(t *explore.T) {
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		t.Go("collects", runtime.GC)
		for runtime.ReadMemStats(&now); now.NumForcedGC == before.NumForcedGC; {
			runtime.ReadMemStats(&now)
		}
		t.Wait()
	}
	for name, body := range map[string]func(*explore.T){"GC": freed, "ReadMemStats": counted} {
		cfg := small(name)
		cfg.Watchdog, cfg.Schedules = 2*time.Second, 20
		if r := run(t, cfg, body); r.Verdict != explore.Holds {
			t.Errorf("%s: got %v (%s), want it to hold", name, r.Verdict, r.Summary())
		}
	}
}
