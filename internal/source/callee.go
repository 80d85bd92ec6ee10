package source

import (
	"go/ast"
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
				if method, ok := found[0].(*ast.SelectorExpr); ok && name == "" {
					name = "(…)." + method.Sel.Name
				}
			}
		}
		s.callees[gopc] = name
	}
	return name
}

// Wrapped returns the function literal that a compiler-generated wrapper of a go statement
// calls, by the name that the compiler gives it: that of the function around it, and its
// number there. It is "" if that is not known.
func (s *Sites) Wrapped(m *control.Task, wrapper string) string {
	name, ok := s.literals[m.GoPC]
	if !ok {
		outer, _, _ := strings.Cut(wrapper, ".gowrap")
		if frames := Resolve([]uintptr{m.GoPC}); len(frames) > 0 {
			if n := s.Lib.open(frames[0].File).literal(frames[0].line); n != 0 && number(strings.TrimPrefix(lastName(outer), "func")) {
				name = outer + "." + Digits(n)
			} else if n != 0 {
				name = outer + ".func" + Digits(n)
			}
		}
		s.literals[m.GoPC] = name
	}
	return name
}

// literal returns the number of the function literal that the only go statement on a line
// calls, among the literals of the function around it, from 1; 0 if there is none.
func (s *source) literal(line int) (n int) {
	going := s.at(line, going)
	if len(going) != 1 {
		return 0
	}
	lit, ok := going[0].(*ast.FuncLit)
	if !ok {
		return 0
	}
	around := s.around(lit.Pos())
	ast.Inspect(around, func(node ast.Node) bool {
		_, inner := node.(*ast.FuncLit)
		if inner = inner && node != around; inner && node.Pos() <= lit.Pos() {
			n++
		}
		return !inner
	})
	return n
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
	name, ok := strings.CutPrefix(lastName(function), "func")
	return ok && number(name)
}

// number reports whether a text is a number.
func number(name string) bool {
	return name != "" && strings.Trim(name, "0123456789") == ""
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
