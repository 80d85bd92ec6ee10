package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// uses records the operation that m does next, and whether its object is as an earlier execution
// has left it. To receive from a channel that was never seen open changes nothing: one is the
// Done of every context that is cancelled already.
func (ex *Execution) uses(m *control.Task, at *source.Site) {
	if m.Addr == 0 || at.Trusted || source.Standard(at.Package) {
		return
	}
	idle := (m.Op == control.OpRecv || m.Op == control.OpTryRecv) && control.Drained(m.Addr)
	if control.Uses(m.Addr, !idle) && !control.OnStack(m.Addr) {
		ex.Notes |= control.NoteKept
	}
}

// inherits reports whether one of the places at which package variables or the heap were read as
// an earlier execution has left them is in the program's own code.
func (x *Engine) inherits(pcs []uintptr) bool {
	return len(pcs) > 0 && slices.ContainsFunc(source.Resolve(pcs), func(f source.Frame) bool {
		pkg := source.PackageOf(f.Function)
		return source.Own(pkg) && !source.Matches(x.Settings.Trust, pkg)
	})
}
