package source

import (
	"go/ast"
	"go/token"
	"strings"
)

// unsure reports whether a plain access on a line may be to another variable than the
// expressions found there.
func (s *source) unsure(access string, line int, found []ast.Expr) bool {
	switch access {
	case "read":
		return allSame(found) && s.doubted(line, found[0])
	case "write":
		grown := s.at(line, builtin("append"))
		return len(grown) > 0 && !allSame(append(grown, found...)) || allSame(found) && s.keeps(found[0])
	}
	return false
}

// doubted reports whether a plain read on a line may be of another variable than found. It
// looks at syntax only, without types.
func (s *source) doubted(line int, found ast.Expr) (doubt bool) {
	if s.keeps(found) {
		return true
	}
	var look func(n ast.Node) bool
	each := func(all ...ast.Expr) bool {
		for _, e := range all {
			ast.Inspect(e, look)
		}
		return false
	}
	look = func(n ast.Node) bool {
		if n == nil || s.line(n.Pos()) > line || s.line(n.End()) < line {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			switch f := n.Fun.(type) {
			case *ast.FuncLit:
				each(f)
			case *ast.SelectorExpr: // the receiver may be a field that is read; the method itself is no variable
				if x, ok := f.X.(*ast.SelectorExpr); ok {
					each(x)
				}
			}
			return each(n.Args...)
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
				return each(n.Rhs...)
			}
		case *ast.UnaryExpr:
			return n.Op != token.AND
		case *ast.KeyValueExpr:
			return each(n.Value)
		case *ast.SelectorExpr, *ast.Ident:
			e := n.(ast.Expr)
			doubt = doubt || s.line(n.Pos()) == line && s.shared(e) && Spelled(e) != Spelled(found)
			return false
		}
		return true
	}
	ast.Inspect(s.file, look)
	return doubt
}

// keeps reports whether an expression is a variable that only one goroutine can reach.
func (s *source) keeps(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Obj != nil && s.private(id)
}

// shared reports whether an expression may be a variable that several goroutines can reach.
func (s *source) shared(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Obj != nil && e.Obj.Kind == ast.Var && !s.private(e)
	case *ast.SelectorExpr:
		id, ok := e.X.(*ast.Ident)
		return !ok || id.Obj != nil || !s.imports(id.Name)
	}
	return false
}

// imports reports whether a name is an imported package of the standard library.
func (s *source) imports(name string) bool {
	for _, spec := range s.file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		if spec.Name == nil && path[strings.LastIndexByte(path, '/')+1:] == name && Standard(path) {
			return true
		}
	}
	return false
}

// private reports whether a variable is local to the function that uses it, its address is
// not taken, and no function literal in that function uses it.
func (s *source) private(use *ast.Ident) bool {
	function := s.around(use.Pos())
	if function == nil || use.Obj.Pos() < function.Pos() || use.Obj.Pos() >= function.End() {
		return false
	}
	private := true
	of := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && id.Obj == use.Obj
	}
	ast.Inspect(function, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ast.Inspect(n, func(inner ast.Node) bool {
				private = private && (n == function || !of(inner))
				return true
			})
		case *ast.UnaryExpr:
			private = private && (n.Op != token.AND || !of(n.X))
		}
		return true
	})
	return private
}

// around returns the innermost function around a place; nil if there is none. A literal is
// not around its own beginning.
func (s *source) around(at token.Pos) (function ast.Node) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		within := n != nil && n.Pos() < at && at < n.End()
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			if within {
				function = n
			}
		}
		return within || n == ast.Node(s.file)
	})
	return function
}
