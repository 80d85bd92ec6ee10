package search_test

import (
	"testing"

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
