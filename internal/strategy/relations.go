package strategy

import (
	"math/bits"
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A pair is two places of operations on one object, the second right after a change at
// the first by another goroutine. After is 0 before the first change.
type pair struct{ After, Place uint64 }

// relations records, from executions, which operations conflict and in which orders they met.
type relations struct {
	Places  []uint64            // of operations that can come after others, in the order in which they were met
	Changes map[uint64][]uint64 // by place: the places of changes that it can come after
	Met     map[pair]uint64     // by pair: the recent executions that met it, one bit each
	Runs    int                 // executions
	Longest int                 // decisions of the longest execution
}

func newRelations() relations {
	return relations{Changes: make(map[uint64][]uint64), Met: make(map[pair]uint64)}
}

// recent is how many executions Met remembers individually.
const recent = 64

// learn records an execution.
func (r *relations) learn(run schedule.Trace) {
	bit := uint64(1) << (r.Runs % recent)
	r.Runs++
	r.Longest = max(r.Longest, len(run.Decisions))
	for p := range r.Met {
		r.Met[p] &^= bit
	}
	var objects []touched
	for i := range run.Steps {
		s := &run.Steps[i]
		for k := range s.Placed() {
			a := s.Operation.Access(k)
			for int(a.Object) >= len(objects) {
				objects = append(objects, touched{})
			}
			at, o := change{s.Operation.Site, s.Goroutine}, &objects[a.Object]
			if o.last.goroutine != at.goroutine {
				r.Met[pair{o.last.site, at.site}] |= bit
			}
			o.add(at, a.Mode)
		}
	}
	for i := range objects {
		r.relate(&objects[i])
	}
}

// A touched records the places at which goroutines accessed an object, each with one or
// two of the goroutines.
type touched struct {
	last    change
	all     []change
	changes []change
}

func (t *touched) add(at change, m schedule.Mode) {
	t.all = addTo(t.all, at)
	if !m.Looks() {
		t.changes = addTo(t.changes, at)
		t.last = at
	}
}

// mostTouched bounds the places kept per object, because every pair of them is related.
const mostTouched = 128

// addTo keeps at most two goroutines for each place: more add no information.
func addTo(list []change, at change) []change {
	n := 0
	for _, c := range list {
		if c == at {
			return list
		}
		if c.site == at.site {
			n++
		}
	}
	if n == 2 || len(list) == mostTouched {
		return list
	}
	return append(list, at)
}

// relate records which places can come after which, on one object.
func (r *relations) relate(t *touched) {
	for _, at := range t.all {
		for _, c := range t.changes {
			if c.goroutine == at.goroutine {
				continue
			}
			known, ok := r.Changes[at.site]
			if !ok {
				r.Places = append(r.Places, at.site)
			}
			if !slices.Contains(known, c.site) {
				r.Changes[at.site] = append(known, c.site)
			}
		}
	}
}

const (
	drawn       = 8 // sets of demands, of which the newest is used
	mostDemands = 6
)

// draw returns demands for the next execution, at some of the places.
func (r *relations) draw(random *schedule.RNG, places []uint64) []demand {
	if len(places) == 0 || random.N(4) == 0 {
		return nil
	}
	n := 1
	for n < min(mostDemands, len(places)) && random.N(3) > 0 {
		n++
	}
	var best []demand
	news := -1
	for range drawn {
		d := r.some(n, places, random)
		if got := r.news(d); got > news {
			best, news = d, got
		}
	}
	return best
}

// some returns n random demands of different places.
func (r *relations) some(n int, places []uint64, random *schedule.RNG) []demand {
	var all []demand
	for len(all) < n {
		place := places[random.N(len(places))]
		after, which := uint64(0), random.N(len(r.Changes[place])+1)
		if which > 0 {
			after = r.Changes[place][which-1]
		}
		if slices.ContainsFunc(all, func(d demand) bool { return d.Place == place }) {
			n-- // the other places suffice
			continue
		}
		all = append(all, demand{pair: pair{after, place}, rivals: r.Changes[place], once: random.N(2) == 0, one: random.N(3) == 0})
	}
	return all
}

// news counts the pairs that were never met, each three times, and the combinations of
// two pairs that were never met in one execution.
func (r *relations) news(all []demand) int {
	news := 0
	for i, d := range all {
		in := r.Met[d.pair]
		if in == 0 {
			news += 3
		}
		for _, other := range all[:i] {
			if bits.OnesCount64(in&r.Met[other.pair]) == 0 {
				news++
			}
		}
	}
	return news
}
