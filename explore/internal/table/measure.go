package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/jacquard-go/jacquard/explore"
)

// A strategy is one column.
type strategy struct {
	name string
	make func() explore.Strategy
}

// strategies are what is compared.
var strategies = [...]strategy{
	{"random", explore.RandomWalk},
	{"pct 3", func() explore.Strategy { return explore.PCT(3) }},
	{"pos", explore.POS},
	{"surw", explore.SURW},
	{"dfs ≤ 2", func() explore.Strategy { return explore.DepthFirst(2) }},
}

// A sample is one search for a bug.
type sample struct {
	found     bool
	schedules int // until the bug was found, or all that there were
}

// A row is one bug: for each strategy, a sample for each seed.
type row struct {
	bug
	samples [len(strategies)][]sample
}

// measure searches for every bug with every strategy. It says on log what it is
// at.
func measure(ctx context.Context, bugs []bug, seeds, limit int, log io.Writer) ([]row, error) {
	var rows []row
	for i, b := range bugs {
		fmt.Fprintf(log, "%3d/%d %s\n", i+1, len(bugs), b.name)
		r := row{bug: b}
		for j, s := range strategies {
			for seed := 1; seed <= seeds; seed++ {
				found, err := b.search(ctx, uint64(seed), explore.Stage{Strategy: s.make(), Schedules: limit})
				if err != nil {
					return nil, err
				}
				r.samples[j] = append(r.samples[j], found)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// never stands for a bug that was not found: more schedules than any limit.
const never = 1 << 30

// needed are the numbers of schedules, least first.
func needed(samples []sample) []int {
	var all []int
	for _, s := range samples {
		n := never
		if s.found {
			n = s.schedules
		}
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// median is the upper one of two.
func median(sorted []int) int { return sorted[len(sorted)/2] }

func worst(sorted []int) int { return sorted[len(sorted)-1] }
