package explore

import (
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// verb is what the operation is called in reports, without what it is done to.
func (s *site) verb() string {
	name, atomic := strings.CutPrefix(s.op, "atomic.")
	_, method, dotted := strings.Cut(name, ".")
	switch {
	case s.op == condWait, s.op == control.OpIdle.String():
		return s.op
	case strings.HasPrefix(s.op, "WaitGroup.Go."): // when what it has run has returned
		return "Done"
	case atomic && s.typ != "" && !dotted:
		return strings.TrimSuffix(name, s.typ) // AddInt64
	case atomic && s.typ == "Value":
		return name
	case strings.HasPrefix(s.call, "Once"), strings.HasPrefix(s.call, "Map."), strings.HasPrefix(s.call, "Pool."):
		return s.call
	case dotted:
		return method
	}
	return s.op
}

// programCounter is the return address in the innermost frame of the program.
func (s *site) programCounter(pcs []uintptr) uintptr {
	for i := range pcs {
		for _, f := range resolve(pcs[i : i+1]) {
			if f == s.user {
				return pcs[i]
			}
		}
	}
	return 0
}

// callee is what the program calls where a gathered operation is the first.
func (s *site) callee(pcs []uintptr) string {
	name := ""
	for _, f := range resolve(pcs) {
		if f == s.user && s.entered != 0 {
			return lastName(name)
		}
		name = f.function
	}
	return "return"
}

// part reports whether the operation is one of several inside a call of package
// sync.
func (s *site) part() bool {
	return s.call != "" && s.verb() == s.call
}

// changes reports whether the operation can be noticed by another one on the
// same object.
func (s *site) changes() bool {
	switch s.kind {
	case siteRead, siteAtomicRead, siteRLock, siteRUnlock:
		return false
	}
	return true
}

// contextFamily is the family of what a context is made of.
const contextFamily = "context"

// family is the kind of object that the operation works on.
func (s *site) family() string {
	switch {
	case s.ctx != "" && s.kind != siteChannel:
		return contextFamily
	case s.kind == siteLock, s.kind == siteUnlock, s.kind == siteRLock, s.kind == siteRUnlock:
		return "mu"
	case s.kind == siteChannel:
		return "chan"
	case strings.HasPrefix(s.op, "map"):
		return "map"
	case strings.Contains(s.op, "WaitGroup."):
		return "wg"
	case strings.HasPrefix(s.op, "Cond."):
		return "cond"
	case strings.HasPrefix(s.op, "Once"):
		return "once"
	case strings.HasPrefix(s.op, "atomic."):
		return "atomic"
	}
	return "var"
}
