package explore

import (
	"context"
	"fmt"
	"strings"
)

// A Search is what came of running schedules of a strategy, without stopping
// at failures.
type Search struct {
	Schedules int            // in all
	Whole     int            // that were run to their end
	Finals    map[string]int // final states, and how often each was reached
	Orders    int            // how many of the schedules differ by happens-before
	Complete  bool           // there are no more
	Why       string         // if DPOR makes no claim
}

// SearchAll runs schedules of s until there are no more. final is what the body
// has said last.
func SearchAll(cfg Config, s Strategy, limit int, body func(*T), final func() string) (Search, error) {
	cfg.Leaks = LeaksFail
	x, err := begin(context.Background(), cfg, body)
	if err != nil {
		return Search{}, err
	}
	defer x.end()
	x.execute(defaultPick{}, 1, nil) // what a process does only once
	got := Search{Finals: make(map[string]int)}
	s.Reset(seedOf(s, 1)) // as the explorer does
	for got.Schedules < limit {
		seed, ok := s.Begin()
		if !ok {
			got.Complete = true
			break
		}
		ex := x.execute(s, seed, nil)
		s.End(traceOf(ex))
		got.Schedules++
		if x.learn(ex.out.races) {
			s.Reset(seedOf(s, 1)) // as the explorer does
			got, x.seen = Search{Finals: make(map[string]int)}, make(map[uint64]bool)
			continue
		}
		if ex.out.unknown != "" {
			return got, fmt.Errorf("schedule %d: %s", got.Schedules, ex.out.unknown)
		}
		if ex.stopped {
			continue
		}
		got.Whole++
		x.seen[ex.sum] = true
		got.Finals[strings.TrimSpace(fmt.Sprintf("%s %s %s", final(), ex.out.kind, ex.list(ex.out.blocked)))]++
	}
	got.Orders = len(x.seen)
	if d, ok := s.(*dpor); ok {
		got.Why = d.why
	}
	return got, nil
}

func traceOf(ex *execution) Trace {
	c := course{run: ex.run, cut: ex.spins.cut, ex: ex}
	return c.trace()
}

// Omitted is what a DPOR has left out; "" is nothing.
func Omitted(s Strategy) string { return s.(*dpor).why }
