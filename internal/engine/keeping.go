package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// uses records the operation that m does next, and whether an object of it is as an earlier
// execution has left it. To receive from a channel that was never seen open changes nothing: one
// is the Done of every context that is cancelled already.
func (ex *Execution) uses(m *control.Task, at *source.Site) {
	if at.Trusted || source.Standard(at.Package) {
		return
	}
	of := []uintptr{m.Addr}
	if m.Op == control.OpSelect {
		of = m.Channels()
	}
	for _, addr := range of {
		idle := at.Kind == source.SiteChannel && control.Drained(addr)
		if addr != 0 && control.Uses(addr, !idle) && !control.OnStack(addr) {
			ex.Notes |= control.NoteKept
		}
	}
}
