package house_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// judges are the folders that define for themselves where a command may lead a
// plan. If they asked package lifecycle, they would accept whatever it does.
var judges = []string{"lifecycle/model", "stress/soak", "stress/soak/passing"}

// drawers are files in them that may ask package lifecycle: they decide which commands
// are tried, and not what must result.
var drawers = []string{"stress/soak/choose.go", "stress/soak/owner.go"}

// asking finds judges that ask package lifecycle.
func asking(all []file) []string {
	var wrong []string
	for _, f := range all {
		if !slices.Contains(judges, path.Dir(f.name)) || !strings.HasSuffix(f.name, ".go") ||
			strings.HasSuffix(f.name, "_test.go") || slices.Contains(drawers, f.name) {
			continue
		}
		syntax, err := parser.ParseFile(token.NewFileSet(), f.name, f.text, parser.SkipObjectResolution)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, ok := s.X.(*ast.Ident)
			if ok && from.Name == "lifecycle" && (s.Sel.Name == "Guard" || s.Sel.Name == "Transitions") {
				wrong = append(wrong, fmt.Sprintf("%s: got lifecycle.%s, want a state machine that is not the judged one's", f.name, s.Sel.Name))
			}
			return true
		})
	}
	return wrong
}

func TestJudgesAskNobody(t *testing.T) {
	all := must(t, files)
	check(t, asking(all))
	for _, name := range append(drawers, "lifecycle/model/plans.go", "stress/soak/model_plan.go") {
		if !slices.ContainsFunc(all, func(f file) bool { return f.name == name }) {
			t.Errorf("got no %s, want it, or the rule about it changed", name)
		}
	}
}

func TestJudgesAskNobodyCanFail(t *testing.T) {
	const text = "package soak\n\nvar to, err = lifecycle.Guard(c, at)\n"
	all := "package model\n\nvar all = lifecycle.Transitions()\n"
	catches(t, asking([]file{{"stress/soak/model_plan.go", text}}), "lifecycle.Guard")
	catches(t, asking([]file{{"lifecycle/model/plans.go", all}}), "lifecycle.Transitions")
	check(t, asking([]file{{"stress/soak/choose.go", text}, {"stress/soak/a_test.go", text}, {"lifecycle/advance.go", text}}))
}
