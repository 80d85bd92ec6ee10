package strategy

import (
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A step of the clock holds up the goroutines that could run. It need not be so in all schedules
// of a set: where nothing that a goroutine does next comes after the clock, it may as well do that
// before. So the time for which goroutines must be held up is that of the steps of the clock which
// some goroutine's next step comes after, although it could have been made before. That time is the
// same in all schedules of a set, and only grows with more steps. A schedule is given up when it is
// longer than the bound. Then the steps that could have been made instead of the last one are tried.
//
// Whoever runs such a schedule may hold goroutines up for longer than they must be. So it may do so
// for a multiple of the bound. If even that is too short, or if a failure shows in a schedule
// beyond the bound, the search begins anew, and the clock conflicts with everything: the time is
// then the same in all schedules of a set, and the bound is applied to each schedule.

// longerStalls is that multiple.
const longerStalls = 8

// A stalling is the part of a [dpor] that deals with the clock.
type stalling struct {
	most   time.Duration // the bound; 0 if it is applied by others
	strict bool          // a step of the clock conflicts with all others
	over   bool          // goroutines must be held up for too long in the last schedule

	// Of the running schedule:
	met   int           // how many steps
	moved bool          // the clock has
	order raceFinder    // of the steps, once it has
	paid  []int         // the steps of the clock that hold up somebody
	must  time.Duration // for how long, together
}

// anew begins a schedule.
func (s *stalling) anew() {
	s.met, s.moved, s.paid, s.must, s.over = 0, false, s.paid[:0], 0, false
}

// Stall implements engine.Staller.
func (s *dpor) Stall(most time.Duration) time.Duration {
	if s.most = most; s.strict {
		return most
	}
	return longerStalls * most
}

// Once is the bound.
func (s *dpor) Once() time.Duration { return s.most }

// Beyond reports whether goroutines had to be held up for too long in the last schedule.
func (s *dpor) Beyond() bool { return s.over }

// overHeld reports whether goroutines must be held up for too long in a schedule that begins with
// these steps.
func (s *stalling) overHeld(steps []schedule.Step) bool {
	if !s.moved {
		s.moved = slices.ContainsFunc(steps[s.met:], func(t schedule.Step) bool { return t.Goroutine == schedule.Clock })
		s.met = len(steps)
		if s.moved {
			s.met, s.order = 0, raceFinder{objects: make(map[lastKey]int)}
		}
	}
	for ; s.moved && !s.strict && s.met < len(steps) && len(s.order.threads)*s.met <= mostClocks; s.met++ {
		t := &steps[s.met]
		s.order.begin(t)
		possible := s.order.behind(s.order.possible(t), t)
		s.order.add(steps, s.met)
		if t.Goroutine != schedule.Clock {
			s.pay(steps, possible.last(schedule.Clock), s.order.bare[s.met].last(schedule.Clock))
		}
		s.order.note(t, s.met)
	}
	return s.most > 0 && s.must > s.most
}

// pay adds the steps of the clock among steps[first:next], which a goroutine could have preceded.
func (s *stalling) pay(steps []schedule.Step, first, next int) {
	for i := first; i < next; i++ {
		if steps[i].Goroutine == schedule.Clock && !slices.Contains(s.paid, i) {
			s.paid = append(s.paid, i)
			s.must += time.Duration(steps[i].Passed)
		}
	}
}

// inVain reports whether only the clock is left to choose, and the goroutines that need not run,
// because nothing has conflicted with their next steps, would be held up for too long if anything
// did now.
func (s *dpor) inVain(p *schedule.Point, chosen int) bool {
	if p.Runnable[chosen] != schedule.Clock || s.strict || s.most == 0 {
		return false
	}
	asleep := 0
	for _, z := range s.sleep {
		if z.id == schedule.Clock || !slices.Contains(p.Runnable, z.id) {
			continue
		}
		asleep++
		passed := time.Duration(0)
		for i := z.since; i < len(p.Steps); i++ {
			passed += time.Duration(p.Steps[i].Passed)
		}
		if passed <= s.most {
			return false
		}
	}
	return asleep > 0
}

// widen ensures that each goroutine that could have run instead has a turn where the last step has
// held up goroutines for too long.
func (s *dpor) widen(steps []schedule.Step) {
	last := len(steps) - 1
	for last > 0 && steps[last].Joined {
		last--
	}
	i, ok := slices.BinarySearchFunc(s.nodes, last, func(n node, step int) int { return n.step - step })
	for k := 0; ok && k < len(s.nodes[i].enabled); k++ {
		s.nodes[i].want(s.nodes[i].enabled[k])
	}
}

// want gives a goroutine a turn, unless it need not run.
func (n *node) want(id uint32) {
	if !slices.Contains(n.wanted, id) && !asleep(n.sleep, id) {
		n.wanted = append(n.wanted, id)
	}
}

// fire ensures that the clock has a turn before each new step that it conflicts with: a timer may be
// stopped, or the body return, before any step of the clock shows that it could have fired.
func (s *dpor) fire(steps []schedule.Step) {
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.step >= s.fresh && n.step < len(steps) && slices.Contains(n.enabled, schedule.Clock) && (s.strict || n.did.Conflicts(schedule.Moves)) {
			n.want(schedule.Clock)
		}
	}
}
