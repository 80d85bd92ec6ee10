package source

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// Callee is what a go statement calls, as it is written there; "" if that is
// not known. The function that it starts is one that the compiler made.
func (s *Sites) Callee(gopc uintptr) string {
	name, ok := s.callees[gopc]
	if !ok {
		if frames := Resolve([]uintptr{gopc}); len(frames) > 0 {
			if found := s.Lib.open(frames[0].File).at(frames[0].line, going); len(found) == 1 {
				name = Spelled(found[0])
			}
		}
		s.callees[gopc] = name
	}
	return name
}

// Wrapped is what is called by a function that the compiler has made of a go
// statement: a function literal with arguments, say. It is seen on the stack of the
// first goroutine that does anything there, and "" until then.
func (s *Sites) Wrapped(m *control.Task, wrapper string) string {
	name, ok := s.literals[m.StartPC]
	if !ok {
		frames := Resolve(m.Stack())
		if i := slices.IndexFunc(frames, func(f Frame) bool { return f.Function == wrapper }); i > 0 {
			name = frames[i-1].Function
			s.literals[m.StartPC] = name
		}
	}
	return name
}

// Borrowed reports whether a goroutine begins with a function literal in a
// package that is not the program's: it is for running some of the program's.
func (s *Sites) Borrowed(startpc uintptr) bool {
	is, ok := s.borrows[startpc]
	if !ok {
		name := FunctionName(startpc)
		is = literal(name) && !s.Lib.owns(PackageOf(name))
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

// Borrower is what the program calls that has led a task to a go statement, as
// it is written there: the function that it passes, if that has a name, and else
// what it passes it to. It is "" if that is not known.
func (s *Sites) Borrower(m *control.Task) string {
	stack := stackHash(m)
	if name, ok := s.borrowers[stack]; ok {
		return name
	}
	name := ""
	var inner Frame
	for _, f := range Resolve(m.Stack()) {
		if pkg := PackageOf(f.Function); !harness(pkg) && s.Lib.owns(pkg) {
			if found := s.Lib.open(f.File).at(f.line, calling(lastName(inner.Function))); len(found) == 1 {
				name = Spelled(found[0])
			}
			break
		}
		inner = f
	}
	s.borrowers[stack] = name
	return name
}
