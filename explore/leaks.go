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
		if m.Resident() || m.State != control.Blocked && m.State != control.Runnable {
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

// kind is what makes two goroutines alike to [LeaksDiffer].
func (g leftover) kind() string {
	text := "a goroutine that waits in " + shortFunction(g.top())
	if at := where(g.at); at != "" {
		text += " (" + at + ")"
	}
	if g.creator != "" {
		text += ", started by " + shortFunction(g.creator)
	}
	return text
}

// kinds are those of the members that have outlived the body, each once.
func (ex *execution) kinds() []string {
	var all []string
	for _, g := range ex.remains {
		if !slices.ContainsFunc(ex.x.cfg.IgnoreLeaks, func(f LeakFilter) bool { return f.matches(g) }) {
			all = append(all, g.kind())
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A leakage is what is known of the goroutines that schedules leave, for
// [LeaksDiffer].
type leakage struct {
	usual   []string // kinds that the schedule without preemptions leaves
	known   bool
	differs []string // kinds of usual that another schedule does not leave
}

// odd are the members among ids that are of a kind that not all schedules leave.
func (l *leakage) odd(ex *execution, ids []uint32) []uint32 {
	if !l.known || ex.outside != "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id uint32) bool {
		kind := ex.remains[id].kind()
		return slices.Contains(l.usual, kind) && !slices.Contains(l.differs, kind)
	})
}

// misses reports whether an execution that went well does not leave what is
// usual. Then the usual schedule is one that fails.
func (l *leakage) misses(c *course) bool {
	for _, kind := range l.usual {
		if l.known && c.outside == "" && !c.stopped && !c.ticking && !slices.Contains(c.left, kind) {
			l.differs = append(l.differs, kind)
		}
	}
	return len(l.differs) > 0
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
