package explored

import (
	"fmt"
	"math/rand/v2"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// Generate returns the scenario of a seed: two or three threads of one to three calls, mostly on the same plan.
func Generate(store Store, seed uint64) Scenario {
	g := &generator{rand.New(rand.NewPCG(seed, 0)), store, 0}
	at := pick(g, places()...)
	begin, plan, changeset := beginning(at)
	s := Scenario{Name: fmt.Sprint("seed ", seed), Begin: begin}
	threads := 2 + g.IntN(2)
	for n := range threads {
		var calls []*Call
		for range 1 + g.IntN(5-threads) {
			calls = append(calls, g.call(at, n%store.Services, plan, changeset))
		}
		s.Threads = append(s.Threads, calls)
	}
	return s
}

type generator struct {
	*rand.Rand
	store Store
	made  int // how many plans and changesets the calls create
}

// call returns one random call on a service.
func (g *generator) call(at lifecycle.Position, service int, plan, changeset *Ref) *Call {
	writers := writers(g.store)
	var m maker
	switch n := g.IntN(10); {
	case n < 4:
		c := &Call{Operation: Transition, Service: service, Plan: plan, Command: g.command(at)}
		if g.IntN(4) == 0 {
			c.IfVersion = int64(1 + len(way(at)) + g.IntN(2))
		}
		return c
	case n < 7:
		m = pick(g, writers...)
	default:
		m = pick(g, readers()...)
	}
	g.made++
	c := m.call(g.made, plan, changeset)
	c.Service = service
	return c
}

// command returns a command that the plan allows at this position, or at a next one, or any command.
func (g *generator) command(at lifecycle.Position) lifecycle.Command {
	switch commands := allowed(at); g.IntN(6) {
	case 0:
		return pick(g, lifecycle.Commands()...)
	case 1, 2:
		for _, edge := range lifecycle.Transitions() {
			if next := allowed(edge.To); edge.From == at && len(next) > 0 {
				return pick(g, next...)
			}
		}
		fallthrough
	default:
		return pick(g, commands...)
	}
}

func pick[V any](g *generator, all ...V) V { return all[g.IntN(len(all))] }
