package search_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// small returns a small exploration, which still gets the verdict of each program.
func small(name string) search.Config {
	return search.Config{
		Name: name, MaxSteps: 5000,
		Plan: []schedule.Stage{
			{Strategy: strategy.PCT(3), Schedules: 30},
			{Strategy: strategy.RandomWalk(), Schedules: 30},
			{Strategy: strategy.DepthFirst(1), Schedules: 200},
		},
	}
}

func run(t *testing.T, cfg search.Config, body func(*engine.T)) *verdict.Result {
	t.Helper()
	return runWith(t, workers.Hooks{}, cfg, body)
}

func runWith(t *testing.T, hooks workers.Hooks, cfg search.Config, body func(*engine.T)) *verdict.Result {
	t.Helper()
	r, err := search.Run(workers.WithHooks(t.Context(), hooks), cfg, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Nothing is run for a context that has ended.
func TestContextHasEnded(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg, ran := small(t.Name()), 0
	r := run(t, cfg, func(t *engine.T) { t.Error("it fails") })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body := func(*engine.T) { ran++ }
	_, err1 := search.Run(ctx, cfg, body)
	_, err2 := search.Replay(ctx, cfg, r.Failure.Card, body)
	_, err3 := search.Survey(ctx, cfg, body)
	_, err4 := search.Confirm(ctx, cfg, r.Suspect, body)
	for i, err := range []error{err1, err2, err3, err4} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call %d: got %v, want the context's error", i+1, err)
		}
	}
	if ran != 0 {
		t.Errorf("got %d executions, want none", ran)
	}
}

// beside is a strategy whose choices are never in range. It keeps what was chosen instead.
type beside struct {
	index int
	run   []schedule.Decision
}

func (*beside) Name() string                           { return "beside" }
func (*beside) Reset(uint64)                           {}
func (*beside) Begin() (uint64, bool)                  { return 1, true }
func (s *beside) Pick(*schedule.Point) schedule.Choice { return schedule.Choice{Index: s.index} }
func (s *beside) End(run schedule.Trace)               { s.run = append(s.run, run.Decisions...) }

// A choice out of range stands for the default one, and the strategy is told.
func TestChoiceOutOfRange(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, index := range []int{-1, 99} {
		s := &beside{index: index}
		cfg := small(t.Name())
		cfg.Plan = []schedule.Stage{{Strategy: s, Schedules: 3}}
		if r := run(t, cfg, lots); r.Exhausted || r.Schedules != 3 || len(s.run) == 0 {
			t.Fatalf("%d: got %s with %d decisions, want 3 schedules", index, r.Summary(), len(s.run))
		}
		for _, d := range s.run {
			if d.Chosen.Index != d.Default {
				t.Errorf("%d: got the choice %d, want the default, %d", index, d.Chosen.Index, d.Default)
			}
		}
	}
}
