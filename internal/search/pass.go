package search

import (
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// passes reports whether Config.Pass lets the exploration go on as if the schedule had
// not failed: nothing is claimed about all schedules then.
func (x *explorer) passes(ex *engine.Execution, seed uint64) bool {
	if x.cfg.Pass == nil {
		return false
	}
	if k := ex.Out.Kind; k == engine.KindDeadlock || k == engine.KindLeak {
		x.Tracking = true // its cause includes the goroutines' positions
		ex = x.settled(ex, seed)
		if x.Tracking = false; ex.Tracker == nil {
			return false
		}
	}
	return x.cfg.Pass(x.asMet(ex))
}

// asMet returns a failure as it was found, before it is minimised.
func (x *explorer) asMet(ex *engine.Execution) verdict.Failure {
	f := verdict.Failure{
		Kind: kindOf(ex), Message: ex.Out.Message, Messages: ex.Out.Messages, Cause: ex.Cause(),
		Schedule: x.result.Schedules, Found: schedule.Preemptions(ex.Run), FoundSteps: ex.Steps,
	}
	f.Of, f.Calls = ex.Out.Kind, ex.Visible()
	return f
}

// kindOf returns the kind of a failure as it was found. Minimisation may show that no
// goroutine has to be held up for it.
func kindOf(ex *engine.Execution) engine.Kind {
	if ex.Stalls.Noticed() > 0 {
		return engine.KindTiming
	}
	return ex.Out.Kind
}

// passedBy records that a failure was passed by, and asks Config.Enough whether to stop.
func (x *explorer) passedBy() {
	x.result.Passed = true
	if x.cfg.Enough != nil {
		x.result.Distinct = len(x.seen)
		x.enough = x.cfg.Enough(*x.result)
	}
}
