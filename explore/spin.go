package explore

import (
	"slices"
	"unsafe"

	"github.com/jacquard-go/jacquard/internal/control"
)

// A goroutine spins if it does the same operation on the same object again, and
// nothing that another one could notice has happened meanwhile: it reads a
// variable, fails to swap it, fails to take a lock, asks an empty channel,
// yields. What it waits for can only come from others, so it rests until
// something has changed (compare Musuvathi and Qadeer, Fair Stateless Model
// Checking, PLDI 2008, where a thread that yields gives way to those that have
// not run since). Without that a search would try every number of turns.
//
// A loop that counts its turns is taken for one that waits. Therefore sampling
// lets some executions spin for longer, by their seed; a systematic search does
// not. A goroutine that rests while nobody else can go on is let go on, for
// longer each time and with the clock moved on. Only when all of them have spun
// for spinRounds such rounds and spinSteps steps is that a livelock.

// spinTurns is how often a goroutine may do the same before it rests, by the
// last two bits of the execution's seed. Systematic searches have 0 there.
var spinTurns = [4]int{10, 10, 30, 300}

// How a livelock is told from a long wait.
const (
	spinRounds = 12   // rounds in which only goroutines that spin could go on
	spinSteps  = 4000 // or half of the budget, if that is less
	spinPass   = 1e6  // nanoseconds that the clock is moved by in the first, twice as many in each after it
	spinSlow   = 20   // rounds from which on it is moved no faster
	spinStep   = 1000 // nanoseconds for each step of one that computes
)

// A systematic strategy tries every schedule up to a bound.
type systematic interface{ systematic() }

// seedOf is the seed from which a strategy starts.
func seedOf(s any, seed uint64) uint64 {
	if _, ok := s.(systematic); ok {
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
	of      []*spinner // by member: nil for those that have done nothing without effect
	wakes   uint64     // how often those that rest were let go on
	resting []uint32
	cut     bool  // one has been made to rest while others went on
	stepped []int // by member: the execution's steps at its last one
}

// A spinner is a goroutine that has done something without effect.
type spinner struct {
	changes uint64 // others' and its own, when it began
	wakes   uint64 // and how often it was let go on
	visits  map[visit]int
	resting bool
	locals  uint64 // when it was last made to rest; see Config.Patient
}

// A visit is one operation on one object.
type visit struct {
	code *site
	addr uintptr
}

// A glance is what an operation finds.
type glance struct {
	visit visit
	size  int        // bytes that tell whether it has an effect
	was   [12]uint64 // that many of them
	never bool       // it has none
	site  *site      // of an atomic operation
	ready uint32     // cases of the select that were
}

// glance looks at what m is about to work on.
func (ex *execution) glance(m *control.Member) {
	g := &ex.seen
	g.size, g.never, g.site = 0, false, nil
	switch m.Op {
	case control.OpYield, control.OpRead:
		g.never = true
	case control.OpAtomic:
		s := ex.site(m)
		g.site = s
		g.never = s.kind == siteAtomicRead
		if g.size = 8; s.size == 4 || m.Addr%8 != 0 {
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
	g.visit = visit{code: ex.site(m).base, addr: m.Addr}
	if !g.never {
		copy(g.was[:], g.words())
		if g.size == 4 {
			g.was[0] = uint64(g.half())
		}
	}
}

// words is what the operation works on, in words of eight bytes, and half what
// one does that works on four. Nobody runs.
func (g *glance) words() []uint64 {
	return unsafe.Slice((*uint64)(*(*unsafe.Pointer)(unsafe.Pointer(&g.visit.addr))), g.size/8)
}

func (g *glance) half() uint32 {
	return *(*uint32)(*(*unsafe.Pointer)(unsafe.Pointer(&g.visit.addr)))
}

// effect reports whether the step that m has made can be noticed.
func (g *glance) effect(m *control.Member, op control.Op) bool {
	switch {
	case m.State != control.Runnable && m.State != control.Exited:
		return true
	case g.never:
		return false
	case op == control.OpSelect:
		return g.ready > 0
	case g.size == 0:
		return true
	case g.size == 4:
		return uint64(g.half()) != g.was[0]
	}
	return !slices.Equal(g.words(), g.was[:g.size/8])
}

// spun takes note of a step. It reports whether it can be noticed.
func (ex *execution) spun(m *control.Member, op control.Op) (effect bool) {
	s, g := &ex.spins, &ex.seen
	for len(s.stepped) <= int(m.ID) {
		s.stepped = append(s.stepped, 0)
	}
	s.stepped[m.ID] = ex.steps
	if g.effect(m, op) {
		s.changed(ex.steps)
		return true
	}
	for len(s.of) <= int(m.ID) {
		s.of = append(s.of, nil)
	}
	sp := s.of[m.ID]
	if sp == nil {
		sp = &spinner{visits: make(map[visit]int)}
		s.of[m.ID] = sp
	}
	if sp.changes != s.changes || sp.wakes != s.wakes {
		sp.changes, sp.wakes = s.changes, s.wakes
		clear(sp.visits)
	}
	if sp.visits[g.visit]++; sp.visits[g.visit] >= s.turns+spinTurns[0]*s.rounds && !sp.resting {
		sp.resting = true
		s.resting = append(s.resting, m.ID)
	}
	return false
}

// changed takes note that others can notice what was done in a step.
func (s *spins) changed(step int) {
	s.changes++
	s.rounds, s.since = 0, step
	s.wake()
}

// rests reports whether a member rests.
func (s *spins) rests(id uint32) bool {
	return int(id) < len(s.of) && s.of[id] != nil && s.of[id].resting
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
// tried often enough it is a livelock.
func (ex *execution) revive() bool {
	s := &ex.spins
	if s.rounds++; s.rounds > spinRounds && ex.steps-s.since >= min(spinSteps, ex.x.cfg.MaxSteps/2) {
		ex.livelock("nobody is left to change what is waited for")
		return false
	}
	if _, timer := ex.e.NextTimer(); !timer {
		ex.e.Pass(spinPass << min(s.rounds, spinSlow))
	}
	s.wake()
	ex.late = true
	return true
}

// computing reports whether one of those that rest has something of its own to
// do, and lets all go on in that case. Nobody else can. Meanwhile the clock goes
// as if each step took some time.
func (ex *execution) computing() bool {
	s := &ex.spins
	if !ex.x.cfg.Patient || len(s.resting) == 0 {
		return false
	}
	computing := false
	for _, id := range s.resting {
		if sp, now := s.of[id], ex.e.Locals(id); now != sp.locals {
			sp.locals, computing = now, true
		}
	}
	if !computing {
		return false
	}
	if ex.steps-s.since > ex.x.cfg.MaxSteps/2 {
		ex.coarsen()
		return true
	}
	passed := spinStep * int64(ex.steps-max(s.since, s.passed))
	s.passed = ex.steps
	if next, timer := ex.e.NextTimer(); timer && next <= passed {
		return false
	}
	ex.e.Pass(passed)
	s.rounds++
	s.wake()
	ex.late = true
	return true
}
