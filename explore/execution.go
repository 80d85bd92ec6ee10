package explore

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
)

// How an execution is kept from going on for ever.
const (
	runAlone  = 1000 // decisions in a row that one goroutine gets before it has to let others run
	afterRoot = 200  // timers fired after the body has returned
	afterMade = 200  // decisions until then, at least; see outlive
)

// A picker decides a schedule.
type picker interface{ Pick(*Point) Choice }

// An execution runs the body once.
type execution struct {
	x         *explorer
	e         *control.Execution
	t         *T
	pick      picker
	places    *tracker          // nil unless a card is to be made or followed
	given     map[uint32]string // names given to members
	borrowers map[uint32]string // names of members that begin in a package that the program uses; see borrows
	trace     *recorder         // nil unless the execution is to be shown
	run       []Decision
	sites     []*site // by member: what ex.site has found since its last step
	nth       []int   // by member: decisions at which it had run last
	owned     []bool  // by member: see sites.owns
	enabled   enabled
	slices    slicing
	seen      glance // what the running member found
	hash      uint64 // of everything in its order
	ran       uint32 // member that ran last
	last      uint32 // the same, but for those that run of themselves; see sites.owns
	streak    int    // decisions in a row that it was chosen though others could run
	fired     int    // timers fired since the body has returned
	bodyMade  int    // decisions made when the first of them did
	pace      pace
	turns     turns
	booked    int // the step at which running was last booked as time
	spins     spins
	locks     locks
	remains   map[uint32]leftover // members that have outlived the body
	outside   string              // what it has depended on that is no part of it
	steps     int
	made      int      // steps, those of one that goes solo included
	solos     int      // steps in a row of one that goes solo
	racers    []uint32 // member that ran at each race report
	trust     map[uint32]entry
	notes     control.Notes
	calls     uint64 // system calls
	writes    uint64 // those of them that write to the standard output or error
	begins    bool   // the step that is being made is a member's first

	objects   objects
	pending   []Operation       // of each member: what it will do when it is run next
	conds     map[uint32]uint32 // member → the condition variable whose Wait it is in
	selects   openSelects
	trail     []Step
	announced int      // steps whose member has said what it will do next
	causes    []uint32 // of each member: the step that started or woke it, from 1; 0 is none
	late      bool     // time has passed since the last step
	forced    bool     // the strategy is asked no more
	stopped   bool     // by the strategy
	sum       uint64   // see order

	out   outcome
	point Point // reused
}

// execute runs the body once, under p, with the random choices of seed.
func (x *explorer) execute(p picker, seed uint64, trace *recorder) *execution {
	return x.start(&execution{x: x, pick: p, trace: trace}, seed)
}

// executeWith is execute for a picker that looks at the execution.
func (x *explorer) executeWith(p func(*execution) picker, seed uint64, trace *recorder) *execution {
	ex := &execution{x: x, trace: trace}
	ex.pick = p(ex)
	return x.start(ex, seed)
}

func (x *explorer) start(ex *execution, seed uint64) *execution {
	if x.cfg.Prepare != nil {
		x.cfg.Prepare()
	}
	ex.run, ex.trail = x.spare.take()
	ex.t = newT(x, ex)
	ex.spins.turns = spinTurns[seed%4]
	ex.pace = newPace(seed)
	ex.turns.rng = rng(seed)
	if x.tracking && ex.places == nil {
		ex.places = newTracker(ex)
	}
	ex.e = control.Start(seed)
	ex.e.Calls() // those before are another's
	control.SetMemory(x.memory)
	ex.e.Spawn(func() { ex.t.body(x.body) })
	ex.loop()
	ex.leftovers()
	ex.release()
	ex.calls = ex.e.Calls()
	ex.e.Finish(x.cfg.Residents && !x.settledIn && ex.returned())
	x.settledIn = true
	ex.notes = ex.e.Notes()
	x.notes |= ex.notes
	if x.outside == "" {
		x.outside = ex.outside
	}
	ex.conclude()
	ex.sum = x.spare.order.of(ex.trail, func(id uint32) uint64 { return ex.e.Member(int(id)).Path })
	x.temp.clear()
	x.collect()
	return ex
}

// loop steps members until nothing is left to do.
func (ex *execution) loop() {
	for {
		if !ex.slices.coarse {
			ex.settle()
			ex.places.arrived()
		}
		if ex.over() || ex.jammed() {
			return
		}
		ex.announce()
		runnable, current := ex.awake(ex.runnable())
		if len(runnable) == 0 {
			if !ex.wait() {
				return
			}
			continue
		}
		if ex.overtaken() {
			continue
		}
		ex.made++
		if !ex.solo(runnable) {
			ex.steps++
		}
		if ex.exhausted() {
			return
		}
		if ex.sliced(runnable) {
			continue
		}
		id, selected, decided := ex.choose(runnable, current)
		if ex.stopped {
			return
		}
		ex.step(id, selected, decided)
	}
}

// over reports whether the execution is over before all its members are.
func (ex *execution) over() bool {
	st := ex.e.Status()
	switch {
	case st.Stalled:
		ex.x.lost = true
		ex.out.unknown = fmt.Sprintf("goroutine %q ran for %v without a scheduling point, or waits for something outside the execution", ex.name(ex.ran), ex.x.cfg.Stall)
		return true
	case st.Full:
		ex.out.unknown = fmt.Sprintf("more than %d goroutines", control.MaxMembers)
		return true
	case ex.ran == 0:
		return false
	}
	switch ex.e.Member(int(ex.ran)).State {
	case control.Panicked:
		v, _, pcs := ex.e.Crash()
		ex.out.stack = slices.Clone(pcs)
		ex.out.panicked = &v
		return true
	case control.Fatal:
		_, msg, pcs := ex.e.Crash()
		ex.out.stack = slices.Clone(pcs)
		ex.out.fail(KindFatal, "fatal error: "+msg)
		return true
	case control.Stuck:
		_, msg, pcs := ex.e.Crash()
		ex.out.stack = slices.Clone(pcs)
		ex.burst(msg)
		return true
	case control.Quit:
		_, _, pcs := ex.e.Crash()
		ex.out.stack = slices.Clone(pcs)
		ex.out.fail(KindExit, fmt.Sprintf("os.Exit(%d) called", ex.e.ExitCode()))
		return true
	}
	return false
}

// wait lets something happen that is nobody's step: the network has something
// for a member, or time passes. It returns false when nothing can happen any
// more.
func (ex *execution) wait() bool {
	alive := len(ex.spins.resting) > 0
	for i := 1; i <= ex.e.Len() && !alive; i++ {
		m := ex.e.Member(i)
		alive = m.State == control.Blocked && !(m.Resident() && ex.returned())
	}
	if !alive {
		return false
	}
	if woken, over := ex.network(); woken || over {
		ex.late = woken
		return woken
	}
	if ex.computing() {
		return true
	}
	if ex.pass() {
		return true
	}
	if len(ex.spins.resting) > 0 {
		return ex.revive()
	}
	return ex.outsiders()
}

// outsiders lets goroutines that are no members run, in case a member waits for
// one of them, and reports whether one has been woken. What takes them longer is
// waited for in the first executions, and in those that are shown.
func (ex *execution) outsiders() bool {
	const turns, patience, pause = 3, 20, time.Millisecond
	most, woken := turns, ex.e.Status().Outside
	if ex.trace != nil || ex.x.result.Schedules == 0 {
		most += patience
	}
	for i := range most {
		if i < turns {
			runtime.Gosched()
		} else {
			time.Sleep(pause)
		}
		if ex.e.Status().Outside > woken {
			return true
		}
	}
	return false
}

// returned reports whether the body has returned.
func (ex *execution) returned() bool { return ex.e.Member(1).State == control.Exited }

// digest identifies what happened, in its order, for strict replay.
func (ex *execution) digest() uint64 { return ex.hash }
