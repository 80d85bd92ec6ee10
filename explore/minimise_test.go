package explore_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// fewest has the number of preemptions that each classic needs. TestFewestPreemptions proves in
// each run that fewer are not enough.
var fewest = map[string]int{
	"ABA in a Treiber stack":             1,
	"CAS without a retry":                1,
	"test, then set":                     1,
	"reference from zero":                1,
	"torn pair":                          1,
	"double-checked lock":                0,
	"RWMutex re-entry":                   1,
	"dining philosophers":                1,
	"write under a read lock":            0,
	"bounded queue with one condition":   0,
	"lost wake-up":                       1,
	"two producers on a ring for one":    1,
	"last item of a work-stealing deque": 1,
	"semaphore taken piece by piece":     1,
	"lock upgrade":                       1,
}

// A schedule is reduced to the fewest preemptions possible, however many it was found with. The
// search below that number proves it.
func TestFewestPreemptions(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	seen := 0
	for _, c := range programs.Classics() {
		want, known := fewest[c.Name]
		if !known {
			continue
		}
		seen++
		t.Run(c.Name, func(t *testing.T) {
			for seed := uint64(1); seed <= 3; seed++ {
				cfg := explore.Config{
					Name: c.Name, Seed: seed, Minimise: 5000,
					Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 2000}},
				}
				f := run(t, cfg, c.Bug.Run).Failure
				if f == nil {
					t.Fatalf("seed %d: got no failure, want one", seed)
				}
				t.Logf("seed %d: found with %d in %d steps, minimised to %d in %d", seed, f.Found, f.FoundSteps, f.Preemptions, f.Steps)
				if f.Preemptions != want || !f.Minimal {
					t.Errorf("seed %d: got %d preemptions (minimal: %v), want %d", seed, f.Preemptions, f.Minimal, want)
				}
				if f.Preemptions == f.Found && f.Steps > f.FoundSteps {
					t.Errorf("seed %d: got %d steps, want at most the %d found with as many preemptions", seed, f.Steps, f.FoundSteps)
				}
			}
		})
	}
	if seen != len(fewest) {
		t.Errorf("got %d classics, want all %d", seen, len(fewest))
	}
}

// A failure that does not depend on the schedule is shown without preemptions. This schedule may
// have more steps than the one found, because a goroutine blocks in it.
func TestNobodyPreempted(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := explore.Config{Name: t.Name(), Seed: 1, Minimise: 1000, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 1}}}
	f := run(t, cfg, func(t *explore.T) {
		for range 100 {
			done := make(chan int)
			t.Go("closes", func() { close(done) })
			<-done
		}
		t.Errorf("wrong")
	}).Failure
	if f == nil || f.Found == 0 || f.Preemptions != 0 {
		t.Errorf("got %+v, want a failure found with preemptions and reported without", f)
	}
}

// Hundreds of preemptions that have no part in a failure are removed many at once. This takes
// fewer executions than there are deviations.
func TestManyDeviations(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := explore.Config{Name: t.Name(), Seed: 1, Minimise: 60, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 2000}}}
	f := run(t, cfg, func(t *explore.T) {
		var n, others atomic.Int64
		for range 2 {
			t.Go("adds", func() {
				for range 200 {
					others.Add(1)
				}
				n.Store(n.Load() + 1)
			})
		}
		t.Wait()
		if got := n.Load(); got != 2 {
			t.Errorf("got %d, want 2", got)
		}
	}).Failure
	if f == nil {
		t.Fatal("got no failure, want one")
	}
	t.Logf("found with %d preemptions, minimised to %d", f.Found, f.Preemptions)
	if f.Found < 100 || f.Preemptions > 20 {
		t.Errorf("got %d preemptions minimised to %d, want at least 100 to at most 20", f.Found, f.Preemptions)
	}
}

// Minimisation keeps the failure that was found, even if another one of the same kind takes
// fewer preemptions.
func TestMinimisationKeepsTheCause(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct {
		name string
		body func(*explore.T)
		hard string // part of the message of the failure that needs preemptions
	}{
		{"checks", programs.TwoChecks, "lost"},
		{"deadlocks", programs.TwoDeadlocks, `"ab"`},
		{"panics", programs.TwoPanics, "lost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			hard, easy := 0, 0
			for seed := uint64(1); seed <= 10; seed++ {
				cfg := explore.Config{
					Name: c.name, Seed: seed,
					Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 200}},
				}
				left := cfg
				left.Minimise = -1
				found, reduced := run(t, left, c.body).Failure, run(t, cfg, c.body).Failure
				if found.Message != reduced.Message {
					t.Fatalf("seed %d: got %q minimised to %q, want the same failure", seed, found.Message, reduced.Message)
				}
				if found.Minimal && found.Preemptions > 0 || found.Steps != found.FoundSteps {
					t.Errorf("seed %d: got it minimised, want it as found", seed)
				}
				if strings.Contains(found.Message, c.hard) {
					hard++
					if reduced.Preemptions != 1 {
						t.Errorf("seed %d: got %d preemptions for %q, want 1", seed, reduced.Preemptions, reduced.Message)
					}
				} else {
					easy++
					if reduced.Preemptions != 0 {
						t.Errorf("seed %d: got %d preemptions for %q, want 0", seed, reduced.Preemptions, reduced.Message)
					}
				}
			}
			if hard == 0 || easy == 0 {
				t.Errorf("got the hard failure %d times and the easy one %d times, want both", hard, easy)
			}
		})
	}
}

// Minimisation makes no more executions than allowed. With fewer it claims less.
func TestMinimisationIsBounded(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, most := range []int{-1, 1, 5, 50} {
		cfg := small("lost update")
		executions := 0
		cfg.Minimise = most
		body := func(t *explore.T) { executions++; programs.LostUpdate(t) }
		r := run(t, cfg, body)
		// The other executions are two or three by the default schedule, one to settle, and
		// those that make and check the card.
		if extra := executions - r.Schedules - max(most, 0); extra > 10 {
			t.Errorf("Minimise %d: got %d executions for %d schedules, want at most 10 others", most, executions, r.Schedules)
		}
		if r.Failure.Preemptions > 1 && r.Failure.Minimal {
			t.Errorf("Minimise %d: got %d preemptions as minimal, want no such claim", most, r.Failure.Preemptions)
		}
	}
}

// The report says how far the schedule was minimised.
func TestMinimisationIsShown(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := explore.Config{Name: "lost update", Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 100}}}
	f := run(t, cfg, programs.LostUpdate).Failure
	footer := strings.Join(f.Timeline.Footer, "\n")
	const want = "1 preemption in 12 steps, found by random at schedule 1; seed 1\n" +
		"found with 4 preemptions in 12 steps; minimised to 1 in 12; fewer preemptions are not enough"
	if footer != want {
		t.Errorf("got\n%s\nwant\n%s", footer, want)
	}
}

// Minimisation rejects fewer preemptions if the execution becomes much longer.
func TestMinimisationMakesNothingLonger(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for seed := uint64(1); seed <= 5; seed++ {
		cfg := explore.Config{Name: t.Name(), Seed: seed, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 1}}}
		f := run(t, cfg, func(t *explore.T) {
			var polls atomic.Int64
			var stop atomic.Bool
			t.Go("polls", func() {
				t.Go("stops", func() { stop.Store(true) })
				for polls.Add(1) < 200 && !stop.Load() {
				}
			})
			t.Wait()
			t.Errorf("it has polled")
		}).Failure
		if f == nil {
			t.Fatalf("seed %d: got no failure, want one", seed)
		}
		if f.Steps > f.FoundSteps+8 || f.Minimal && f.Preemptions > 0 {
			t.Errorf("seed %d: got %d preemptions in %d steps from %d in %d (minimal: %v), want few more steps", seed, f.Preemptions, f.Steps, f.Found, f.FoundSteps, f.Minimal)
		}
	}
}

// The cost of minimisation is limited in steps as well as executions: schedules that do not fail
// may be far longer than the failing one.
func TestMinimisationOfAShortFailureAmongLongSchedules(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	const long, executions, steps = 20000, 60, 1000
	polled, reducing := 0, false
	cfg := explore.Config{
		Name: t.Name(), Seed: 1, MaxSteps: 2 * long, Minimise: executions,
		Plan:  []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 100}},
		Hurry: func() bool { reducing = true; return false },
	}
	r := run(t, cfg, func(t *explore.T) {
		var a, b atomic.Int64
		t.Go("looks", func() {
			if was := a.Load(); was != a.Load() {
				t.Errorf("changed")
				return
			}
			for range long {
				b.Load()
				if reducing {
					polled++
				}
			}
		})
		t.Go("sets", func() { a.Store(1) })
		t.Wait()
	})
	if r.Failure == nil {
		t.Fatalf("got %s, want a failure", r.Summary())
	}
	if polled > executions*steps+long {
		t.Errorf("got %d loads while minimising, want at most %d", polled, executions*steps+long)
	}
}
