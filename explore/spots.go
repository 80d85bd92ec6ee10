package explore

import (
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// Spots find in the source what an operation works on.
type spots struct {
	lib   *library
	exprs map[spotKey][]ast.Expr
	pcs   map[spotKey][]uintptr // of the operations that were met there, ascending
}

// A spotKey is a kind of operation on a line.
type spotKey struct {
	file string
	line int
	verb string
}

func newSpots(lib *library, events []*event) *spots {
	s := &spots{lib: lib, exprs: make(map[spotKey][]ast.Expr), pcs: make(map[spotKey][]uintptr)}
	for _, e := range events {
		if at := keyOfSpot(e); at.file != "" {
			pcs := s.pcs[at]
			if i, found := slices.BinarySearch(pcs, e.pc); !found {
				s.pcs[at] = slices.Insert(pcs, i, e.pc)
			}
		}
	}
	return s
}

func keyOfSpot(e *event) spotKey {
	return spotKey{file: e.site.user.file, line: e.site.user.line, verb: e.action}
}

// expr is the expression for an event's object, or nil if the line leaves a
// doubt. Where a line has several that fit they are told apart by the order of
// the code, if each of them was met.
func (s *spots) expr(e *event) ast.Expr {
	at := keyOfSpot(e)
	if at.file == "" || e.site.self {
		return nil
	}
	found, ok := s.exprs[at]
	if !ok {
		found = s.find(e)
		s.exprs[at] = found
	}
	switch {
	case len(found) == 0:
		return nil
	case allSame(found):
		return found[0]
	case len(s.pcs[at]) == len(found):
		i, _ := slices.BinarySearch(s.pcs[at], e.pc)
		return found[i]
	}
	return nil
}

func allSame(all []ast.Expr) bool {
	for _, e := range all[1:] {
		if spelled(e) != spelled(all[0]) {
			return false
		}
	}
	return true
}

// basicType is the type of an event's object, if it is a basic one.
func (s *spots) basicType(e *event) reflect.Type {
	src := s.lib.open(e.site.user.file)
	if x := s.expr(e); src != nil && x != nil {
		return src.basicType(x)
	}
	return nil
}

// find looks for the expressions that fit an event.
func (s *spots) find(e *event) []ast.Expr {
	src, line := s.lib.open(e.site.user.file), e.site.user.line
	for _, p := range patterns(e) {
		if found := src.at(line, p); len(found) > 0 {
			return found
		}
	}
	if e.op == control.OpTrySend || e.op == control.OpTryRecv {
		return commExprs(src.selectAt(line))
	}
	return nil
}

// patterns are what an operation may look like, the likeliest first.
func patterns(e *event) []pattern {
	switch e.site.ctx {
	case "":
	case "Done", "Err", "Value":
		return []pattern{method(e.site.ctx)}
	default:
		return nil // such as a CancelFunc, or what is done to a context and its parent
	}
	switch e.op {
	case control.OpSend, control.OpTrySend:
		return []pattern{sending}
	case control.OpRecv, control.OpTryRecv:
		return []pattern{receiving, ranging}
	case control.OpClose:
		return []pattern{builtin("close")}
	case control.OpTimer:
		return []pattern{method("Stop", "Reset")}
	case control.OpWrite:
		if strings.HasPrefix(e.site.op, "map") {
			return []pattern{builtin("delete"), indexed}
		}
		return []pattern{writing, builtin("append")}
	case control.OpRead:
		if strings.HasPrefix(e.site.op, "map") {
			return []pattern{indexed, ranging}
		}
		return []pattern{changing, reading}
	case control.OpSelect, control.OpGo, control.OpYield:
		return nil
	}
	if name, ok := strings.CutPrefix(e.site.op, "atomic."); ok && e.site.typ != "" {
		if _, m, isMethod := strings.Cut(name, "."); isMethod {
			return []pattern{method(m)}
		}
		return []pattern{addressed(name)}
	}
	if _, m, ok := strings.Cut(e.site.call, "."); ok {
		if strings.HasPrefix(e.site.call, "Cond.") {
			return nil // the lock behind a condition variable
		}
		return []pattern{method(m)}
	}
	if _, m, ok := strings.Cut(e.site.op, "."); ok {
		return []pattern{method(m)}
	}
	return nil
}

// selectAt is the select statement on a line.
func (s *source) selectAt(line int) (found *ast.SelectStmt) {
	s.at(line, func(_ *source, _ int, n ast.Node) ast.Expr {
		if sel, ok := n.(*ast.SelectStmt); ok && s.line(sel.Select) == line {
			found = sel
		}
		return nil
	})
	return found
}

// commExprs are the channels of a select's cases, in the order in which the
// compiler hands them to the runtime: sends as they come, receives backwards.
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

// selected is what the source calls the channel of a select's case.
func (s *spots) selected(e *event, i int) string {
	all := commExprs(s.lib.open(e.site.user.file).selectAt(e.site.user.line))
	if i >= len(all) {
		return ""
	}
	return spelled(all[i])
}
