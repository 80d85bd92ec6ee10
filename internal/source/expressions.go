package source

import (
	"cmp"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// Expressions finds, in the source text, the objects of operations.
type Expressions struct {
	lib   *Library
	exprs map[exprKey][]ast.Expr
	pcs   map[exprKey][]uintptr // return addresses of the operations met there, as in the source
}

// A Use is an operation on an object at a place in the code.
type Use struct {
	Op     control.Op
	Site   Site
	Action string  // the operation as reports call it
	PC     uintptr // return address in the program
}

// An exprKey is a kind of operation on a line. A copy reads one object and writes another.
type exprKey struct {
	file   string
	line   int
	verb   string
	writes bool
}

func NewExpressions(lib *Library, uses []*Use) *Expressions {
	s := &Expressions{lib: lib, exprs: make(map[exprKey][]ast.Expr), pcs: make(map[exprKey][]uintptr)}
	for _, u := range uses {
		if at := keyOf(u); at.file != "" && !slices.Contains(s.pcs[at], u.PC) {
			s.pcs[at] = append(s.pcs[at], u.PC)
		}
	}
	for at, pcs := range s.pcs {
		known := true
		slices.SortFunc(pcs, func(a, b uintptr) int {
			order, ok := closureOrder(functionAt(a), functionAt(b))
			known = known && ok
			return cmp.Or(order, cmp.Compare(a, b))
		})
		if !known {
			delete(s.pcs, at)
		}
	}
	return s
}

// closureOrder compares two functions by the numbers that functions without names have, which are
// those of their order in the source. It reports whether these decide.
func closureOrder(a, b string) (order int, ok bool) {
	one, other := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(one), len(other)) {
		if one[i] != other[i] {
			kind, of := strings.TrimRight(one[i], digits), strings.TrimRight(other[i], digits)
			return cmp.Or(cmp.Compare(len(one[i]), len(other[i])), cmp.Compare(one[i], other[i])), kind == of
		}
	}
	return 0, len(one) == len(other)
}

const digits = "0123456789"

func keyOf(u *Use) exprKey {
	return exprKey{file: u.Site.User.File, line: u.Site.User.line, verb: u.Action, writes: u.Op == control.OpWrite}
}

// Expr returns the expression for the object of a use, or nil if the line is ambiguous.
// If several expressions on the line fit and each was met, they are told apart by the
// order of the code.
func (s *Expressions) Expr(u *Use) ast.Expr {
	at := keyOf(u)
	if at.file == "" || u.Site.Self {
		return nil
	}
	found, ok := s.exprs[at]
	if !ok {
		found = s.find(u)
		s.exprs[at] = found
	}
	switch {
	case len(found) == 0:
		return nil
	case allSame(found):
		return found[0]
	case len(s.pcs[at]) == len(found):
		return found[slices.Index(s.pcs[at], u.PC)]
	}
	return nil
}

func allSame(all []ast.Expr) bool {
	for _, e := range all[1:] {
		if Spelled(e) != Spelled(all[0]) {
			return false
		}
	}
	return true
}

// BasicType returns the type of the object of a use, if it is a basic type.
func (s *Expressions) BasicType(u *Use) reflect.Type {
	src := s.lib.open(u.Site.User.File)
	if x := s.Expr(u); src != nil && x != nil {
		return src.basicType(x)
	}
	return nil
}

// find returns the expressions that fit a use.
func (s *Expressions) find(u *Use) []ast.Expr {
	src, line := s.lib.open(u.Site.User.File), u.Site.User.line
	for _, p := range patterns(u) {
		if found := src.at(line, p); len(found) > 0 {
			if src.unsure(u.Site.Op, line, found) {
				return nil
			}
			return found
		}
	}
	if u.Op == control.OpTrySend || u.Op == control.OpTryRecv {
		return commExprs(src.selectAt(line))
	}
	return nil
}

// patterns returns the patterns that an operation may match, the likeliest first.
func patterns(u *Use) []pattern {
	switch u.Site.ctx {
	case "":
	case "Done", "Err", "Value":
		return []pattern{method(u.Site.ctx)}
	default:
		return nil // such as a CancelFunc, or internal operations on a context and its parent
	}
	switch u.Op {
	case control.OpSend, control.OpTrySend:
		return []pattern{sending}
	case control.OpRecv, control.OpTryRecv:
		return []pattern{receiving, ranging}
	case control.OpClose:
		return []pattern{builtin("close")}
	case control.OpLen:
		return []pattern{builtin("len")}
	case control.OpTimer:
		return []pattern{method("Stop", "Reset")}
	case control.OpWrite:
		if strings.HasPrefix(u.Site.Op, "map") {
			return []pattern{builtin("delete"), indexed}
		}
		if u.Site.Op == copies {
			return []pattern{filled}
		}
		return []pattern{writing, builtin("append")}
	case control.OpRead:
		if strings.HasPrefix(u.Site.Op, "map") {
			return []pattern{indexed, ranging}
		}
		if u.Site.Op == copies {
			return []pattern{copied}
		}
		return []pattern{changing, reading}
	case control.OpSelect, control.OpGo, control.OpYield:
		return nil
	}
	if name, ok := strings.CutPrefix(u.Site.Op, "atomic."); ok && u.Site.Type != "" {
		if _, m, isMethod := strings.Cut(name, "."); isMethod {
			return []pattern{method(m)}
		}
		kind := u.Site.Type // the linker may merge functions for types of one size
		return []pattern{addressed(name), addressed(strings.TrimSuffix(name, kind) + strings.Replace(kind, "Int", "Uint", 1)), addressed(strings.TrimSuffix(name, kind) + "Uintptr")}
	}
	if _, m, ok := strings.Cut(u.Site.Call, "."); ok {
		if strings.HasPrefix(u.Site.Call, "Cond.") {
			return nil // the lock of a condition variable
		}
		return []pattern{method(m)}
	}
	if _, m, ok := strings.Cut(u.Site.Op, "."); ok {
		return []pattern{method(m)}
	}
	return nil
}

// selectAt returns the select statement on a line.
func (s *source) selectAt(line int) (found *ast.SelectStmt) {
	s.at(line, func(_ *source, _ int, n ast.Node) ast.Expr {
		if sel, ok := n.(*ast.SelectStmt); ok && s.line(sel.Select) == line {
			found = sel
		}
		return nil
	})
	return found
}

// commExprs returns the channels of a select's cases, in the order in which the
// compiler passes them to the runtime: sends in source order, receives in reverse.
func commExprs(sel *ast.SelectStmt) []ast.Expr {
	if sel == nil {
		return nil
	}
	var sends, receives []ast.Expr
	for _, c := range sel.Body.List {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case *ast.SendStmt:
			sends = append(sends, comm.Chan)
		case *ast.ExprStmt:
			receives = append(receives, received(comm.X))
		case *ast.AssignStmt:
			receives = append(receives, received(comm.Rhs[0]))
		}
	}
	slices.Reverse(receives)
	return append(sends, receives...)
}

func received(e ast.Expr) ast.Expr {
	if paren, ok := e.(*ast.ParenExpr); ok {
		return received(paren.X)
	}
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return u.X
	}
	return e
}

// Selected returns the source text of the channel of a select's case.
func (s *Expressions) Selected(u *Use, i int) string {
	all := commExprs(s.lib.open(u.Site.User.File).selectAt(u.Site.User.line))
	if i >= len(all) {
		return ""
	}
	return Spelled(all[i])
}
