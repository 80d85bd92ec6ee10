package source

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// A pattern recognises a kind of operation in the source: if a node is such an
// operation on the given line, it returns the expression for the object; else
// nil.
type pattern func(s *source, line int, n ast.Node) ast.Expr

// at returns the expressions on a line that match a pattern, in the order of the
// source.
func (s *source) at(line int, p pattern) (found []ast.Expr) {
	if s == nil {
		return nil
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil || s.line(n.Pos()) > line || s.line(n.End()) < line {
			return false
		}
		if e := p(s, line, n); e != nil {
			found = append(found, e)
		}
		return true
	})
	return found
}

// calls counts the selectors on a line whose name begins with begins, and how many of them
// are calls used as statements.
func (s *source) calls(line int, begins string) (all, alone int) {
	if s == nil {
		return 0, 0
	}
	selects := func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		return ok && strings.HasPrefix(sel.Sel.Name, begins) && s.line(sel.Sel.Pos()) == line
	}
	s.at(line, func(_ *source, _ int, n ast.Node) ast.Expr {
		if selects(n) {
			all++
		}
		if x, ok := n.(*ast.ExprStmt); ok {
			if call, ok := x.X.(*ast.CallExpr); ok && selects(call.Fun) {
				alone++
			}
		}
		return nil
	})
	return all, alone
}

func (s *source) line(pos token.Pos) int { return s.set.Position(pos).Line }

// method matches x.Name for one of names, called or not.
func method(names ...string) pattern {
	return func(s *source, line int, n ast.Node) ast.Expr {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || !slices.Contains(names, sel.Sel.Name) || s.line(sel.Sel.Pos()) != line {
			return nil
		}
		return sel.X
	}
}

// addressed matches atomic.Name(&x, …), and the same where &x is converted.
func addressed(name string) pattern {
	return func(s *source, line int, n ast.Node) ast.Expr {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || s.line(call.Pos()) != line {
			return nil
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != name {
			return nil
		}
		x := unconverted(call.Args[0])
		if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
			return u.X
		}
		return x
	}
}

// unconverted returns x for (*T)(x), unsafe.Pointer(x), and both.
func unconverted(x ast.Expr) ast.Expr {
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return x
	}
	switch f := call.Fun.(type) {
	case *ast.ParenExpr:
		if _, pointer := f.X.(*ast.StarExpr); pointer {
			return unconverted(call.Args[0])
		}
	case *ast.SelectorExpr:
		if Spelled(f) == "unsafe.Pointer" {
			return unconverted(call.Args[0])
		}
	}
	return x
}

// builtin matches name(x, …).
func builtin(name string) pattern {
	return func(s *source, line int, n ast.Node) ast.Expr {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || s.line(call.Pos()) != line {
			return nil
		}
		if id, ok := call.Fun.(*ast.Ident); !ok || id.Name != name {
			return nil
		}
		return call.Args[0]
	}
}

// copied matches copy(y, x), string(x) and []T(x), for x.
func copied(s *source, line int, n ast.Node) ast.Expr {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || s.line(call.Pos()) != line {
		return nil
	}
	switch f := call.Fun.(type) {
	case *ast.ArrayType:
		return call.Args[0]
	case *ast.Ident:
		if f.Name == "string" || f.Name == "copy" && len(call.Args) == 2 {
			return unsliced(call.Args[len(call.Args)-1])
		}
	}
	return nil
}

// filled matches copy(x, y), for x.
func filled(s *source, line int, n ast.Node) ast.Expr {
	if x := builtin("copy")(s, line, n); x != nil {
		return unsliced(x)
	}
	return nil
}

// unsliced returns x for x[i:j].
func unsliced(x ast.Expr) ast.Expr {
	if part, ok := x.(*ast.SliceExpr); ok {
		return part.X
	}
	return x
}

// sending matches x <- v.
func sending(s *source, line int, n ast.Node) ast.Expr {
	if send, ok := n.(*ast.SendStmt); ok && s.line(send.Arrow) == line {
		return send.Chan
	}
	return nil
}

// receiving matches <-x.
func receiving(s *source, line int, n ast.Node) ast.Expr {
	if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW && s.line(u.OpPos) == line {
		return u.X
	}
	return nil
}

// ranging matches range x.
func ranging(s *source, line int, n ast.Node) ast.Expr {
	if r, ok := n.(*ast.RangeStmt); ok && s.line(r.For) == line {
		return r.X
	}
	return nil
}

// going matches go f(…), for f.
func going(s *source, line int, n ast.Node) ast.Expr {
	if g, ok := n.(*ast.GoStmt); ok && s.line(g.Go) == line {
		return g.Call.Fun
	}
	return nil
}

// calling matches x.Name(f): it returns f if that is a name, and a function, else x.Name.
func calling(name string, function bool) pattern {
	return func(s *source, line int, n ast.Node) ast.Expr {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return nil
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != name || s.line(sel.Sel.Pos()) != line {
			return nil
		}
		if function && variable(call.Args[0]) {
			return call.Args[0]
		}
		return call.Fun
	}
}

// indexed matches x[i], for x.
func indexed(s *source, line int, n ast.Node) ast.Expr {
	if x, ok := n.(*ast.IndexExpr); ok && s.line(x.Lbrack) == line {
		return x.X
	}
	return nil
}

// changing matches what a line both reads and writes: x++, x += v.
func changing(s *source, line int, n ast.Node) ast.Expr {
	if a, ok := n.(*ast.AssignStmt); ok && (a.Tok == token.ASSIGN || a.Tok == token.DEFINE) {
		return nil
	}
	return writing(s, line, n)
}

// writing matches the target of an assignment.
func writing(s *source, line int, n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.IncDecStmt:
		if s.line(n.TokPos) == line {
			return n.X
		}
	case *ast.AssignStmt:
		if s.line(n.TokPos) == line && n.Tok != token.DEFINE && len(n.Lhs) == 1 {
			return n.Lhs[0]
		}
	}
	return nil
}

// reading matches an operand of a comparison, a returned value or the source of an
// assignment, if it is the only variable among them.
func reading(s *source, line int, n ast.Node) ast.Expr {
	var all []ast.Expr
	switch n := n.(type) {
	case *ast.BinaryExpr:
		all = []ast.Expr{n.X, n.Y}
	case *ast.ReturnStmt:
		all = n.Results
	case *ast.AssignStmt:
		all = n.Rhs
	}
	var found ast.Expr
	for _, e := range all {
		if s.line(e.Pos()) != line || !variable(e) {
			continue
		}
		if found != nil {
			return nil
		}
		found = e
	}
	return found
}

// variable reports whether an expression looks like a variable.
func variable(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name != "nil" && e.Name != "true" && e.Name != "false" && e.Name != "_"
	case *ast.SelectorExpr, *ast.StarExpr:
		return Spelled(e) != ""
	}
	return false
}

// maxIndex is the longest index that may be part of a name.
const maxIndex = 12

// Spelled returns an expression as a name for its object, or "" if it is too complex.
// It omits arguments, and indices that are not constant, because they vary between
// executions of the line.
func Spelled(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name != "_" {
			return e.Name
		}
	case *ast.ParenExpr:
		return Spelled(e.X)
	case *ast.StarExpr:
		return Spelled(e.X)
	case *ast.SelectorExpr:
		if x := Spelled(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	case *ast.IndexExpr:
		x := Spelled(e.X)
		if x == "" {
			return ""
		}
		if lit, ok := e.Index.(*ast.BasicLit); ok && len(lit.Value) <= maxIndex {
			return x + "[" + lit.Value + "]"
		}
		return x + "[…]"
	case *ast.CallExpr:
		f := Spelled(e.Fun)
		if _, converts := e.Fun.(*ast.ParenExpr); f == "" || f == "make" || f == "new" || converts {
			return "" // a new object, or no call
		}
		if len(e.Args) == 0 {
			return f + "()"
		}
		return f + "(…)"
	}
	return ""
}
