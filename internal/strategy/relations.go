package strategy

import (
	"math/bits"
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A pair is two places of operations on one object, the second right after a change
// by the first, of another goroutine. 0 is before the first change.
type pair struct{ After, Place uint64 }

// relations is what executions have shown of the operations that conflict.
type relations struct {
	Places  []uint64            // whose operations can come after others, in the order in which they were met
	Changes map[uint64][]uint64 // by place: those of the changes that they can come after
	Met     map[pair]uint64     // in which of the recent executions, a bit for each
	Runs    int                 // executions
	Longest int                 // decisions of one, at most
	Near    schedule.Nearness   // of the objects that are nearest to what is aimed at
	Aimed   []uint64            // of Places, those on such objects
}

func newRelations() relations {
	return relations{Changes: make(map[uint64][]uint64), Met: make(map[pair]uint64)}
}

// recent is how many executions are remembered one by one.
const recent = 64

// learn takes in an execution.
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
			o.near = max(o.near, s.Operation.Near)
			o.add(at, a.Mode)
		}
	}
	nearby(run.Steps, objects)
	for i := range objects {
		r.relate(&objects[i])
	}
}

// about is how many steps of its goroutine before and after one on an object that is aimed
// at have to do with it: what it was decided by, and what was done then.
const about = 4

// nearby has objects be as near to what is aimed at as those that the same goroutines were
// with a few steps before or after.
func nearby(steps []schedule.Step, objects []touched) {
	if !slices.ContainsFunc(objects, func(o touched) bool { return o.near != schedule.Elsewhere }) {
		return // as always where nothing is aimed at
	}
	own := make(map[uint32][]int) // steps of each goroutine
	var near []schedule.Nearness
	for i := range steps {
		s := &steps[i]
		most := schedule.Elsewhere
		for k := range s.Placed() {
			most = max(most, objects[s.Operation.Access(k).Object].near)
		}
		near = append(near, most)
		own[s.Goroutine] = append(own[s.Goroutine], i)
	}
	for _, mine := range own {
		for j, i := range mine {
			if near[i] == schedule.Elsewhere {
				continue
			}
			for _, other := range mine[max(j-about, 0):min(j+about+1, len(mine))] {
				for k := range steps[other].Placed() {
					o := &objects[steps[other].Operation.Access(k).Object]
					o.near = max(o.near, near[i])
				}
			}
		}
	}
}

// A touched is an object: the places at which goroutines were with it, each with one
// of them, or two.
type touched struct {
	near    schedule.Nearness
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

// mostTouched bounds what is kept of one object: all have to do with all.
const mostTouched = 128

// addTo keeps at most two goroutines of each place: more say nothing new.
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

// relate notes which places can come after which, on one object.
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
			r.aim(t.near, at.site)
		}
	}
}

// aim notes a place on an object that is so near to what is aimed at.
func (r *relations) aim(near schedule.Nearness, place uint64) {
	if near > r.Near {
		r.Near, r.Aimed = near, nil
	}
	if near == r.Near && near > schedule.Elsewhere && !slices.Contains(r.Aimed, place) {
		r.Aimed = append(r.Aimed, place)
	}
}

const (
	drawn       = 8 // sets of demands, of which the one with most news is taken
	mostDemands = 6
)

// draw is what to demand of the next execution.
func (r *relations) draw(random *schedule.RNG) []demand {
	if len(r.Places) == 0 || random.N(4) == 0 {
		return nil
	}
	n := 1
	for n < min(mostDemands, len(r.Places)) && random.N(3) > 0 {
		n++
	}
	var best []demand
	news, places := -1, r.Places
	if len(r.Aimed) > 0 && random.N(4) > 0 {
		places, n = r.Aimed, min(n, len(r.Aimed))
	}
	for range drawn {
		d := r.some(n, places, random)
		if got := r.news(d); got > news {
			best, news = d, got
		}
	}
	return best
}

// some are n demands of different ones of these places, at random.
func (r *relations) some(n int, places []uint64, random *schedule.RNG) []demand {
	var all []demand
	for len(all) < n {
		place := places[random.N(len(places))]
		after, which := uint64(0), random.N(len(r.Changes[place])+1)
		if which > 0 {
			after = r.Changes[place][which-1]
		}
		if slices.ContainsFunc(all, func(d demand) bool { return d.Place == place }) {
			n-- // there are enough others
			continue
		}
		all = append(all, demand{pair: pair{after, place}, rivals: r.Changes[place], once: random.N(2) == 0, one: random.N(3) == 0})
	}
	return all
}

// news counts the pairs that were never met, each as much as several, and those that
// were never met in one execution.
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
