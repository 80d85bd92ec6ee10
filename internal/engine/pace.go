package engine

import (
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// Running takes time. Time is virtual, and usually passes only when no goroutine
// can run: the program's work is then done before the next timer fires, as is
// mostly so on a machine; that a goroutine may be held up is a choice of the
// schedule, see stall.go. By that alone, a loop that works until some time has come
// would never end. So steps take a little time, which is booked for many at once:
// about what they take on a machine, but more where a goroutine polls in vain many
// times, or the execution is already long, and so is likely to wait for a time to
// come.
const (
	stepTime = 50     // nanoseconds that a step takes
	wordTime = 5      // the same for a step on a variable
	askTime  = 1000   // the same for a poll after fewAsked, for a step of a long execution, and in slices after fewMade
	fewAsked = 100    // polls of one thing without effect that do not take longer
	fewMade  = 1e6    // operations in slices that do not take longer
	fewSteps = 20_000 // steps after which an execution is long, unless Patient
	bookedAt = 1000   // steps between two bookings
)

// A pace is how far the clock may move while goroutines can run.
type pace struct {
	reach int64 // nanoseconds
	spent int64 // by steps not yet booked
}

// spend adds the time of a step. asked is how many times its goroutine has polled the same
// in vain. long says that the execution is long, and so likely to wait for a time to come.
func (p *pace) spend(op control.Op, asked int, long bool) {
	switch {
	case asked > fewAsked, long:
		p.spent += askTime
	case op == control.OpAtomic, op == control.OpRead, op == control.OpWrite:
		p.spent += wordTime
	default:
		p.spent += stepTime
	}
}

// slice adds the time of a slice.
func (p *pace) slice(operations, all int) {
	if all <= fewMade {
		p.spent += int64(operations) * wordTime
	} else {
		p.spent += int64(operations) * askTime
	}
}

// long reports whether an execution with a bound on its steps is so long that it may be
// waiting for a time to come.
func (ex *Execution) long() bool { return !ex.Engine.Settings.Patient && ex.Made > fewSteps }

// overtaken lets the next timer fire though goroutines can run, if the booked time has
// reached it, and reports whether it did.
func (ex *Execution) overtaken() bool {
	p := &ex.pace
	if ex.Made-ex.booked < bookedAt {
		return false
	}
	p.reach += p.spent
	ex.booked, p.spent = ex.Made, 0
	if most, _ := ex.bounds(); ex.Returned() && ex.fired >= most {
		return false
	}
	next, ok := ex.Control.NextTimer()
	if !ok {
		ex.Control.Pass(p.reach) // the program may read the clock
		p.reach = 0
	}
	if !ok || next > p.reach {
		return false
	}
	p.reach -= max(next, 0)
	return ex.pass()
}

// idles moves the clock on because no task can run. If the clock could have been chosen
// before, this is a step of the clock; a timer farther off comes after all steps so far.
func (ex *Execution) idles() bool {
	ns, near := ex.near()
	if !ex.pass() {
		return false
	}
	if near {
		ex.strike(ns)
		ex.late = false
	}
	return true
}

// pass moves the clock on to the next timer and lets it fire.
func (ex *Execution) pass() bool {
	if ex.Returned() {
		ex.outlive()
	}
	if ex.late = !ex.Ticking() && ex.Control.Advance(); ex.late {
		ex.Timed = true
		ex.Spins.wake()
	}
	return ex.late
}

// outlive counts a timer that fires after the body has returned. Under [Config].Patient,
// goroutines that make many steps at each are watched no longer than the body has taken.
func (ex *Execution) outlive() {
	ex.fired++
	if ex.Engine.Settings.Patient && !ex.mustEnd() && ex.Made-ex.bodyMade > max(ex.bodyMade, afterMade) {
		ex.fired = afterRoot + 1
	}
}

// bodyEnds records that the body's task has ended, if m is that and has.
func (ex *Execution) bodyEnds(m *control.Task) {
	if m.ID == 1 && m.State == control.Exited {
		ex.Lasted += time.Duration(ex.Control.Now())
		ex.bodyMade = ex.Made
		ex.touch(schedule.ReadsTime) // nobody is held up any more
	}
}

// outlasted reports whether goroutines have gone on for so long since the body returned, as it
// has, that it does not matter whether they end. None is stopped that holds a lock, because the
// process may go on with other executions.
func (ex *Execution) outlasted() bool {
	_, most := ex.bounds()
	ex.busy = ex.Engine.Settings.Patient && ex.Made-ex.bodyMade > max(ex.bodyMade, most) && !ex.locks.Held()
	if ex.busy && ex.Engine.Settings.Leaks == LeaksDiffer && ex.mustEnd() {
		ex.Out.Unknown = fmt.Sprintf("goroutines had not ended %d operations after the body's end, and in other schedules they do", ex.Made-ex.bodyMade)
	}
	return ex.busy
}

// Ticking reports whether goroutines that have outlived the body go on, perhaps for ever.
func (ex *Execution) Ticking() bool {
	most, _ := ex.bounds()
	return ex.busy || ex.fired > most
}

// bounds returns how many timers may fire, and decisions be made, once the body has returned.
func (ex *Execution) bounds() (timers, made int) {
	if ex.mustEnd() {
		return afterFail, ex.Engine.Settings.MaxSteps
	}
	return afterRoot, afterBusy
}

// mustEnd reports whether it is a failure that a goroutine lives by timers after the body:
// because any is, or because the schedule without preemptions leaves none.
func (ex *Execution) mustEnd() bool {
	x := ex.Engine
	return x.Settings.Leaks == LeaksFail || x.Settings.Leaks == LeaksDiffer && x.Leakage.Known
}
