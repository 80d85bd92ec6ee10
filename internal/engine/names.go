package engine

import (
	"path"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// rootName is what reports call the goroutine that runs the body.
const rootName = "body"

func (ex *Execution) nameTask(id uint32, name string) {
	if ex.given == nil {
		ex.given = make(map[uint32]string)
	}
	ex.given[id] = name
}

// A promise is the name of the goroutine that a task starts next, which runs, and
// others with it, before the go statement is over.
type promise struct {
	name  string
	after uint32 // as many tasks there were
}

// givenName is the name that a task was given, or is about to be.
func (ex *Execution) givenName(id uint32) (name string, ok bool) {
	if name, ok = ex.given[id]; ok {
		return name, true
	}
	by := ex.Control.Task(int(id)).Parent
	p, ok := ex.promised[by]
	return p.name, ok && ex.startedAfter(p.after, by) == id
}

// startedAfter is the first task that another has started after there were n.
func (ex *Execution) startedAfter(n, by uint32) uint32 {
	for id := n + 1; int(id) <= ex.Control.Len(); id++ {
		if ex.Control.Task(int(id)).Parent == by {
			return id
		}
	}
	return 0
}

// Name is what reports call a goroutine: the name given to T.Go, or the
// function it runs; wg.Go, say, if it runs a function literal of another module.
// Goroutines of one name are numbered; those that an earlier schedule has left, which
// are said to be of it, apart from the others.
func (ex *Execution) Name(id uint32) string {
	if id == 0 || int(id) > ex.Control.Len() {
		return "a goroutine outside the execution"
	}
	name, n, old := ex.bareName(id), 1, ex.leftover(id)
	for other := uint32(1); other < id; other++ {
		if ex.leftover(other) == old && ex.bareName(other) == name {
			n++
		}
	}
	switch {
	case old && ex.Control.Task(int(id)).Initial():
		name += " of the program's start"
	case old:
		name += " of an earlier schedule"
	}
	if n > 1 {
		return name + " #" + source.Digits(n)
	}
	return name
}

// leftover reports whether a task was left by an earlier schedule.
func (ex *Execution) leftover(id uint32) bool { return ex.Control.Task(int(id)).Leftover() }

func (ex *Execution) bareName(id uint32) string {
	if name, ok := ex.givenName(id); ok {
		return name
	}
	if id == 1 {
		return rootName
	}
	if name, ok := ex.borrowers[id]; ok {
		return name
	}
	m := ex.Control.Task(int(id))
	name := source.FunctionName(m.StartPC)
	if strings.Contains(name, ".gowrap") {
		if called := ex.Engine.Sites.Callee(m.GoPC); called != "" {
			return called
		}
		if literal := ex.Engine.Sites.Wrapped(m, name); literal != "" {
			name = literal
		}
	}
	return path.Base(strings.TrimSuffix(name, "-fm"))
}

// borrows looks at the goroutine that a task has just started. If it begins in a
// package that the program uses, it is called by the program's call of that.
func (ex *Execution) borrows(m *control.Task) {
	if m.State != control.Runnable || m.Op != control.OpGo {
		return
	}
	child := ex.Control.Task(ex.Control.Len())
	if child.Parent != m.ID || !ex.Engine.Sites.Borrowed(child.StartPC) {
		return
	}
	if name := ex.Engine.Sites.Borrower(m); name != "" {
		if ex.borrowers == nil {
			ex.borrowers = make(map[uint32]string)
		}
		ex.borrowers[child.ID] = name
	}
}

// Created says which task started id, and where.
func (ex *Execution) Created(m *control.Task) (by string, at source.Frame) {
	if m.Parent != 0 {
		by = ex.Name(m.Parent)
	}
	for _, f := range source.Resolve([]uintptr{m.GoPC}) {
		if ex.Engine.Settings.IsProgram(f.Function) {
			return by, f
		}
	}
	return by, source.Frame{}
}
