package engine

import (
	"unsafe"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A goroutine spins if it repeats an operation on the same object, and nothing that
// another goroutine could notice has happened meanwhile: it reads a variable, fails to
// swap it, fails to take a lock, polls an empty channel, yields. Only others can bring
// about what it waits for, so it rests until something has changed (compare Musuvathi
// and Qadeer, Fair Stateless Model Checking, PLDI 2008, where a thread that yields
// gives way to those that have not run since). Otherwise a search would try every
// number of turns.
//
// A loop that counts its turns may give up: it does not repeat the same, since its stack
// changes. It rests too, but only after pollTurns turns, and a search that has met one makes
// no claim. If the count is not on the stack, the loop is taken to wait. Therefore sampling
// lets some executions spin for longer, by their seed; a systematic search does not. A
// goroutine that rests while no other can continue is allowed to continue, for longer each
// time and with the clock moved on. Only when all of them have spun for spinRounds such
// rounds and spinSteps steps is it a livelock.

// SpinTurns is how many times a goroutine may repeat an operation before it rests, by
// the last two bits of the execution's seed. In systematic searches these bits are 0.
var SpinTurns = [4]int{10, 10, 30, 300}

// pollTurns is the same for a goroutine that counts its turns, at least.
const pollTurns = 100

// Bounds that distinguish a livelock from a long wait.
const (
	spinRounds = 12   // rounds in which only spinning goroutines could continue
	spinSteps  = 4000 // steps; or half of the budget, if that is less
	spinPass   = 1e6  // nanoseconds, doubled for each round, by which the clock moves after a round
	spinSlow   = 20   // rounds after which that time no longer grows
	spinStep   = 1000 // nanoseconds for each step of a goroutine that computes
)

// SeedOf returns the seed from which a strategy starts.
func SeedOf(s any, seed uint64) uint64 {
	if _, ok := s.(schedule.Exhauster); ok {
		return seed &^ 3
	}
	return seed
}

// spins is the state of an execution's spinning goroutines.
type spins struct {
	turns   int        // allowed before a goroutine rests
	changes uint64     // number of steps that others can notice
	since   int        // the execution's step count at the last of them
	passed  int        // the step up to which computing has moved the clock
	rounds  int        // since then, in which all rested
	of      []*spinner // by task: nil while all it has done had an effect
	wakes   uint64     // how many times the resting ones were woken
	resting []uint32
	Cut     bool  // one has rested while others went on
	Polled  bool  // and one of those counts its turns
	stepped []int // by task: the execution's step count at its last step
}

// A spinner is a goroutine that has done an operation without effect.
type spinner struct {
	changes uint64 // value of spins.changes for which visits holds
	wakes   uint64 // value of spins.wakes for which visits holds
	visits  map[visit]int
	resting bool
	locals  uint64           // digest of its stack when working last looked
	asked   map[visit]int    // repetitions of each operation without effect, in all
	counts  bool             // its stack differs in each turn
	looks   map[visit]uint64 // digest of its stack at its last turn, after many turns
}

// A visit is one operation on one object.
type visit struct {
	code *source.Site
	addr uintptr
}

// A glance is the state of an object before an operation.
type glance struct {
	visit visit
	size  int          // bytes whose change shows an effect
	was   [12]uint64   // those bytes
	never bool         // the operation never has an effect
	site  *source.Site // the site of an atomic operation
	ready uint32       // the number of ready cases of a select
}

// glance records the object that m is about to work on, at s.
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
			g.size = int(unsafe.Sizeof(g.was)) // all of the channel but its lock
		}
	case control.OpSignal, control.OpBroadcast:
		g.size = 8 // the waiters and the notified ones
	case control.OpSelect:
	default:
		return
	}
	g.visit = visit{code: s.Base, addr: m.Addr}
	if g.never || g.size == 0 {
		return
	}
	if !source.Peek(m.Addr, uintptr(g.size), g.was[:]) {
		g.size = 0 // the access is about to fail in the program
	}
}

// effect reports whether others can notice the step that m has made.
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

// spun updates the spinners after a step. It reports whether others can notice the step.
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

// spinsOn reports whether a task must rest that has done the operation at hand for the
// n-th time without effect.
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

// changed records a step that others can notice.
func (s *spins) changed(step int) {
	s.changes++
	s.rounds, s.since = 0, step
	s.wake()
}

// rests reports whether a task rests.
func (s *spins) rests(id uint32) bool {
	return int(id) < len(s.of) && s.of[id] != nil && s.of[id].resting
}

// rested records that tasks run while others rest.
func (s *spins) rested() {
	s.Cut = true
	for _, id := range s.resting {
		s.Polled = s.Polled || s.of[id].counts
	}
}

// wake ends the rest of all tasks.
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

// revive lets the resting tasks continue, since no other task can. After enough rounds
// it is a livelock instead; that takes longer if one of them computes.
func (ex *Execution) revive() bool {
	s := &ex.Spins
	working, most := ex.working(), ex.Engine.Settings.MaxSteps/2
	enough := ex.Steps - s.since
	if s.rounds++; s.rounds > spinRounds && enough >= min(spinSteps, most) && (!working && (ex.Returned() || !ex.Engine.Settings.Patient) || enough >= most) {
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

// computing reports whether a resting task computes something of its own. If so, it
// lets all resting tasks continue, since no other task can. Meanwhile the clock moves
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

// working reports whether the stack of a resting task has changed since the last call,
// which means that the task has computed something of its own.
func (ex *Execution) working() (is bool) {
	for _, id := range ex.Spins.resting {
		if sp, now := ex.Spins.of[id], ex.Control.Locals(id); now != sp.locals {
			sp.locals, is = now, true
		}
	}
	return is
}
