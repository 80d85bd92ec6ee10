package coverage

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// Sources reads the file of a spot. If it is nil, or returns an error, the cases of a
// select are shown without their text.
type Sources func(file string) ([]byte, error)

// The clauses of a select are its cases, sends first, and whether it has a default.
type clauses struct {
	sends, receives []string
	others          bool
}

// text returns the i-th case of a select in which the first sends cases send.
func (c clauses) text(i, sends int) string {
	if i < sends {
		return c.sends[i]
	}
	return c.receives[i-sends]
}

// clauses finds the select of a spot with n cases.
func (in Sources) clauses(s Spot, n int) (found clauses, ok bool) {
	if in == nil {
		return found, false
	}
	text, err := in(s.File)
	if err != nil {
		return found, false
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, s.File, text, parser.SkipObjectResolution)
	if err != nil {
		return found, false
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if stmt, is := node.(*ast.SelectStmt); is && begins(set, stmt, s.Line) {
			if c := clausesOf(set, stmt, text); len(c.sends)+len(c.receives) == n {
				found, ok = c, true
			}
		}
		return true
	})
	return found, ok
}

// begins reports whether a line is that of a select, or of the head of one of its cases:
// the compiler may report either.
func begins(set *token.FileSet, stmt *ast.SelectStmt, line int) bool {
	is := set.Position(stmt.Pos()).Line == line
	for _, s := range stmt.Body.List {
		is = is || set.Position(s.Pos()).Line == line
	}
	return is
}

func clausesOf(set *token.FileSet, stmt *ast.SelectStmt, text []byte) (c clauses) {
	for _, s := range stmt.Body.List {
		clause, is := s.(*ast.CommClause)
		if !is || clause.Comm == nil {
			c.others = true
			continue
		}
		words := strings.Fields(string(text[set.Position(clause.Pos()).Offset:set.Position(clause.Colon).Offset]))
		if _, sends := clause.Comm.(*ast.SendStmt); sends {
			c.sends = append(c.sends, strings.Join(words, " "))
		} else {
			c.receives = append(c.receives, strings.Join(words, " "))
		}
	}
	return c
}
