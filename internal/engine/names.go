package engine

import (
	"path"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// rootName is the name of the body's goroutine in reports.
const rootName = "body"

func (ex *Execution) nameTask(id uint32, name string) {
	if ex.given == nil {
		ex.given = make(map[uint32]string)
	}
	ex.given[id] = name
	ex.forgetNames(id)
}

// forgetNames discards the computed names, since the name of a task has changed.
func (ex *Execution) forgetNames(id uint32) {
	if int(id) <= len(ex.told) {
		ex.told, ex.alike = nil, nil
	}
}

// A bareName is the part of the name that tasks which are numbered together share.
type bareName struct {
	name string
	old  bool // the tasks are left from an earlier schedule
}

// A promise is the name of the goroutine that a task is about to start. That goroutine,
// and others, may run before the go statement is over.
type promise struct {
	name  string
	after uint32 // the number of tasks when the promise was made
}

// givenName returns the name that a task was given, or is about to be given.
func (ex *Execution) givenName(id uint32) (name string, ok bool) {
	if name, ok = ex.given[id]; ok {
		return name, true
	}
	by := ex.Control.Task(int(id)).Parent
	p, ok := ex.promised[by]
	return p.name, ok && ex.startedAfter(p.after, by) == id
}

// startedAfter returns the first task with a number above n that by has started, or 0.
func (ex *Execution) startedAfter(n, by uint32) uint32 {
	for id := n + 1; int(id) <= ex.Control.Len(); id++ {
		if ex.Control.Task(int(id)).Parent == by {
			return id
		}
	}
	return 0
}

// Name returns what reports call a goroutine: the name given to T.Go, or the function
// that it runs; for example wg.Go, if it runs a function literal of another module.
// Goroutines of one name are numbered; those left by an earlier schedule, or by the
// program's start, have a suffix that says so and are numbered separately.
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

// leftover reports whether an earlier schedule has left a task.
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
		if called := ex.Engine.Sites.Callee(m.GoPC, name); called != "" {
			return called
		}
	}
	return path.Base(strings.TrimSuffix(name, "-fm"))
}

// borrows names the goroutine that m has just started, if it begins in a package that
// the program uses: after the program's call into that package.
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

// Created returns the task that started m, and where.
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
