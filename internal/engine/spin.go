package engine

import (
	"unsafe"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A goroutine spins if it does the same operation on the same object again, and
// nothing that another one could notice has happened meanwhile: it reads a
// variable, fails to swap it, fails to take a lock, asks an empty channel,
// yields. What it waits for can only come from others, so it rests until
// something has changed (compare Musuvathi and Qadeer, Fair Stateless Model
// Checking, PLDI 2008, where a thread that yields gives way to those that have
// not run since). Without that a search would try every number of turns.
//
// A loop that counts its turns may give up: it does not do the same again, as its
// stack tells. It rests too, but only after pollTurns of them, and a search that
// has met one makes no claim. Where the count is not on the stack it is taken for a
// loop that waits. Therefore sampling lets some executions spin for longer, by their
// seed; a systematic search does not. A goroutine that rests while nobody else can go on is let go on, for
// longer each time and with the clock moved on. Only when all of them have spun
// for spinRounds such rounds and spinSteps steps is that a livelock.

// SpinTurns is how often a goroutine may do the same before it rests, by the
// last two bits of the execution's seed. Systematic searches have 0 there.
var SpinTurns = [4]int{10, 10, 30, 300}

// pollTurns is how often at least a goroutine may do the same that counts its turns.
const pollTurns = 100

// How a livelock is told from a long wait.
const (
	spinRounds = 12   // rounds in which only goroutines that spin could go on
	spinSteps  = 4000 // or half of the budget, if that is less
	spinPass   = 1e6  // nanoseconds that the clock is moved by in the first, twice as many in each after it
	spinSlow   = 20   // rounds from which on it is moved no faster
	spinStep   = 1000 // nanoseconds for each step of one that computes
)

// SeedOf is the seed from which a strategy starts.
func SeedOf(s any, seed uint64) uint64 {
	if _, ok := s.(schedule.Exhauster); ok {
		return seed &^ 3
	}
	return seed
}

// spins is what an execution knows of its goroutines that spin.
type spins struct {
	turns   int        // that one may make now
	changes uint64     // steps that others can notice
	since   int        // the execution's step that was the last of them
	passed  int        // the step up to which computing moved the clock
	rounds  int        // since then in which all rested
	of      []*spinner // by task: nil for those that have done nothing without effect
	wakes   uint64     // how often those that rest were let go on
	resting []uint32
	Cut     bool  // one has been made to rest while others went on
	Polled  bool  // and one of them counts its turns
	stepped []int // by task: the execution's steps at its last one
}

// A spinner is a goroutine that has done something without effect.
type spinner struct {
	changes uint64 // others' and its own, when it began
	wakes   uint64 // and how often it was let go on
	visits  map[visit]int
	resting bool
	locals  uint64           // when it was last made to rest; see working
	asked   map[visit]int    // of all that it has done without effect
	counts  bool             // it has a stack of its own at each turn
	looks   map[visit]uint64 // its stack at its last turn, once there were many
}

// A visit is one operation on one object.
type visit struct {
	code *source.Site
	addr uintptr
}

// A glance is what an operation finds.
type glance struct {
	visit visit
	size  int          // bytes that tell whether it has an effect
	was   [12]uint64   // that many of them
	never bool         // it has none
	site  *source.Site // of an atomic operation
	ready uint32       // cases of the select that were
}

// glance looks at what m is about to work on, at s.
func (ex *Execution) glance(m *control.Task, s *source.Site) {
	g := &ex.seen
	g.size, g.never, g.site = 0, false, nil
	switch m.Op {
	case control.OpYield, control.OpRead:
		g.never = true
	case control.OpAtomic:
		g.site = s
		g.never = s.Kind == source.SiteAtomicRead
		if g.size = 8; s.Size == 4 || m.Addr%8 != 0 {
			g.size = 4
		}
	case control.OpTrySend, control.OpTryRecv:
		if g.never = m.Addr == 0; !g.never {
			g.size = int(unsafe.Sizeof(g.was)) // of a channel: all but its lock
		}
	case control.OpSignal, control.OpBroadcast:
		g.size = 8 // who waits, and who has been notified
	case control.OpSelect:
	default:
		return
	}
	g.visit = visit{code: s.Base, addr: m.Addr}
	if g.never || g.size == 0 {
		return
	}
	if !source.Peek(m.Addr, uintptr(g.size), g.was[:]) {
		g.size = 0 // the program is about to be told so
	}
}

// effect reports whether the step that m has made can be noticed.
func (g *glance) effect(m *control.Task, op control.Op) bool {
	switch {
	case m.State != control.Runnable && m.State != control.Exited:
		return true
	case g.never:
		return false
	case op == control.OpSelect:
		return g.ready > 0
	case g.size == 0:
		return true
	}
	if g.size <= 8 {
		is, ok := source.Bits(g.visit.addr, uintptr(g.size))
		return !ok || is != g.was[0]
	}
	var is [len(g.was)]uint64
	return !source.Peek(g.visit.addr, uintptr(g.size), is[:]) || is != g.was
}

// spun takes note of a step. It reports whether it can be noticed.
func (ex *Execution) spun(m *control.Task, op control.Op) (effect bool) {
	s, g := &ex.Spins, &ex.seen
	for len(s.stepped) <= int(m.ID) {
		s.stepped = append(s.stepped, 0)
	}
	s.stepped[m.ID] = ex.Steps
	if g.effect(m, op) {
		ex.pace.spend(op, 0, ex.long())
		s.changed(ex.Steps)
		return true
	}
	for len(s.of) <= int(m.ID) {
		s.of = append(s.of, nil)
	}
	sp := s.of[m.ID]
	if sp == nil {
		sp = &spinner{visits: make(map[visit]int), asked: make(map[visit]int)}
		s.of[m.ID] = sp
	}
	sp.asked[g.visit]++
	ex.pace.spend(op, sp.asked[g.visit], ex.long())
	if sp.changes != s.changes || sp.wakes != s.wakes {
		sp.changes, sp.wakes = s.changes, s.wakes
		clear(sp.visits)
	}
	if sp.visits[g.visit]++; !sp.resting && ex.spinsOn(m, sp, sp.visits[g.visit]) {
		sp.resting = true
		s.resting = append(s.resting, m.ID)
	}
	return false
}

// spinsOn reports whether a task is to rest that has come to the place that it has
// been at for the n-th time.
func (ex *Execution) spinsOn(m *control.Task, sp *spinner, n int) bool {
	limit := ex.Spins.turns + SpinTurns[0]*ex.Spins.rounds
	if n < limit-1 {
		return false
	}
	if sp.looks == nil {
		sp.looks = make(map[visit]uint64)
	}
	here, now := ex.seen.visit, ex.Control.Locals(m.ID)
	last := sp.looks[here]
	sp.looks[here] = now
	if n < limit {
		return false
	}
	sp.counts = now != last
	return !sp.counts || n >= max(limit, pollTurns)
}

// changed takes note that others can notice what was done in a step.
func (s *spins) changed(step int) {
	s.changes++
	s.rounds, s.since = 0, step
	s.wake()
}

// rests reports whether a task rests.
func (s *spins) rests(id uint32) bool {
	return int(id) < len(s.of) && s.of[id] != nil && s.of[id].resting
}

// rested takes note that others go on while some rest.
func (s *spins) rested() {
	s.Cut = true
	for _, id := range s.resting {
		s.Polled = s.Polled || s.of[id].counts
	}
}

// wake ends the rest of all.
func (s *spins) wake() {
	if len(s.resting) == 0 {
		return
	}
	for _, id := range s.resting {
		s.of[id].resting = false
	}
	s.wakes++
	s.resting = s.resting[:0]
}

// revive lets those that rest go on, since nobody else can. If that has been
// tried often enough it is a livelock: later, if one of them counts its turns.
func (ex *Execution) revive() bool {
	s := &ex.Spins
	working, most := ex.working(), ex.Engine.Settings.MaxSteps/2
	enough := ex.Steps - s.since
	if s.rounds++; s.rounds > spinRounds && enough >= min(spinSteps, most) && (!working && !ex.Engine.Settings.Patient || enough >= most) {
		ex.livelock("nobody is left to change what is waited for")
		return false
	}
	if _, timer := ex.Control.NextTimer(); !timer {
		ex.Control.Pass(spinPass << min(s.rounds, spinSlow))
	}
	s.wake()
	ex.late = true
	return true
}

// computing reports whether one of those that rest has something of its own to
// do, and lets all go on in that case. Nobody else can. Meanwhile the clock goes
// as if each step took some time.
func (ex *Execution) computing() bool {
	s := &ex.Spins
	if !ex.Engine.Settings.Patient || len(s.resting) == 0 {
		return false
	}
	if !ex.working() {
		return false
	}
	if ex.Steps-s.since > ex.Engine.Settings.MaxSteps/2 {
		ex.coarsen()
		return true
	}
	passed := spinStep * int64(ex.Steps-max(s.since, s.passed))
	s.passed = ex.Steps
	if next, timer := ex.Control.NextTimer(); timer && next <= passed {
		return false
	}
	ex.Control.Pass(passed)
	s.rounds++
	s.wake()
	ex.late = true
	return true
}

// working reports whether the stack of one of those that rest has changed since it
// was last asked: it has got on with something of its own.
func (ex *Execution) working() (is bool) {
	for _, id := range ex.Spins.resting {
		if sp, now := ex.Spins.of[id], ex.Control.Locals(id); now != sp.locals {
			sp.locals, is = now, true
		}
	}
	return is
}
