package strategies

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/bench/figures"
)

// A plan is a way to spend a number of schedules on several strategies. The
// schedules that it needs are computed from the samples of each strategy alone. In a
// real exploration it may need fewer, because the strategies share the racing
// accesses that they find.
type plan struct {
	stages      []stage
	each        int  // schedules of each stage except the last, which has the rest
	interleaved bool // one schedule of each stage in turn instead
}

// A stage is a part of a plan, with the schedules of one column.
type stage struct {
	column int
	name   string
}

// stages returns a stage for each column, the default plan last.
func (o order) stages() []stage {
	var all []stage
	for i, c := range o.columns {
		all = append(all, stage{i, c.name})
	}
	return all
}

func (p plan) String() string {
	var names []string
	for _, s := range p.stages {
		names = append(names, s.name)
	}
	switch {
	case p.interleaved:
		return strings.Join(names, " | ")
	case len(p.stages) == 1:
		return names[0]
	}
	return fmt.Sprintf("%s, %d each", strings.Join(names, ", "), p.each)
}

// needs returns how many schedules the plan needs to find a bug, or figures.Never.
func (p plan) needs(r row, seed, limit int) int {
	if p.interleaved {
		return p.needsInterleaved(r, seed, limit)
	}
	spent := 0
	for i, stage := range p.stages {
		most := p.each
		if i == len(p.stages)-1 {
			most = limit - spent
		}
		s := r.samples[stage.column][seed]
		if s.Found && s.Schedules <= most {
			return spent + s.Schedules
		}
		spent += min(s.Schedules, most)
	}
	return figures.Never
}

func (p plan) needsInterleaved(r row, seed, limit int) int {
	least := figures.Never
	for i, stage := range p.stages {
		s := r.samples[stage.column][seed]
		if !s.Found {
			continue
		}
		n := s.Schedules
		for j, other := range p.stages {
			o := r.samples[other.column][seed].Schedules // all that the other column ran
			if j < i {
				n += min(s.Schedules, o)
			} else if j > i {
				n += min(s.Schedules-1, o)
			}
		}
		least = min(least, n)
	}
	if least > limit {
		return figures.Never
	}
	return least
}

// A score summarises the results of a plan for all bugs. Each bug and seed counts the same.
type score struct {
	plan
	missed int     // searches that did not find the bug within the limit
	mean   float64 // schedules; a miss counts as the limit
	median int     // of all searches
	slow   int     // schedules that one search in twenty needs at least
	most   int     // maximum of all searches
}

func (p plan) score(rows []row, limit int) score {
	s := score{plan: p}
	var all []int
	sum := 0
	for _, r := range rows {
		for seed := range r.samples[0] {
			n := p.needs(r, seed, limit)
			if n == figures.Never {
				s.missed++
			}
			all = append(all, n)
			sum += min(n, limit)
		}
	}
	slices.Sort(all)
	s.mean = float64(sum) / float64(len(all))
	s.median, s.slow, s.most = figures.Median(all), all[len(all)*95/100], figures.Worst(all)
	return s
}

// rank scores the plans and sorts them, the best first: fewest bugs missed, then fewest
// schedules on average.
func rank(plans []plan, rows []row, limit int) []score {
	var all []score
	for _, p := range plans {
		all = append(all, p.score(rows, limit))
	}
	slices.SortStableFunc(all, better)
	return all
}

func better(a, b score) int {
	return cmp.Or(cmp.Compare(a.missed, b.missed), cmp.Compare(a.mean, b.mean))
}

// near is the factor of the best mean up to which a plan counts as equally good.
const near = 1.1

// choose selects a plan: among those that miss least and are near the best mean, the
// one with the smallest worst case.
func choose(all []score) score {
	best := slices.MinFunc(all, better)
	return slices.MinFunc(all, func(a, b score) int {
		return cmp.Or(cmp.Compare(a.missed, b.missed), far(a, best)-far(b, best), cmp.Compare(a.most, b.most), cmp.Compare(a.mean, b.mean))
	})
}

// far returns 1 for a plan that is not near the best, and 0 otherwise.
func far(s, best score) int {
	if s.mean > near*best.mean {
		return 1
	}
	return 0
}

// alone returns the plans with one stage.
func alone(stages []stage) []plan {
	var all []plan
	for _, s := range stages {
		all = append(all, plan{stages: []stage{s}})
	}
	return all
}

// sequences returns the plans that try two or three strategies one after the other.
func sequences(strategies []stage) []plan {
	var all []plan
	for _, stages := range arrangements(strategies, 3) {
		for _, each := range []int{20, 50, 100} {
			if len(stages) > 1 {
				all = append(all, plan{stages: stages, each: each})
			}
		}
	}
	return all
}

// interleavings returns the plans whose strategies take turns.
func interleavings(strategies []stage) []plan {
	var all []plan
	for _, stages := range arrangements(strategies, 4) {
		if len(stages) > 1 {
			all = append(all, plan{stages: stages, interleaved: true})
		}
	}
	return all
}

// arrangements lists the ways to put one to most different strategies in order.
func arrangements(strategies []stage, most int) [][]stage {
	all := [][]stage{nil}
	for i := 0; i < len(all); i++ {
		for _, s := range strategies {
			if len(all[i]) < most && !slices.Contains(all[i], s) {
				all = append(all, append(slices.Clone(all[i]), s))
			}
		}
	}
	return all[1:]
}
