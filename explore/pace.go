package explore

// What runs takes time. Time is virtual, and as a rule it passes only when no
// goroutine can run: what a program does is then over before the next timer
// fires, as it mostly is on a machine. Two things are left out by that. A loop
// that works until a time has come would never end; so running takes a little
// time, which is booked for many steps at once. And a goroutine may be held up,
// by the machine or the collector, until a timer has fired that was to come after
// it. Therefore in half of the executions that are sampled, by their seed, a timer
// that is due soon may fire while goroutines can run. Systematic searches do not
// do that: they would have to try it everywhere.
const (
	stepTime = 1000 // nanoseconds that a step is taken to last
	bookedAt = 1000 // steps
	lagTime  = 250_000
	lagOdds  = 8 // one decision in so many lets a timer fire that is in reach
)

// A pace is how far the clock may be moved on although goroutines can run.
type pace struct {
	lags  bool
	reach int64  // nanoseconds
	state uint64 // of the choices
}

func newPace(seed uint64) pace {
	p := pace{lags: seed&1 == 1, state: seed}
	if p.lags {
		p.reach = lagTime
	}
	return p
}

// draw is true once in lagOdds times (splitmix64).
func (p *pace) draw() bool {
	p.state += 0x9e3779b97f4a7c15
	z := (p.state ^ p.state>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return (z^z>>31)%lagOdds == 0
}

// overtaken lets the next timer fire though goroutines can run, if it is time
// for that, and reports whether it did.
func (ex *execution) overtaken() bool {
	p := &ex.pace
	booked := ex.made-ex.booked >= bookedAt
	if booked {
		p.reach += int64(ex.made-ex.booked) * stepTime
		ex.booked = ex.made
	}
	if !booked && !(p.lags && p.draw()) || ex.returned() && ex.fired >= afterRoot {
		return false
	}
	next, ok := ex.e.NextTimer()
	if !ok && booked {
		ex.e.Pass(p.reach) // somebody may look at the clock
		p.reach = 0
	}
	if !ok || next > p.reach {
		return false
	}
	p.reach -= max(next, 0)
	return ex.pass()
}

// pass moves the clock on to the next timer and lets it fire.
func (ex *execution) pass() bool {
	if ex.returned() {
		ex.outlive()
	}
	if ex.late = !ex.ticking() && ex.e.Advance(); ex.late {
		ex.spins.wake()
	}
	return ex.late
}

// outlive counts a timer that fires after the body has returned. Where
// [Config].Patient says so, goroutines that do much at each of theirs are not
// watched for longer than the body has taken.
func (ex *execution) outlive() {
	if ex.fired == 0 {
		ex.bodyMade = ex.made
	}
	ex.fired++
	if ex.x.cfg.Patient && ex.made-ex.bodyMade > max(ex.bodyMade, afterMade) {
		ex.fired = afterRoot + 1
	}
}

// ticking reports whether goroutines that have outlived the body live by timers,
// and may do so for ever.
func (ex *execution) ticking() bool { return ex.fired > afterRoot }
