package main

import (
	"context"
	"fmt"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/internal/bodies"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

// A bug is a program in which there is one to find.
type bug struct {
	group, name string
	explore     func(ctx context.Context, seed uint64, s explore.Stage) (*explore.Result, error)
	right       func(explore.Kind) bool // whether a violation is the bug
}

// programs lists all bugs, group by group.
func programs() []bug {
	var all []bug
	for _, b := range bodies.Canaries() {
		if b.Verdict == explore.Violated {
			all = append(all, ofBody("canary", b))
		}
	}
	for _, c := range bodies.Classics() {
		all = append(all, ofBody("classic", c.Bug))
	}
	for _, s := range explored.Cells() {
		if s.Want == races.Violated {
			all = append(all, ofRace(s))
		}
	}
	return all
}

func ofBody(group string, b bodies.Body) bug {
	return bug{
		group: group, name: b.Name,
		explore: func(ctx context.Context, seed uint64, s explore.Stage) (*explore.Result, error) {
			return explore.Run(ctx, explore.Config{Name: b.Name, Seed: seed, Minimise: -1, Plan: []explore.Stage{s}}, b.Run)
		},
		right: func(k explore.Kind) bool { return k == b.Kind },
	}
}

func ofRace(s explored.Subject) bug {
	return bug{
		group: "race", name: s.ID,
		explore: func(ctx context.Context, seed uint64, stage explore.Stage) (*explore.Result, error) {
			return s.ExploreWith(ctx, seed, stage)
		},
		right: func(k explore.Kind) bool { return s.Right(explore.Violated.String(), string(k)) },
	}
}

// search looks for the bug once. To find another one is an error.
func (b bug) search(ctx context.Context, seed uint64, s explore.Stage) (sample, error) {
	r, err := b.explore(ctx, seed, s)
	switch {
	case err != nil:
		return sample{}, err
	case r.Verdict == explore.Violated && b.right(r.Failure.Kind):
		return sample{found: true, schedules: r.Failure.Schedule}, nil
	case r.Verdict == explore.Holds:
		return sample{schedules: r.Schedules}, nil
	}
	return sample{}, fmt.Errorf("%s, %s, seed %d: got %v (%s), want the bug or none", b.name, s.Strategy.Name(), seed, r.Verdict, r.Summary())
}
