package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// A LeakFilter describes goroutines that may outlive the body. All fields that
// are set must match. Each is the name of a function as stack traces have it,
// such as "net/http.(*persistConn).readLoop"; an asterisk at the end stands for
// the rest of the name.
//
// The goroutines of other tests and of the process itself are no part of an
// execution, and are never leaks.
type LeakFilter struct {
	// Top is the function in which the goroutine waits: the innermost one
	// that is neither the runtime's nor of package sync, time or context.
	Top string
	// Any is some function on its stack.
	Any string
	// CreatedBy is the function with the go statement that started it.
	CreatedBy string
}

// empty reports whether the filter would match every goroutine.
func (f LeakFilter) empty() bool { return f == LeakFilter{} }

func (f LeakFilter) matches(g leftover) bool {
	return (f.Top == "" || named(f.Top, g.top())) &&
		(f.Any == "" || slices.ContainsFunc(g.stack, func(function string) bool { return named(f.Any, function) })) &&
		(f.CreatedBy == "" || named(f.CreatedBy, g.creator))
}

// named reports whether a function's name fits a pattern.
func named(pattern, function string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(function, prefix)
	}
	return pattern == function
}

// A leftover is a goroutine that can never end.
type leftover struct {
	stack   []string // functions, innermost first
	creator string
	at      frame // where in the program it waits
}

// top is the function in which it waits.
func (g leftover) top() string {
	for _, function := range g.stack {
		if pkg := packageOf(function); !machinery(pkg) && !strings.HasPrefix(pkg, "internal/") {
			return function
		}
	}
	return ""
}

// leftovers looks at the members that have outlived the body. It must do so
// before the execution is finished.
func (ex *execution) leftovers() {
	if !ex.returned() {
		return
	}
	for i := 1; i <= ex.e.Len(); i++ {
		m := ex.e.Member(i)
		if m.State != control.Blocked && m.State != control.Runnable {
			continue
		}
		g := leftover{at: ex.blockedAt(m.ID)}
		for _, f := range resolve(ex.e.Where(m.ID)) {
			g.stack = append(g.stack, f.function)
		}
		_, by := ex.created(m)
		g.creator = by.function
		if ex.remains == nil {
			ex.remains = make(map[uint32]leftover)
		}
		ex.remains[m.ID] = g
	}
}

// leaks are the members among ids that no filter lets outlive the body.
func (ex *execution) leaks(ids []uint32) []uint32 {
	return slices.DeleteFunc(slices.Clone(ids), func(id uint32) bool {
		return slices.ContainsFunc(ex.x.cfg.IgnoreLeaks, func(f LeakFilter) bool { return f.matches(ex.remains[id]) })
	})
}

// leaked is the message about members that never ended: who, and where the first
// one waits.
func (ex *execution) leaked(ids []uint32) string {
	text := fmt.Sprintf("%s never ended", ex.list(ids))
	if at := where(ex.remains[ids[0]].at); at != "" {
		text += ", at " + at
	}
	return text
}
