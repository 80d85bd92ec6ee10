package strategy

import (
	"cmp"
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// ways records, from executions, how goroutines come to the targets.
type ways struct {
	Best  []nearest           // by target
	Prev  map[uint64][]uint64 // by place: places of earlier operations of the same goroutine
	Next  map[uint64][]uint64 // by place: places of its next operations
	Often map[uint64]int      // by place: the most operations there in one execution
	Near  map[uint64]bool     // places that were near a target
	Mute  map[uint64]bool     // places at which a lock is taken: the change comes after
	Runs  int
}

// A nearest holds the places nearest to a target.
type nearest struct {
	Near  schedule.Nearness
	Sites []uint64
	Often int // the most operations there in one execution
}

func newWays() ways {
	return ways{Prev: make(map[uint64][]uint64), Next: make(map[uint64][]uint64), Often: make(map[uint64]int), Near: make(map[uint64]bool), Mute: make(map[uint64]bool)}
}

// nearOnes returns the places that were near a target.
func (w *ways) nearOnes(places []uint64) (near []uint64) {
	for _, p := range places {
		if w.Near[p] {
			near = append(near, p)
		}
	}
	return near
}

// telling returns the changes after which something new can be observed.
func (w *ways) telling(changes []uint64) (all []uint64) {
	for _, c := range changes {
		if !w.Mute[c] {
			all = append(all, c)
		}
	}
	return all
}

// learn records an execution.
func (w *ways) learn(run schedule.Trace) {
	w.Runs++
	last, count := make(map[uint32]uint64), make(map[uint64]int)
	for i := range run.Steps {
		s := &run.Steps[i]
		site := s.Operation.Site
		if s.Placed() == 0 {
			continue
		}
		if before := last[s.Goroutine]; before != 0 && !slices.Contains(w.Prev[site], before) {
			w.Prev[site] = append(w.Prev[site], before)
		}
		if !worthHolding(s.Operation.Mode) {
			continue
		}
		if before := last[s.Goroutine]; before != 0 && !slices.Contains(w.Next[before], site) {
			w.Next[before] = append(w.Next[before], site)
		}
		last[s.Goroutine] = site
		count[site]++
		w.Often[site] = max(w.Often[site], count[site])
		if s.Operation.Mode == schedule.Takes || s.Operation.Mode == schedule.Shares {
			w.Mute[site] = true
		}
		w.near(site, s.Operation)
	}
	for t := range w.Best {
		w.Best[t].count(run.Steps, uint8(t))
	}
}

// worthHolding reports whether holding a goroutine before an operation can matter:
// unlocking what others wait for, and counting, can as well come at once.
func worthHolding(m schedule.Mode) bool {
	switch m {
	case schedule.Frees, schedule.Returns, schedule.Counts, schedule.Awaits:
		return false
	}
	return true
}

// waits returns how near an operation must be to a target to be the one that waited
// there, and how often such operations occur in an execution. While the line itself may
// yet be met, only that counts, so that earlier operations are not held.
func (w *ways) waits(target int) (near schedule.Nearness, often int) {
	if target < len(w.Best) {
		if b := &w.Best[target]; b.Near >= schedule.ExactLine || b.Near > schedule.Elsewhere && w.Runs > soon {
			return b.Near, max(b.Often, 1)
		}
	}
	return schedule.ExactLine, 1
}

// unmet reports whether one of the first n targets was not met yet.
func (w *ways) unmet(n int) bool {
	return len(w.Best) < n || slices.ContainsFunc(w.Best, func(b nearest) bool { return b.Near < schedule.ExactLine })
}

// soon is how many executions may miss a line before it is taken to have moved.
const soon = 8

// count counts the nearest operations of an execution.
func (b *nearest) count(steps []schedule.Step, target uint8) {
	n := 0
	for i := range steps {
		if o := &steps[i].Operation; o.Near == b.Near && o.Target == target {
			n++
		}
	}
	b.Often = max(b.Often, n)
}

// near records a place that is about as near to its target as the nearest so far.
func (w *ways) near(site uint64, o schedule.Operation) {
	if o.Near == schedule.Elsewhere {
		return
	}
	w.Near[site] = true
	for int(o.Target) >= len(w.Best) {
		w.Best = append(w.Best, nearest{})
	}
	b := &w.Best[o.Target]
	if o.Near > schedule.SameFunction && b.Near == schedule.SameFunction {
		b.Sites = nil
	}
	if o.Near > b.Near {
		b.Near, b.Often = o.Near, 0
	}
	if min(o.Near, schedule.SameLine) == min(b.Near, schedule.SameLine) && !slices.Contains(b.Sites, site) {
		b.Sites = append(b.Sites, site)
	}
}

// place draws a place at a target, or one from which a target may be reached: an
// earlier operation of the same goroutine, or a change by another one.
func (w *ways) place(random *schedule.RNG, changes map[uint64][]uint64, behind bool) uint64 {
	sites := w.Best[random.N(len(w.Best))].Sites
	for i := 0; len(sites) == 0; i++ {
		sites = w.Best[i].Sites
	}
	place := sites[random.N(len(sites))]
	if next := w.Next[place]; behind && len(next) > 0 && random.N(3) == 0 {
		return next[random.N(len(next))]
	}
	site := place
	for range max(random.N(walked)-walked/3, 0) {
		from := w.Prev[site]
		if random.N(4) == 0 {
			from = w.telling(changes[site])
		}
		if len(from) > 0 {
			site = from[random.N(len(from))]
		}
		if w.Often[site] > 0 {
			place = site
		}
	}
	return place
}

// order returns the places where holding a goroutine may change what comes to a target: those of
// the targets not met yet first, and each of these nearest first. If it waited there, the places
// behind a target come before it.
func (w *ways) order(changes map[uint64][]uint64, behind bool) (all []uint64) {
	seen := make(map[uint64]bool)
	add := func(places []uint64) {
		for _, p := range places {
			if !seen[p] {
				seen[p] = true
				all = append(all, p)
			}
		}
	}
	best := slices.Clone(w.Best)
	slices.SortStableFunc(best, func(a, b nearest) int {
		return cmp.Compare(min(a.Near, schedule.ExactLine), min(b.Near, schedule.ExactLine))
	})
	for _, b := range best {
		for _, site := range slices.Backward(b.Sites) {
			if behind {
				add(w.Next[site])
			}
			add([]uint64{site})
		}
	}
	for i := 0; i < len(all) && i < farthest; i++ {
		add(w.Prev[all[i]])
		add(w.telling(changes[all[i]]))
	}
	rivals := make(map[uint64]bool)
	for place, list := range changes {
		rivals[place] = true
		for _, c := range list {
			rivals[c] = true
		}
	}
	return slices.DeleteFunc(all, func(p uint64) bool { return w.Often[p] == 0 || !rivals[p] })
}

// farthest bounds how many places are taken for near a target.
const farthest = 24

// walked bounds how many operations lie between a drawn place and a target.
const walked = 6
