package linear

import (
	"github.com/jacquard-go/jacquard/internal/engine"
)

// Uncontrolled runs body once without control, and returns what it
// reported.
func Uncontrolled(body func(*engine.T)) (failures []string, unknown string) {
	t := engine.PlainT(new(engine.PlainHost), "")
	engine.RunBody(t, body)
	return engine.EndOf(t)
}

// An Interval is one call of an invented history. Return is 0 if it never
// returned.
type Interval[In, Out any] struct {
	Call, Return int64
	In           In
	Out          Out
}

// Judge checks an invented history.
func Judge[S, In, Out any](m Model[S, In, Out], history []Interval[In, Out]) []string {
	t := engine.PlainT(new(engine.PlainHost), "")
	engine.RunBody(t, func(t *engine.T) {
		rec := newRecording(t)
		for _, i := range history {
			op := rec.call("client", i.In)
			rec.returned(op, i.Out)
			op.call, op.ret = i.Call, i.Return
		}
		judge(t, m.spec(), rec)
	})
	failures, _ := engine.EndOf(t)
	return failures
}
