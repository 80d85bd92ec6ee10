package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A LeakFilter describes goroutines that may outlive the body. All fields that are set
// must match. Each is the name of a function as in stack traces, such as
// "net/http.(*persistConn).readLoop"; a trailing asterisk stands for the rest of the
// name.
//
// The goroutines of other tests and of the process itself are not part of an execution,
// and are never leaks.
type LeakFilter struct {
	// Top is the function in which the goroutine waits: the innermost one
	// that is neither the runtime's nor of package sync, time or context.
	Top string
	// Any is a function anywhere on its stack.
	Any string
	// CreatedBy is the function with the go statement that started it.
	CreatedBy string
}

// Empty reports whether the filter would match every goroutine.
func (f LeakFilter) Empty() bool { return f == LeakFilter{} }

func (f LeakFilter) matches(g Leftover) bool {
	return (f.Top == "" || named(f.Top, g.top())) &&
		(f.Any == "" || slices.ContainsFunc(g.stack, func(function string) bool { return named(f.Any, function) })) &&
		(f.CreatedBy == "" || named(f.CreatedBy, g.creator))
}

// named reports whether a function's name matches a pattern.
func named(pattern, function string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(function, prefix)
	}
	return pattern == function
}

// A Leftover is a goroutine that can never end.
type Leftover struct {
	stack   []string // functions, innermost first
	creator string
	at      source.Frame // where in the program it waits
}

// top returns the function in which it waits, as in [LeakFilter].Top.
func (g Leftover) top() string {
	for _, function := range g.stack {
		if pkg := source.PackageOf(function); !source.Machinery(pkg) && !(strings.HasPrefix(pkg, "internal/") && source.Standard(pkg)) {
			return function
		}
	}
	return ""
}

// leftovers records the tasks that have outlived the body. It must run before the
// execution is finished.
func (ex *Execution) leftovers() {
	if !ex.Returned() {
		return
	}
	for i := 1; i <= ex.Control.Len(); i++ {
		m := ex.Control.Task(i)
		if m.Leftover() || m.State != control.Blocked && m.State != control.Runnable {
			continue
		}
		g := Leftover{at: ex.blockedAt(m.ID)}
		for _, f := range source.Resolve(ex.Control.Where(m.ID)) {
			g.stack = append(g.stack, f.Function)
		}
		_, by := ex.Created(m)
		g.creator = by.Function
		if ex.remains == nil {
			ex.remains = make(map[uint32]Leftover)
		}
		ex.remains[m.ID] = g
	}
}

// kind describes a leftover; [LeaksDiffer] treats leftovers of equal kinds as alike.
func (g Leftover) kind() string {
	text := "a goroutine in " + source.ShortFunction(g.top())
	if at := source.Where(g.at); at != "" {
		text += " (" + at + ")"
	}
	if g.creator != "" {
		text += ", started by " + source.ShortFunction(g.creator)
	}
	return text
}

// inLine matches the place in a kind.
var inLine = regexp.MustCompile(` \([^()]*:\d+\)`)

// Leaves reports whether a schedule that leaves some kinds of goroutines leaves one of another kind
// too, wherever in its function that one is: if it goes on, it may be anywhere.
func Leaves(left []string, kind string) bool {
	return slices.Contains(left, kind) || slices.ContainsFunc(left, func(k string) bool { return inLine.ReplaceAllString(k, "") == inLine.ReplaceAllString(kind, "") })
}

// Kinds returns the distinct kinds of tasks that have outlived the body, without ignored ones.
func (ex *Execution) Kinds() []string {
	var all []string
	for _, g := range ex.remains {
		if !slices.ContainsFunc(ex.Engine.Settings.IgnoreLeaks, func(f LeakFilter) bool { return f.matches(g) }) {
			all = append(all, g.kind())
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A Leakage records which kinds of goroutines schedules leave, for
// [LeaksDiffer].
type Leakage struct {
	Usual   []string // kinds that the schedule without preemptions leaves
	Known   bool
	differs []string // kinds of Usual that another schedule does not leave
}

// odd returns the tasks among ids whose kind some schedules do not leave.
func (l *Leakage) odd(ex *Execution, ids []uint32) []uint32 {
	if !l.Known || ex.Outside != "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id uint32) bool {
		kind := ex.remains[id].kind()
		return slices.Contains(l.Usual, kind) && !slices.Contains(l.differs, kind)
	})
}

// leaks returns the tasks among ids that no filter allows to outlive the body.
func (ex *Execution) leaks(ids []uint32) []uint32 {
	return slices.DeleteFunc(slices.Clone(ids), func(id uint32) bool {
		return slices.ContainsFunc(ex.Engine.Settings.IgnoreLeaks, func(f LeakFilter) bool { return f.matches(ex.remains[id]) })
	})
}

// leaked returns the message about tasks that never ended, with the place at which the
// first one waits.
func (ex *Execution) leaked(ids []uint32) string {
	text := ex.List(ids) + " never ended"
	if ex.busy {
		text = fmt.Sprintf("%s had not ended %d operations after the body's end", ex.List(ids), ex.Made-ex.bodyMade)
	} else if ex.Ticking() {
		text = fmt.Sprintf("%s had not ended when %d timers had fired after the body's end", ex.List(ids), ex.fired-1)
	}
	if at := source.Where(ex.remains[ids[0]].at); at != "" {
		text += ", at " + at
	}
	return text
}

// leakedHere is the message about tasks of a kind that not all schedules leave.
func (ex *Execution) leakedHere() string {
	return ex.leaked(ex.Out.Blocked) + "; in other schedules none like it is left"
}

// mostKinds bounds the kinds whose subsets FailsBy tries: at most 2^mostKinds.
const mostKinds = 6

// FailsBy reports whether the execution fails by a cause that is accepts. Under [LeaksDiffer] one
// schedule does not tell which leftovers every schedule leaves, so FailsBy tries subsets of their
// kinds. It reduces the failure to the subset that matches, and records the other kinds as usual.
func (ex *Execution) FailsBy(is func(cause string) bool) bool {
	all := ex.Out.Blocked
	if is(ex.Cause()) {
		return true
	}
	if ex.Out.Kind != KindLeak || ex.Engine.Settings.Leaks != LeaksDiffer {
		return false
	}
	kinds := ex.Kinds()
	for part := range 1 << min(len(kinds), mostKinds) {
		rest := slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return 1<<slices.Index(kinds, kind)&part != 0 })
		ex.Out.Blocked = slices.DeleteFunc(slices.Clone(all), func(id uint32) bool { return slices.Contains(rest, ex.remains[id].kind()) })
		if len(ex.Out.Blocked) > 0 && is(ex.Cause()) {
			ex.Out.Message = ex.leakedHere()
			ex.Engine.Leakage.Usual = rest
			return true
		}
	}
	ex.Out.Blocked = all
	return false
}

// Misses reports whether this execution, which passed and came to its end, is the first that does not
// leave some usual kind. If so, the schedule without preemptions is a failing one, unless what it
// leaves lives by timers and ends after all.
func (l *Leakage) Misses(left []string) (first bool) {
	for _, kind := range l.Usual {
		if !slices.Contains(left, kind) && !slices.Contains(l.differs, kind) {
			l.differs, first = append(l.differs, kind), true
		}
	}
	return first
}
