package suite

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// After the end of its turn a process may be silent for silence, plus slowness times what an
// execution and the preparations should take by the discovery run.
const (
	silence  = 2 * time.Minute
	slowness = 4
)

// leaving is how long a process that has reported its result may take to exit, which includes the
// rest of TestMain.
const leaving = 5 * time.Second

// mostAfresh is how often a new process continues after a schedule has spoilt one.
const mostAfresh = 20

// preparations is how many executions precede the first schedule.
const preparations = 3

// An exploration is the exploration of one test.
type exploration struct {
	*test
	read saved         // the state left by earlier runs
	past saved         // read, and what processes that had to end have added
	turn time.Duration // length of the next turn
	// quiet is how long its process may be silent, however fast the test is.
	quiet time.Duration
	// leaving is how long its process may take to exit.
	leaving time.Duration
	// worth is how many executions per second were new in the last turn; negative beyond its schedules.
	worth float64

	known     []failure // run first
	forgotten []string  // cards that are no longer useful

	afresh int // how many processes were spoilt by schedules and replaced

	alone bool // no other process of the package ran in its last turn

	stopped bool // its process was killed for lack of time, and has not reported how far it got

	p   *process       // waits for its next turn; nil if there is none
	now protocol.Event // the latest event of the process
}

// least returns how long a turn must be for a schedule to finish in it: the executions before the
// first are like the discovery run. For a failed test the first execution is enough.
func (x *exploration) least() time.Duration {
	switch {
	case x.p != nil:
		return 0
	case x.discovered.Found:
		return x.discovered.Took
	}
	return (preparations + 1) * x.discovered.Took
}

// ask gives the process a turn with this many processes, and waits for the event at the turn's end;
// false means that the process is dead.
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

// finds records a failure that the process has found, and announces it if it is new.
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
		if x.reduced = &e; !x.first.Found { // it was found in another process, and is told only now
			x.first = e
		}
	case e.Instead:
		x.beside, x.first, x.reduced = append(x.beside, x.first), e, nil
	case e.Another:
		x.beside = append(x.beside, e)
	default:
		x.first = e
	}
}

// silence returns how long the process may send nothing.
func (x *exploration) silence() time.Duration {
	return x.quiet + slowness*(preparations+1)*x.discovered.Took
}

// finished records the result of a test whose process has nothing left to do.
func (x *exploration) finished(e protocol.Event) {
	e.Concurrent = true
	if x.once != "" && (e.Exhausted || e.Bound != nil) { // a search that has seen a failure cannot say that there is none
		const why = "a schedule failed and did not fail again"
		e.Exhausted, e.Bound, e.Incomplete, e.Claim = false, nil, why, "cannot be exhausted: "+why
	}
	if len(e.Outside) == 0 {
		e.Outside = x.discovered.Outside
	}
	x.result = &e
	x.leave()
}

// die records how the process ended unexpectedly; timedOut is the text if the package's time was
// over.
func (x *exploration) die(timedOut string) {
	how := x.p.finish()
	cause := x.p.Cause()
	why := output.GaveUp(how, x.p.said.String())
	switch {
	case errors.Is(cause, errTimeout):
		x.died = timedOut
	case why != "" && x.p.begun:
		x.leaveUnknown(why)
		return
	case !x.p.begun: // TestMain may need to be the only one, or the first
		x.leaveUnknown("not explored: the process that was to do so " + refusal(how, x.p.said.String()))
		x.result.Refused = true
		return
	case isSilence(cause):
		x.died = "the process was killed: it said nothing for " + x.silence().Round(time.Millisecond).String()
	default:
		x.died = "the process ended after " + output.Plural(x.now.Schedules, "schedule") + ": " + word(how)
	}
	x.words = x.p.said.String()
	x.p = nil
}

// leaveUnknown ends the exploration with only the result of the discovery run.
func (x *exploration) leaveUnknown(why string) {
	e := x.discovered
	e.Verdict, e.Reason = unknown, why
	x.result, x.p = &e, nil
}

// word describes how a process ended unexpectedly.
func word(how string) string {
	if how == "" {
		return "exit status 0"
	}
	return how
}

// refused reports whether TestMain prevented a process from exploring the test, or from trying a failure again.
func (x *exploration) refused() bool { return x.result != nil && x.result.Refused }

// ended reports whether the exploration is over.
func (x *exploration) ended() bool { return x.result != nil || x.died != "" }

// retire ends the process of a test that may never get another turn, and keeps its state; if the
// state is too large to be kept, the exploration ends.
func (x *exploration) retire(r *run) {
	e, ok := x.ask(r, 0, 1)
	switch {
	case x.reduced != nil && (!ok || e.Pause):
		x.drop()
		x.result = r.asFound(x.test, x.first, "other tests had their turn")
	case !ok || e.Pause: // the next process starts where this one did
		x.drop()
	case len(e.Bookmark) == 0:
		x.finished(e)
	default:
		x.past.reach(e)
		x.leave()
	}
}

// stop records what is known of a test whose process was killed for lack of time.
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

// sofar returns a result from the process's last report of how far it got.
func (x *exploration) sofar() *protocol.Event {
	e := x.discovered
	e.Verdict, e.Reason = holds, ""
	e.Schedules, e.Distinct, e.Points = x.now.Schedules, x.now.Distinct, max(x.now.Points, x.discovered.Points)
	return &e
}

// close ends the exploration of a test that gets no more turns, with its result so far. cause is
// the reason.
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
		case !ok && !errors.Is(x.p.Cause(), errTimeout): // a time-out is not this test's fault
			x.die(r.timedOut())
			return
		}
		cause = cmp.Or(x.p.Cause(), cause)
		x.drop()
	}
	switch {
	case x.first.Found: // its process had to end before it had reduced the failure
		x.result = r.asFound(x.test, x.first, whyEarly(cause))
	case x.past.Schedules > 0:
		x.result = x.past.event(x.discovered)
	}
}

// leave lets the process, which has reported its result, exit by itself for a while.
func (x *exploration) leave() {
	p := x.p
	x.p = nil
	alarm := time.AfterFunc(x.leaving, func() { p.Kill() })
	defer alarm.Stop()
	p.finish()
}

// drop kills the process, if there is one.
func (x *exploration) drop() {
	if x.p != nil {
		x.p.kill()
		x.p = nil
	}
}
