package search

import (
	"context"
	"fmt"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// Drawn runs a plan once for each seed without stopping at failures. It returns the pairs of places
// of each schedule that did not fail. It is complete if every strategy has no schedule left.
func Drawn(cfg Config, plan func() []schedule.Stage, seeds []uint64, body func(*engine.T)) (runs [][][]uint64, complete bool, err error) {
	cfg.Leaks = engine.LeaksFail
	x, err := begin(context.Background(), cfg, body)
	if err != nil {
		return nil, false, err
	}
	defer x.end()
	x.Execute(schedule.DefaultPick{}, 1, nil) // a process does some things only once
	x.First = false
	for i := 0; i < len(seeds); i++ {
		var run [][]uint64
		complete = true
		fresh := false
		for k, stage := range plan() {
			s := stage.Strategy
			s.Reset(engine.SeedOf(s, seeds[i]+1_000_003*uint64(k)))
			ended := false
			for range stage.Schedules {
				seed, ok := s.Begin()
				if ended = !ok; ended {
					break
				}
				ex := x.Execute(s, seed, nil)
				s.End(traceOf(&workers.Course{Run: ex.Run, Ending: workers.Ending{Cut: ex.Spins.Cut, Polled: ex.Spins.Polled}, Ex: ex}))
				if ex.Out.Unknown != "" {
					return nil, false, fmt.Errorf("schedule %d: %s", len(run), ex.Out.Unknown)
				}
				if learnt := x.learn(ex.Out.Races); x.Observe(ex.Observed) || learnt {
					fresh = true
					break
				}
				if ex.Out.Kind == "" {
					run = append(run, x.pairs.Of(ex.Trail))
				}
			}
			complete = complete && ended
		}
		if fresh { // new points were found
			i, runs = -1, nil
			continue
		}
		runs = append(runs, run)
	}
	return runs, complete, nil
}

// NoveltyOf returns the novelty of samples with these pairs.
func NoveltyOf(samples [][]uint64) verdict.Novelty {
	var n novelty
	for _, pairs := range samples {
		n.add(pairs)
	}
	return n.sum()
}
