package strategies

import (
	"context"
	"fmt"
	"sync"

	"github.com/jacquard-go/jacquard/bench/figures"
	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

// A bug is a program with a known bug.
type bug struct {
	group, name string
	explore     func(ctx context.Context, seed uint64, enough func(explore.Result) bool, plan ...explore.Stage) (*explore.Result, error)
	right       func(explore.Kind) bool // whether a violation is the bug
}

func (b bug) String() string { return b.group + ": " + b.name }

// known lists all bugs, group by group.
func known() []bug {
	var all []bug
	for _, b := range programs.Canaries() {
		if b.Verdict == explore.Violated {
			all = append(all, ofProgram("canary", b))
		}
	}
	for _, c := range programs.Classics() {
		all = append(all, ofProgram("classic", c.Bug))
	}
	for _, c := range programs.Classics() {
		all = append(all, ofProgram("crowded", crowded(c.Bug)))
	}
	for _, s := range explored.Cells() {
		if s.Want == races.Violated && !s.Related {
			all = append(all, ofRace(s))
		}
	}
	return all
}

// crowded returns the program with additional goroutines that do unrelated work. It models
// a larger program: most of its schedules differ in irrelevant ways.
func crowded(b programs.Program) programs.Program {
	const others, rounds = 3, 10
	alone := b.Run
	b.Run = func(t *explore.T) {
		var mu sync.Mutex
		done := 0
		for i := range others {
			t.Go(fmt.Sprint("other work ", i), func() {
				for range rounds {
					mu.Lock()
					done++
					mu.Unlock()
				}
			})
		}
		alone(t)
	}
	return b
}

func ofProgram(group string, b programs.Program) bug {
	return bug{
		group: group, name: b.Name,
		explore: func(ctx context.Context, seed uint64, enough func(explore.Result) bool, plan ...explore.Stage) (*explore.Result, error) {
			return explore.Run(ctx, explore.Config{Name: b.Name, Seed: seed, Minimise: -1, Plan: plan, Enough: enough}, b.Run)
		},
		right: func(k explore.Kind) bool { return k == b.Kind },
	}
}

func ofRace(s explored.Subject) bug {
	return bug{
		group: "race", name: s.ID,
		explore: s.ExploreUntil,
		right:   func(k explore.Kind) bool { return s.Right(explore.Violated.String(), string(k)) },
	}
}

// search looks for the bug once, until enough returns true, if enough is not nil. Finding
// another bug is an error.
func (b bug) search(ctx context.Context, seed uint64, enough func(explore.Result) bool, plan []explore.Stage) (figures.Sample, error) {
	r, err := b.explore(ctx, seed, enough, plan...)
	switch {
	case err != nil:
		return figures.Sample{}, err
	case r.Verdict == explore.Violated && b.right(r.Failure.Of):
		return figures.Sample{Found: true, Schedules: r.Failure.Schedule}, nil
	case r.Verdict == explore.Holds:
		return figures.Sample{Schedules: r.Schedules}, nil
	}
	return figures.Sample{}, fmt.Errorf("%s, seed %d: got %v (%s), want the bug or none", b, seed, r.Verdict, r.Summary())
}
