package source

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// Callee returns the function that a go statement calls, as written there; "" if that is not
// known. It is for go statements for which the compiler has generated the function that starts.
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

// Wrapped returns the function that a compiler-generated wrapper of a go statement
// calls, such as a function literal with arguments. It is taken from the stack of the
// first goroutine that announces an operation there, and is "" until then.
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

// Borrowed reports whether a goroutine begins with a function literal in a package
// outside of the main module: such a goroutine runs functions of the program.
func (s *Sites) Borrowed(startpc uintptr) bool {
	is, ok := s.borrows[startpc]
	if !ok {
		name := FunctionName(startpc)
		is = literal(name) && !s.Lib.owns(PackageOf(name))
		s.borrows[startpc] = is
	}
	return is
}

// literal reports whether a function is a function literal, by its name.
func literal(function string) bool {
	number, ok := strings.CutPrefix(lastName(function), "func")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// lastName returns the part of a function's name after the last dot.
func lastName(function string) string { return function[strings.LastIndexByte(function, '.')+1:] }

// Borrower returns the call in the program that led a task to a go statement, as
// written there: the function that the program passes, if it has a name, or else the
// function to which it is passed. It is "" if that is not known.
func (s *Sites) Borrower(m *control.Task) string {
	stack := m.StackHash()
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
