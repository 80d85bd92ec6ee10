package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A goroutine that could run may be held up, by the machine or the collector, until a
// timer has fired that was due later. So wherever a timer is near, the clock is one more
// choice: it moves on to that timer's moment, and all tasks that could run are held up
// until then. By default they stay held up for as long as others can run. The total time
// in which tasks are held up in an execution is bounded. No task is held up once the
// body has returned.
type stalls struct {
	Bound time.Duration    // 0 if no task may be held up
	Once  time.Duration    // at most for one timer
	Spent time.Duration    // for how long tasks were held up
	Holds map[uint32]int64 // nanoseconds, by task
	Held  [][]uint32       // held-up tasks, by step of the clock
	held  []uint32         // tasks that could run when the clock was chosen last, and have not run since
	moved bool             // no task has run since
	Short bool             // a timer was out of reach only because tasks had been held up before
	with  []uint32         // the tasks that can run, and the clock; reused
	next  int64            // nanoseconds until the next moment of the clock, if it can be chosen
}

// Noticed returns for how long tasks were held up: not at all if that is less than
// ten microseconds, as long as a goroutine may take for a few operations.
func (s *stalls) Noticed() time.Duration {
	if s.Spent < 10*time.Microsecond {
		return 0
	}
	return s.Spent
}

// A Staller is a picker that decides how much of the allowed time goroutines may be
// held up. With other pickers they may in half of the sampled executions, selected by
// their seed, and in all executions of a search.
type Staller interface {
	Stall(most time.Duration) time.Duration
}

// stallFor sets for how long goroutines may be held up in an execution. A Staller that finds out for
// how long they must be may hold them up for longer in all than it stands for, which is Once.
func (ex *Execution) stallFor(seed uint64) {
	most := ex.Engine.Settings.Stall
	switch p := ex.pick.(type) {
	case Staller:
		most = p.Stall(most)
	case schedule.Exhauster:
	default:
		most = StallOf(seed, most)
	}
	ex.Stalls.Bound = max(most, 0)
	ex.Stalls.Once = ex.Stalls.Bound
	if p, ok := ex.pick.(interface{ Once() time.Duration }); ok {
		ex.Stalls.Once = min(ex.Stalls.Bound, p.Once())
	}
}

// StallOf returns for how long goroutines may be held up in a sampled execution: not at
// all for even seeds.
func StallOf(seed uint64, most time.Duration) time.Duration {
	if seed&1 == 0 {
		return 0
	}
	return most
}

// HeldUp says which tasks are held up, and for how long; of many, only three. Another one might do as well.
func (ex *Execution) HeldUp() string {
	var all []string
	for _, id := range slices.Sorted(maps.Keys(ex.Stalls.Holds)) {
		held := time.Duration(ex.Stalls.Holds[id]) // reading the clock takes part of that time
		if d := max(held.Round(time.Microsecond), min(held, time.Microsecond)); d > 0 {
			all = append(all, fmt.Sprintf("%q for %v", ex.Name(id), d))
		}
	}
	if n := len(all) - 3; n > 1 {
		all = append(all[:3], fmt.Sprintf("%d more", n))
	}
	return "somebody is held up, here " + strings.Join(all, " and ")
}

// near returns how far off the next timer is, and reports whether that is near enough
// for the clock to be chosen.
func (ex *Execution) near() (ns int64, ok bool) {
	s := &ex.Stalls
	if s.Bound == 0 || !ex.kept() || ex.Slices.Coarse {
		return 0, false
	}
	ns, ok = ex.Control.NextMoment()
	is := ok && ns <= int64(min(s.Once, s.Bound-s.Spent))
	if ex.Returned() {
		if is {
			ex.Observed |= outlivesBody
		}
		return 0, false
	}
	ex.Timers = ex.Timers || ok
	s.Short = s.Short || ok && !is && ns <= int64(s.Once)
	return ns, is
}

// clocked adds the clock to the runnable tasks, if it can be chosen.
func (ex *Execution) clocked(runnable []uint32) (all []uint32, ok bool) {
	s := &ex.Stalls
	if s.next, ok = ex.near(); !ok {
		return runnable, false
	}
	s.with = append(append(s.with[:0], runnable...), schedule.Clock)
	return s.with, true
}

// allHeld reports whether all runnable tasks are held up already.
func (s *stalls) allHeld(runnable []uint32) bool {
	return !slices.ContainsFunc(runnable, func(id uint32) bool { return !slices.Contains(s.held, id) })
}

// free returns the index of the next task in turn that is not held up, or of the next in
// turn if all are.
func (ex *Execution) free(runnable []uint32, current int) int {
	next := (current + 1) % len(runnable)
	if current < 0 {
		next = ex.next(runnable)
	}
	if len(ex.Stalls.held) == 0 {
		return next
	}
	for i := range runnable {
		at := (next + i) % len(runnable)
		if !slices.Contains(ex.Stalls.held, runnable[at]) {
			return at
		}
	}
	return next
}

// runs records that a task runs, and so is no longer held up.
func (s *stalls) runs(id uint32) {
	s.moved = false
	if len(s.held) == 0 {
		return
	}
	if i := slices.Index(s.held, id); i >= 0 {
		s.held = slices.Delete(s.held, i, i+1)
	}
}

// stall holds up all runnable tasks until the next timer has fired.
func (ex *Execution) stall(runnable []uint32) {
	s := &ex.Stalls
	if s.Holds == nil {
		s.Holds = make(map[uint32]int64)
	}
	for _, id := range runnable {
		s.Holds[id] += s.next
	}
	s.Held = append(s.Held, slices.Clone(runnable))
	s.Spent += time.Duration(s.next)
	ex.Run[len(ex.Run)-1].Chosen.Case = 0
	s.held, s.moved = append(s.held[:0], runnable...), true
	ex.hash = schedule.Mix(ex.hash, uint64(s.next))
	ex.strike(s.next)
	ex.Control.Hasten(s.next)
	ex.Timed = true
	ex.Spins.wake()
}

// strike records a step of the clock by ns.
func (ex *Execution) strike(ns int64) {
	o := schedule.Moves
	ex.selects.Contend(&o)
	ex.Trail = append(ex.Trail, schedule.Step{Goroutine: schedule.Clock, Operation: o, Cause: -1, Passed: ns})
	ex.announced = len(ex.Trail)
}

// struck returns the number of the last step, from 1, if it was the clock's; else 0.
func (ex *Execution) struck() uint32 {
	if n := len(ex.Trail); n > 0 && ex.Trail[n-1].Goroutine == schedule.Clock {
		return uint32(n)
	}
	return 0
}
