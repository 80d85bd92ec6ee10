package source

import (
	"cmp"
	"go/ast"
	"path"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// Callee returns the function that a go statement calls; "" if that is not known. It is for go
// statements for which the compiler has generated wrapper, the function that starts.
func (s *Sites) Callee(gopc uintptr, wrapper string) string {
	name, ok := s.callees[gopc]
	if !ok {
		if frames := Resolve([]uintptr{gopc}); len(frames) > 0 {
			name = s.Lib.open(frames[0].File).callee(frames[0].line, wrapper)
		}
		s.callees[gopc] = name
	}
	return name
}

// callee returns the function that the only go statement on a line calls: as written there, or,
// if it is a function literal, by the name that the compiler gives it.
func (s *source) callee(line int, wrapper string) string {
	found := s.at(line, going)
	if len(found) != 1 {
		return ""
	}
	switch f := found[0].(type) {
	case *ast.FuncLit:
		outer, _, _ := strings.Cut(path.Base(wrapper), ".gowrap")
		if number(strings.TrimPrefix(lastName(outer), "func")) {
			return outer + "." + Digits(s.ordinal(f))
		}
		return outer + ".func" + Digits(s.ordinal(f))
	case *ast.SelectorExpr:
		return cmp.Or(Spelled(f), "(…)."+f.Sel.Name)
	}
	return Spelled(found[0])
}

// ordinal returns the number of a function literal among those of the function around it, from 1.
func (s *source) ordinal(lit *ast.FuncLit) (n int) {
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
			if found := s.Lib.open(f.File).at(f.line, calling(lastName(inner.Function), s.Lib.takesFunction(inner))); len(found) == 1 {
				name = Spelled(found[0])
			}
			break
		}
		inner = f
	}
	s.borrowers[stack] = name
	return name
}

// takesFunction reports whether the only parameter of the function around a frame is a function,
// or of a type that its file does not tell.
func (l *Library) takesFunction(f Frame) (takes bool) {
	s := l.open(f.File)
	if standard := folders.of(""); s == nil && standard != "" {
		s = l.open(standard + f.File)
	}
	if s == nil {
		return Standard(PackageOf(f.Function))
	}
	for _, d := range s.file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || s.line(decl.Pos()) > f.line || s.line(decl.End()) < f.line {
			continue
		}
		for _, p := range decl.Type.Params.List {
			takes = s.mayBeFunction(p.Type)
		}
	}
	return takes
}

// mayBeFunction reports whether a type is that of functions, or named in the package and not in
// this file.
func (s *source) mayBeFunction(t ast.Expr) bool {
	name, ok := t.(*ast.Ident)
	if !ok {
		_, ok = t.(*ast.FuncType)
		return ok
	}
	if named := s.named(name.Name); named != nil {
		return s.mayBeFunction(named)
	}
	return basicTypes[name.Name] == nil && name.Name != "any" && name.Name != "error"
}
