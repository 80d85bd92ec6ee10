package engine

import "github.com/jacquard-go/jacquard/internal/control"

// What runs takes time. Time is virtual, and as a rule it passes only when no
// goroutine can run: what a program does is then over before the next timer
// fires, as it mostly is on a machine; that it may be held up is a choice of the
// schedule, see stall.go. By that alone a loop that works until a time has come would
// never end; so running takes a little time, which is booked for many steps at once:
// about what it takes on a machine, but more where a goroutine asks the same in vain
// again and again, or the execution is long already, and so is likely to wait for a
// time to come.
const (
	stepTime = 50     // nanoseconds that a step is taken to last
	wordTime = 5      // and one on a variable
	askTime  = 1000   // and one that asks in vain, after many, or any of a slice, after very many
	fewAsked = 100    // times that a goroutine may ask the same in vain until then
	fewMade  = 1e6    // operations of slices until then
	fewSteps = 20_000 // steps until then, unless they may go on for long
	bookedAt = 1000   // steps
)

// A pace is how far the clock may be moved on although goroutines can run.
type pace struct {
	reach int64 // nanoseconds
	spent int64 // by steps that are not yet booked
}

// spend books what a step takes, in which a goroutine has done the same in vain for
// so many times. A long execution is likely to wait for a time to come.
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

// slice books what a slice takes.
func (p *pace) slice(operations, all int) {
	if all <= fewMade {
		p.spent += int64(operations) * wordTime
	} else {
		p.spent += int64(operations) * askTime
	}
}

// long reports whether an execution with a bound on its steps has come so far that
// it may be waiting for a time to come.
func (ex *Execution) long() bool { return !ex.Engine.Settings.Patient && ex.Made > fewSteps }

// overtaken lets the next timer fire though goroutines can run, if it is time
// for that, and reports whether it did.
func (ex *Execution) overtaken() bool {
	p := &ex.pace
	if ex.Made-ex.booked < bookedAt {
		return false
	}
	p.reach += p.spent
	ex.booked, p.spent = ex.Made, 0
	if ex.Returned() && ex.fired >= ex.mostFired() {
		return false
	}
	next, ok := ex.Control.NextTimer()
	if !ok {
		ex.Control.Pass(p.reach) // somebody may look at the clock
		p.reach = 0
	}
	if !ok || next > p.reach {
		return false
	}
	p.reach -= max(next, 0)
	return ex.pass()
}

// idles moves the clock on because nobody can run. Where the clock could have been chosen
// before that is a step of its own; a timer that was farther off comes after all so far.
func (ex *Execution) idles() bool {
	_, near := ex.near()
	if !ex.pass() {
		return false
	}
	if near {
		ex.strike()
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

// outlive counts a timer that fires after the body has returned. Where
// [Config].Patient says so, goroutines that do much at each of theirs are not
// watched for longer than the body has taken.
func (ex *Execution) outlive() {
	if ex.fired == 0 {
		ex.bodyMade = ex.Made
	}
	ex.fired++
	if ex.Engine.Settings.Patient && ex.Engine.Settings.Leaks != LeaksFail && ex.Made-ex.bodyMade > max(ex.bodyMade, afterMade) {
		ex.fired = ex.mostFired() + 1
	}
}

// Ticking reports whether goroutines that have outlived the body live by timers,
// and may do so for ever.
func (ex *Execution) Ticking() bool { return ex.fired > ex.mostFired() }

// mostFired is how many timers may fire after the body has returned: more where it is
// a failure if somebody has not ended by then.
func (ex *Execution) mostFired() int {
	if ex.Engine.Settings.Leaks == LeaksFail {
		return afterFail
	}
	return afterRoot
}
