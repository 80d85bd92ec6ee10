package search

import (
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// passes reports whether a failure is one that the search is to go on behind, as if the
// schedule had not failed: nothing is claimed of all schedules then.
func (x *explorer) passes(ex *engine.Execution, seed uint64) bool {
	if x.cfg.Pass == nil {
		return false
	}
	if k := ex.Out.Kind; k == engine.KindDeadlock || k == engine.KindLeak {
		x.Tracking = true // its cause depends on where who stands
		ex = x.settled(ex, seed)
		if x.Tracking = false; ex.Tracker == nil {
			return false
		}
	}
	return x.cfg.Pass(x.asMet(ex))
}

// asMet is a failure as it was met.
func (x *explorer) asMet(ex *engine.Execution) verdict.Failure {
	f := verdict.Failure{
		Kind: kindOf(ex), Message: ex.Out.Message, Messages: ex.Out.Messages, Cause: ex.Cause(),
		Schedule: x.result.Schedules, Found: schedule.Preemptions(ex.Run), FoundSteps: ex.Steps,
	}
	f.Of, f.Calls = ex.Out.Kind, ex.Visible()
	return f
}

// kindOf is the kind of what has failed, as it was found: it may turn out that nobody has
// to be held up for it.
func kindOf(ex *engine.Execution) engine.Kind {
	if ex.Stalls.Spent > 0 {
		return engine.KindTiming
	}
	return ex.Out.Kind
}

// passedBy takes note that a failure was passed by, and asks whether to go on.
func (x *explorer) passedBy() {
	x.result.Passed = true
	if x.cfg.Enough != nil {
		x.result.Distinct = len(x.seen)
		x.enough = x.cfg.Enough(*x.result)
	}
}
