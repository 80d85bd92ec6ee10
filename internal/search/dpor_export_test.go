package search

import (
	"context"
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// A Search is the result of running a strategy's schedules. It does not stop at failures.
type Search struct {
	Schedules int            // all of them
	Whole     int            // those that ran to their end
	Finals    map[string]int // final states, with the number of times each was reached
	Orders    int            // schedules that differ by happens-before
	Apart     int            // of these, how many still differ when alike goroutines count as one
	Complete  bool           // no schedules are left
	Why       string         // why DPOR makes no claim
	Spent     bool           // a timer was out of reach because goroutines had been held up before
}

// SearchAll runs schedules of s until none is left, or limit have run. final returns the final
// state of an execution.
func SearchAll(cfg Config, s schedule.Strategy, limit int, body func(*engine.T), final func() string) (Search, error) {
	cfg.Leaks = engine.LeaksFail
	x, err := begin(context.Background(), cfg, body)
	if err != nil {
		return Search{}, err
	}
	defer x.end()
	x.Execute(schedule.DefaultPick{}, 1, nil) // a process does some things only once
	x.First = false
	got := Search{Finals: make(map[string]int)}
	s.Reset(engine.SeedOf(s, 1)) // as the explorer does
	for got.Schedules < limit {
		seed, ok := s.Begin()
		if !ok {
			got.Complete = true
			break
		}
		ex := x.Execute(s, seed, nil)
		s.End(traceOf(&workers.Course{Run: ex.Run, Ending: workers.Ending{Cut: ex.Spins.Cut, Polled: ex.Spins.Polled}, Ex: ex}))
		got.Schedules++
		got.Spent = got.Spent || ex.Stalls.Short
		if fresh := x.learn(ex.Out.Races); x.Observe(ex.Observed) || fresh {
			s.Reset(engine.SeedOf(s, 1)) // as the explorer does
			got, x.seen = Search{Finals: make(map[string]int)}, make(map[uint64]bool)
			continue
		}
		if ex.Out.Unknown != "" {
			return got, fmt.Errorf("schedule %d: %s", got.Schedules, ex.Out.Unknown)
		}
		if d, ok := s.(interface{ Beyond() bool }); ex.Stopped || ok && d.Beyond() {
			continue
		}
		got.Whole++
		x.seen[ex.Sum] = x.seen[ex.Sum] || !mirrored(ex.Trail)
		got.Finals[strings.TrimSpace(fmt.Sprintf("%s %s %s", final(), ex.Out.Kind, ex.List(ex.Out.Blocked)))]++
	}
	got.Orders = len(x.seen)
	for _, apart := range x.seen {
		if apart {
			got.Apart++
		}
	}
	if d, ok := s.(schedule.Exhauster); ok {
		got.Why = d.Exhausted().Why
	}
	return got, nil
}

// mirrored reports whether DPOR treats an execution as another one with two alike goroutines
// exchanged: the one started later went first. Waiting for a mutex does not count as a step.
func mirrored(steps []schedule.Step) bool {
	begun, twins := make(map[uint32]bool), make(map[uint32]uint32)
	gone := make(map[uint32]bool)
	for i := range steps {
		s := &steps[i]
		if s.Twin != 0 {
			twins[s.Goroutine] = s.Twin
		}
		if begun[s.Goroutine] && !s.Resumed {
			if twin := twins[s.Goroutine]; twin != 0 && !gone[twin] {
				return true
			}
			gone[s.Goroutine] = true
		}
		begun[s.Goroutine] = true
	}
	return false
}

// Omitted returns what a DPOR search left out, or "" for nothing.
func Omitted(s schedule.Strategy) string { return s.(schedule.Exhauster).Exhausted().Why }
