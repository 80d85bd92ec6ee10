package explore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// A ways is a plan with a name.
type ways struct {
	name string
	plan []explore.Stage
}

// waysToTime returns the plans for programs with timers.
func waysToTime(sampled int) []ways {
	return []ways{
		{"sampled", []explore.Stage{{Strategy: explore.POS(), Schedules: sampled}, {Strategy: explore.SURW(), Schedules: sampled}, {Strategy: explore.PCT(0), Schedules: sampled}}},
		{"dfs", []explore.Stage{{Strategy: explore.DepthFirst(2), Schedules: 500}}},
		{"dpor", []explore.Stage{{Strategy: explore.DPOR(), Schedules: 500}}},
	}
}

// Every strategy finds a bug that needs a goroutine to be held up while a timer fires. The
// report has the shortest stall that it needs.
func TestTimings(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Timings() {
		for _, w := range waysToTime(300) {
			t.Run(b.Name+"/"+w.name, func(t *testing.T) {
				cfg := explore.Config{Name: b.Name, Plan: w.plan, Workers: 1}
				r := run(t, cfg, b.Run)
				f := r.Failure
				if f == nil || f.Kind != explore.KindTiming {
					t.Fatalf("got %v (%s), want a failure of the kind timing", r.Verdict, r.Summary())
				}
				if f.Stall != b.Stall || f.Needs != fmt.Sprintf("only if somebody is held up, here %q for %v", b.Held, b.Stall) {
					t.Errorf("got %v, %q, want %q for %v", f.Stall, f.Needs, b.Held, b.Stall)
				}
				if !strings.HasPrefix(f.Timeline.Cause, f.Needs) {
					t.Errorf("got the cause %q, want it to begin with %q", f.Timeline.Cause, f.Needs)
				}
				again, err := explore.Replay(t.Context(), cfg, f.Card, b.Run)
				if err != nil || again.Outcome != explore.Exact || again.Result.Failure.Needs != strings.Replace(f.Needs, "only if", "where", 1) {
					t.Errorf("got %v, %v, want an exact replay", again, err)
				}
				cfg.Stall = b.Stall - time.Nanosecond
				if r := run(t, cfg, b.Run); r.Verdict == explore.Violated {
					t.Errorf("with a shorter stall: got %v (%s), want no failure", r.Verdict, r.Summary())
				}
			})
		}
	}
}

// A report says "only if" a goroutine is held up only if a search has shown it.
func TestTimingsThatWereNotShown(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	b := programs.Timings()[0]
	for most, want := range map[int]string{1: "found only where ", 600: "only if "} {
		r := run(t, explore.Config{Name: b.Name, Plan: waysToTime(300)[1].plan, Workers: 1, Minimise: most}, b.Run)
		if f := r.Failure; f == nil || !strings.HasPrefix(f.Needs, want) || f.Only != (want == "only if ") {
			t.Errorf("with %d executions: got %+v, want %q", most, f, want)
		}
	}
}

// Programs that are right however long anything takes, up to seconds, are not reported as wrong.
func TestTimed(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Timed() {
		for _, w := range waysToTime(100) {
			t.Run(b.Name+"/"+w.name, func(t *testing.T) {
				r := run(t, explore.Config{Name: b.Name, Plan: w.plan, Workers: 1}, b.Run)
				if r.Verdict != b.Verdict {
					t.Fatalf("got %v (%s), want %v", r.Verdict, r.Summary(), b.Verdict)
				}
				t.Log(r.Summary())
				if r.Exhausted != strings.Contains(r.Summary(), "stalls up to 10ms") {
					t.Errorf("got %q, want it to say how long anyone was held up, if exhausted", r.Summary())
				}
			})
		}
	}
}

// A test may wait for others that live by thousands of timers, as by sleeping.
func TestWaitsForManyTimers(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	const most = 12_000
	for name, start := range map[string]func(done chan<- bool){
		"calls": func(done chan<- bool) {
			fired := 0
			var fire func()
			fire = func() {
				if fired++; fired == most {
					close(done)
					return
				}
				time.AfterFunc(time.Millisecond, fire)
			}
			fire()
		},
		"sleeps": func(done chan<- bool) {
			go func() {
				for range most {
					time.Sleep(time.Millisecond)
				}
				close(done)
			}()
		},
	} {
		cfg := explore.Config{Name: name, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 1}}, Workers: 1}
		r := run(t, cfg, func(*explore.T) {
			done := make(chan bool)
			start(done)
			<-done
		})
		if r.Failure != nil {
			t.Errorf("%s: got %s, want no failure", name, r.Summary())
		}
	}
}

// Timers that are due together fire together, and a claim says so where a goroutine that one of
// them wakes could see that another one has not fired.
func TestTimersDueTogether(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for together, body := range map[bool]func(t *explore.T){
		true: func(*explore.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		},
		false: func(t *explore.T) {
			for range 2 {
				t.Go("sleeps", func() { time.Sleep(time.Second) })
			}
			t.Wait()
		},
	} {
		r := run(t, explore.Config{Plan: []explore.Stage{{Strategy: explore.DPOR(), Schedules: 1000}}}, body)
		if r.Together != together || !r.Unbounded || strings.Contains(r.Claim(), "timers due together firing together") != together {
			t.Errorf("got %s, want timers due together: %t", r.Claim(), together)
		}
	}
}
