package stress

import (
	"errors"
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// onBothStores returns a workload for each kind of store.
func onBothStores(what string, s func(*tally, *ground) (site, error)) []Workload {
	return []Workload{
		{Name: what + ", in memory", ground: onMemory, site: s},
		{Name: what + ", two services on one file", ground: onFile, site: s},
	}
}

// creatorWorkloads returns R2's: all goroutines create an action of one name.
func creatorWorkloads() []Workload {
	return onBothStores("creators of one name", func(_ *tally, g *ground) (site, error) { return &creatorSite{ground: g}, nil })
}

type creatorSite struct {
	*ground
	names int // that were created
}

// round checks that one creator wins, that the others are told so, and that the action is the winner's.
func (s *creatorSite) round(t *tally) {
	s.names++
	names := []string{fmt.Sprintf("local/review-%d", s.names), fmt.Sprintf("Review-%d", s.names)}
	created := make([]bool, t.size)
	t.together(t.size, func(i int, m *member) {
		_, err := s.of(i).CreateAction(t.ctx, actionSpec(names[i%2], creator(i)))
		created[i] = m.did(err, isTaken)
	})
	var winners []string
	for i, won := range created {
		if won {
			winners = append(winners, creator(i))
		}
	}
	t.sum("creates that succeeded", len(winners), 1)
	for i := range s.services {
		if got, err := s.of(i).GetAction(t.ctx, names[0]); err != nil || len(winners) != 1 || got.Description != winners[0] {
			t.failf("%s was created by %s, and service %d has that of %q (get: %v)", names[0], strings.Join(winners, " and "), i, got.Description, err)
		}
	}
}

func (s *creatorSite) settle(t *tally) {
	all, err := s.of(1).ListActions(t.ctx)
	t.done("list the actions", err)
	t.sum("actions in the store", len(all), s.names)
}

func creator(i int) string { return fmt.Sprint("creator ", i) }

func isTaken(err error) bool { return errors.Is(err, lifecycle.ErrAlreadyExists) }

// actionSpec describes an action that can be used any number of times.
func actionSpec(name, description string) lifecycle.ActionSpec {
	return lifecycle.ActionSpec{
		Name: name, Description: description, DefinitionOfDone: "the change is reviewed", Reusable: true,
		Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
	}
}
