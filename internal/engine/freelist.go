package engine

import (
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A freeList holds memory of past executions for the next ones. Executions are short
// and many, and garbage is collected rarely, so that without reuse they would run
// through memory that is in no cache of the processor.
type freeList struct {
	Run   []schedule.Decision
	Over  *Execution // unused by now, except for its Run
	order schedule.Order
}

// next returns the record of the next execution, with reused memory. It reuses the
// Execution itself unless a goroutine of the last execution may still run and use its T.
func (f *freeList) next(x *Engine) *Execution {
	ex, run := f.Over, f.Run[:0]
	f.Over, f.Run = nil, nil
	if ex == nil {
		return &Execution{Engine: x, chosen: chosen{Run: run}}
	}
	was := *ex
	if x.Settings.Residents || ex.Control.Released() {
		ex = new(Execution)
	} else {
		*ex = Execution{}
		ex.point.Held, ex.point.Mirrors = was.point.Held, was.point.Mirrors // closures over ex
		clear(was.given)
		clear(was.promised)
		ex.given, ex.promised = was.given, was.promised
	}
	ex.Engine = x
	ex.Run, ex.Nth, ex.Trail, ex.pending, ex.causes = run, was.Nth[:0], was.Trail[:0], was.pending[:0], was.causes[:0]
	ex.sites, ex.owned, ex.idle.ran, ex.Spins.stepped = was.sites[:0], was.owned[:0], was.idle.ran[:0], was.Spins.stepped[:0]
	ex.twins.of, ex.twins.born, ex.twins.made = was.twins.of[:0], was.twins.born[:0], was.twins.made[:0]
	ex.enabled.ids, ex.enabled.kept, ex.enabled.io = was.enabled.ids[:0], was.enabled.kept[:0], was.enabled.io[:0]
	ex.rooms = was.rooms[:0]
	ex.Objects = was.Objects.Again()
	return ex
}
