package source

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// Verb returns the name of the operation in reports, without its object.
func (s *Site) Verb() string {
	name, atomic := strings.CutPrefix(s.Op, "atomic.")
	_, method, dotted := strings.Cut(name, ".")
	switch {
	case s.OnFiles():
		return strings.TrimPrefix(s.Op, "File.")
	case s.Op == CondWait, s.Op == control.OpIdle.String():
		return s.Op
	case strings.HasPrefix(s.Op, "WaitGroup.Go."): // the function has returned
		return "Done"
	case atomic && s.Type != "" && !dotted:
		return strings.TrimSuffix(name, s.Type) // AddInt64
	case atomic && s.Type == "Value":
		return name
	case strings.HasPrefix(s.Call, "Once"), strings.HasPrefix(s.Call, "Map."), strings.HasPrefix(s.Call, "Pool."):
		return s.Call
	case dotted:
		return method
	}
	return s.Op
}

// ProgramCounter returns the return address of the innermost frame of the program.
func (s *Site) ProgramCounter(pcs []uintptr) uintptr {
	for i := range pcs {
		if slices.Contains(Resolve(pcs[i:i+1]), s.User) {
			return pcs[i]
		}
	}
	for i := range pcs {
		if slices.Contains(Whole(pcs[i]), s.User) {
			return pcs[i]
		}
	}
	return 0
}

// Whole returns all frames of a return address. The runtime expands the frames of
// inlined calls only if another address follows.
func Whole(pc uintptr) []Frame { return Resolve([]uintptr{pc, 0}) }

// Callee returns the function that the program calls at a gathered operation; "return" if none.
func (s *Site) Callee(pcs []uintptr) string {
	name := ""
	for _, f := range Resolve(pcs) {
		if f == s.User && s.Entered != 0 {
			return lastName(name)
		}
		name = f.Function
	}
	return "return"
}

// environmentFamily is the family of the environment, which is one object.
const environmentFamily = "environment"

// Environment returns what stands for the address of the environment if a gathered operation reads
// or changes it, and else 0.
func (s *Site) Environment() uintptr {
	if s.Gathered && s.Package == "syscall" {
		return 1
	}
	return 0
}

// Part reports whether the operation is one of several inside a call of package
// sync.
func (s *Site) Part() bool {
	return s.Call != "" && s.Verb() == s.Call
}

// Changes reports whether another operation on the same object can observe this
// one.
func (s *Site) Changes() bool {
	switch s.Kind {
	case SiteRead, SiteAtomicRead, SiteRLock, SiteRUnlock, SiteFileRead:
		return false
	}
	return true
}

// ContextFamily is the family of the parts of contexts.
const ContextFamily = "context"

// Family returns the kind of object that the operation works on.
func (s *Site) Family() string {
	switch {
	case s.OnFiles():
		return FileFamily
	case s.Environment() != 0:
		return environmentFamily
	case s.ctx != "" && s.Kind != SiteChannel:
		return ContextFamily
	case s.Kind == SiteLock, s.Kind == SiteUnlock, s.Kind == SiteRLock, s.Kind == SiteRUnlock:
		return "mu"
	case s.Kind == SiteChannel:
		return "chan"
	case strings.HasPrefix(s.Op, "map"):
		return "map"
	case strings.Contains(s.Op, "WaitGroup."):
		return "wg"
	case strings.HasPrefix(s.Op, "Cond."):
		return "cond"
	case strings.HasPrefix(s.Op, "Once"):
		return "once"
	case strings.HasPrefix(s.Op, "atomic."):
		return "atomic"
	}
	return "var"
}

// CondWait is the name of a wait on a condition variable.
const CondWait = "Cond.Wait"
