package search

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// A goroutine that serves the whole process may live by timers, as one that wakes others every
// millisecond. The timers end with the execution that set them. So a later execution, which does
// not start the goroutine anew, lacks what it does, and a failure there may be due to that.

// timed returns the functions of the goroutines that an execution has left while timers were still
// to fire. A later execution that does not start them anew lacks what they do: timers end with
// their execution.
func timed(ex *engine.Execution) (all []uintptr) {
	for id := 2; ex.Pending && id <= ex.Control.Len(); id++ {
		if m := ex.Control.Task(id); !m.Leftover() && (m.State == control.Blocked || m.State == control.Runnable) {
			all = append(all, m.StartPC)
		}
	}
	return all
}

// usual runs the default schedule, and returns the functions among those of timed that it does not
// start anew.
func (x *explorer) usual(before []uintptr) []uintptr {
	ex := x.Execute(schedule.DefaultPick{}, x.cfg.Seed, nil)
	x.ends(ex)
	anew := timed(ex)
	return slices.DeleteFunc(before, func(pc uintptr) bool { return slices.Contains(anew, pc) })
}

// lacking returns d; or, if there is none, why a failure that a card has led to shows nothing: it may
// be that somebody waits in vain, or sees what is out of date, because of functions that have stopped.
func lacking(c *card.Card, stopped []uintptr, d *verdict.Divergence) *verdict.Divergence {
	otherwise := []engine.Kind{engine.KindRace, engine.KindPanic, engine.KindFatal, engine.KindExit}
	if d != nil || len(stopped) == 0 || slices.Contains(otherwise, c.Kind) {
		return d
	}
	return &verdict.Divergence{Decision: c.Decisions, Decisions: c.Decisions, Void: "an earlier schedule has left a goroutine in " +
		source.ShortFunction(source.FunctionName(stopped[0])) + ", and timers, which ended with that schedule"}
}

// startsOnce reports whether a goroutine that an execution leaks serves the whole process: the next
// execution starts none of its function.
func (x *explorer) startsOnce(ex *engine.Execution) bool {
	var leaked []uintptr
	for _, id := range ex.Out.Blocked {
		leaked = append(leaked, ex.Control.Task(int(id)).StartPC)
	}
	next := x.Execute(schedule.DefaultPick{}, x.cfg.Seed, nil)
	for id := 2; id <= next.Control.Len(); id++ {
		if m := next.Control.Task(id); !m.Leftover() {
			leaked = slices.DeleteFunc(leaked, func(pc uintptr) bool { return pc == m.StartPC })
		}
	}
	return len(leaked) > 0
}
