package suite

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// After the end of its turn a process may say nothing for silence, and beyond that
// for slowness times what an execution and the preparations should take by the
// discovery run.
const (
	silence  = 2 * time.Minute
	slowness = 4
)

// leaving is how long a process that has told all may take to its end, which is the
// rest of TestMain.
const leaving = 5 * time.Second

// mostAfresh is how often another process goes on where one was spoilt by a schedule.
const mostAfresh = 20

// preparations are how many executions precede the first schedule.
const preparations = 3

// An exploration is that of one test.
type exploration struct {
	*test
	read saved         // what earlier runs have left
	past saved         // that, and what processes that had to go have added
	turn time.Duration // the next one
	// quiet is how long its process may say nothing, however quick the test is.
	quiet time.Duration
	// leaving is how long its process may take to its end.
	leaving time.Duration
	// worth is how many executions a second were new in the last turn.
	worth float64

	known     []failure // run before all else
	forgotten []string  // cards that are of no more use

	afresh int // processes that schedules have left in another state, and others have gone on from

	alone bool // no other process of the package ran in its last turn

	stopped bool // its process was killed for lack of time, and has not said how far it has come

	p   *process       // waits for its next turn; nil if there is none
	now protocol.Event // the latest of the process
}

// least is how long a turn must be for a schedule to come of it: those before the
// first are no different from the discovery run's. Of one that fails the first is enough.
func (x *exploration) least() time.Duration {
	switch {
	case x.p != nil:
		return 0
	case x.discovered.Found:
		return x.discovered.Took
	}
	return (preparations + 1) * x.discovered.Took
}

// ask gives the process a turn, with so many processes, and waits for what it says
// at its end; false is that it is dead.
func (x *exploration) ask(r *run, d time.Duration, processes int) (protocol.Event, bool) {
	x.p.Bound(d + x.silence())
	x.p.grant(d, r.left(), processes)
	for {
		e, ok := x.p.next()
		switch {
		case e.Passed:
			x.meets(e)
		case e.Found:
			x.finds(r, e)
		case e.Alive && e.Schedules > 0:
			x.now = e
		case !ok || !e.Begin && !e.Alive:
			return e, ok
		}
	}
}

// finds takes note of a failure that the process has found, and announces it if that is news.
func (x *exploration) finds(r *run, e protocol.Event) {
	x.beside = slices.DeleteFunc(x.beside, func(b protocol.Event) bool { return b.Unconfirmed })
	switch {
	case e.Unconfirmed:
		if e.Kind != "" {
			x.beside = append(x.beside, e)
		}
		return
	case e.Doubt == "" && (!x.first.Found || x.first.Doubt != "" || e.Another):
		r.announce(x.test, e)
	}
	switch {
	case e.Reduced:
		x.reduced = &e
	case e.Instead:
		x.beside, x.first, x.reduced = append(x.beside, x.first), e, nil
	case e.Another:
		x.beside = append(x.beside, e)
	default:
		x.first = e
	}
}

// silence is how long the process may say nothing but that it goes on.
func (x *exploration) silence() time.Duration {
	return x.quiet + slowness*(preparations+1)*x.discovered.Took
}

// finished takes the result of a test, whose process has nothing left to do.
func (x *exploration) finished(e protocol.Event) {
	e.Concurrent = true
	if len(e.Outside) == 0 {
		e.Outside = x.discovered.Outside
	}
	x.result = &e
	x.leave()
}

// die says how the process ended, which should not have: timedOut if the package's
// time was over.
func (x *exploration) die(timedOut string) {
	how := x.p.finish()
	cause := x.p.Cause()
	why := gaveUp(how, x.p.said.String())
	switch {
	case errors.Is(cause, errTimeout):
		x.died = timedOut
	case why != "" && x.p.begun:
		x.leaveUnknown(why)
		return
	case !x.p.begun: // TestMain may want to be the only one, or the first
		x.leaveUnknown("not explored: the process that was to do so " + refusal(how, x.p.said.String()))
		x.result.Refused = true
		return
	case isSilence(cause):
		x.died = "the process was killed: it said nothing for " + x.silence().Round(time.Millisecond).String()
	default:
		x.died = "the process ended after " + plural(x.now.Schedules, "schedule") + ": " + word(how)
	}
	x.words = x.p.said.String()
	x.p = nil
}

// leaveUnknown ends the exploration with nothing but what was seen when the test was discovered.
func (x *exploration) leaveUnknown(why string) {
	e := x.discovered
	e.Verdict, e.Reason = unknown, why
	x.result, x.p = &e, nil
}

// word is how a process ended, which had no reason to.
func word(how string) string {
	if how == "" {
		return "exit status 0"
	}
	return how
}

// refused reports whether TestMain has not let a process explore it, or try a failure again.
func (x *exploration) refused() bool { return x.result != nil && x.result.Refused }

// ended reports whether there is nothing left to explore.
func (x *exploration) ended() bool { return x.result != nil || x.died != "" }

// retire ends the process of a test whose next turn may never come, and keeps
// how far it has come; if that is too much to be kept, it is the end.
func (x *exploration) retire(r *run) {
	e, ok := x.ask(r, 0, 1)
	switch {
	case x.reduced != nil && (!ok || e.Pause):
		x.drop()
		x.result = r.asFound(x.test, x.first, "other tests had their turn")
	case !ok || e.Pause: // it is begun again where it was begun
		x.drop()
	case len(e.Bookmark) == 0:
		x.finished(e)
	default:
		x.past.reach(e)
		x.leave()
	}
}

// stop takes what is known of a test whose process was killed, for there was no more
// time for it.
func (x *exploration) stop(r *run) {
	cause := x.p.Cause()
	x.p.finish()
	x.p = nil
	x.stopped = true
	switch {
	case x.first.Found:
		x.result = r.asFound(x.test, x.first, whyEarly(cause))
	case x.now.Schedules > 0:
		x.result = x.sofar()
	}
}

// sofar is what the process has said last of how far it has come.
func (x *exploration) sofar() *protocol.Event {
	e := x.discovered
	e.Verdict, e.Reason = holds, ""
	e.Schedules, e.Distinct, e.Points = x.now.Schedules, x.now.Distinct, max(x.now.Points, x.discovered.Points)
	return &e
}

// close ends the exploration of a test with what it has come to, for it gets no more turns.
// The cause is why.
func (x *exploration) close(r *run, cause error) {
	if x.p != nil {
		e, ok := x.ask(r, 0, 1)
		switch {
		case ok && !e.Pause:
			x.finished(e)
			return
		case !ok && early(x.p.Cause()):
			x.stop(r)
			return
		case !ok && !errors.Is(x.p.Cause(), errTimeout): // that is nothing of this test's
			x.die(r.timedOut())
			return
		}
		cause = cmp.Or(x.p.Cause(), cause)
		x.drop()
	}
	switch {
	case x.first.Found: // and its process had to go before it had reduced it
		x.result = r.asFound(x.test, x.first, whyEarly(cause))
	case x.past.Schedules > 0:
		x.result = x.past.event(x.discovered)
	}
}

// leave has the process, which has told all, come to its end.
func (x *exploration) leave() {
	p := x.p
	x.p = nil
	alarm := time.AfterFunc(x.leaving, func() { p.Kill() })
	defer alarm.Stop()
	p.finish()
}

// drop ends the process at once, if there is one.
func (x *exploration) drop() {
	if x.p != nil {
		x.p.kill()
		x.p = nil
	}
}
