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
	ex.forgetNames(id)
}

// forgetNames has the names of tasks worked out anew, since that of one has changed.
func (ex *Execution) forgetNames(id uint32) {
	if int(id) <= len(ex.told) {
		ex.told, ex.alike = nil, nil
	}
}

// A bareName is what tasks that are numbered together have in common.
type bareName struct {
	name string
	old  bool // an earlier schedule has left them
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
	if ex.alike == nil {
		ex.alike = make(map[bareName]int)
	}
	for next := len(ex.told) + 1; next <= int(id); next++ {
		bare := bareName{ex.bareName(uint32(next)), ex.leftover(uint32(next))}
		ex.alike[bare]++
		name, n := bare.name, ex.alike[bare]
		switch {
		case bare.old && ex.Control.Task(next).Initial():
			name += " of the program's start"
		case bare.old:
			name += " of an earlier schedule"
		}
		if n > 1 {
			name += " #" + source.Digits(n)
		}
		ex.told = append(ex.told, name)
	}
	return ex.told[id-1]
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
	child := ex.Control.Task(ex.Control.Len())
	if child.Parent != m.ID || !ex.Engine.Sites.Borrowed(child.StartPC) {
		return
	}
	if name := ex.Engine.Sites.Borrower(m); name != "" {
		if ex.borrowers == nil {
			ex.borrowers = make(map[uint32]string)
		}
		ex.borrowers[child.ID] = name
		ex.forgetNames(child.ID)
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
