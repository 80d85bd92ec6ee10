package explore

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// callee is what a go statement calls, as it is written there; "" if that is
// not known. The function that it starts is one that the compiler made.
func (s *sites) callee(gopc uintptr) string {
	name, ok := s.callees[gopc]
	if !ok {
		if frames := resolve([]uintptr{gopc}); len(frames) > 0 {
			if found := s.lib.open(frames[0].file).at(frames[0].line, going); len(found) == 1 {
				name = spelled(found[0])
			}
		}
		s.callees[gopc] = name
	}
	return name
}

// wrapped is what is called by a function that the compiler has made of a go
// statement: a function literal with arguments, say. It is seen on the stack of the
// first goroutine that does anything there, and "" until then.
func (s *sites) wrapped(m *control.Member, wrapper string) string {
	name, ok := s.literals[m.StartPC]
	if !ok {
		frames := resolve(m.Stack())
		if i := slices.IndexFunc(frames, func(f frame) bool { return f.function == wrapper }); i > 0 {
			name = frames[i-1].function
			s.literals[m.StartPC] = name
		}
	}
	return name
}

// borrowed reports whether a goroutine begins with a function literal in a
// package that is not the program's: it is for running some of the program's.
func (s *sites) borrowed(startpc uintptr) bool {
	is, ok := s.borrows[startpc]
	if !ok {
		name := functionName(startpc)
		is = literal(name) && !s.lib.owns(packageOf(name))
		s.borrows[startpc] = is
	}
	return is
}

// literal reports whether a function is one without a name in the source.
func literal(function string) bool {
	number, ok := strings.CutPrefix(lastName(function), "func")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// lastName is what follows the last point in a function's name.
func lastName(function string) string { return function[strings.LastIndexByte(function, '.')+1:] }

// borrower is what the program calls that has led a member to a go statement, as
// it is written there: the function that it passes, if that has a name, and else
// what it passes it to. It is "" if that is not known.
func (s *sites) borrower(m *control.Member) string {
	stack := stackHash(m)
	if name, ok := s.borrowers[stack]; ok {
		return name
	}
	name := ""
	var inner frame
	for _, f := range resolve(m.Stack()) {
		if pkg := packageOf(f.function); pkg != selfPkg && s.lib.owns(pkg) {
			if found := s.lib.open(f.file).at(f.line, calling(lastName(inner.function))); len(found) == 1 {
				name = spelled(found[0])
			}
			break
		}
		inner = f
	}
	s.borrowers[stack] = name
	return name
}
