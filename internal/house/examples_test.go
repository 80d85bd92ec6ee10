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

// exemplary is the folder in which all exported functions, and all exported types with
// exported methods, must have an example.
const exemplary = "explore"

// unexemplified finds exported functions, and types with methods, without an example.
// For a constructor the example of its type counts.
func unexemplified(files []file) []string {
	var wanted []string
	examples := make(map[string]bool)
	for _, f := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), f.name, f.text, parser.SkipObjectResolution)
		if err != nil {
			return []string{err.Error()}
		}
		for _, d := range parsed.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if strings.HasSuffix(f.name, "_test.go") {
				name, _, _ := strings.Cut(strings.TrimPrefix(fn.Name.Name, "Example"), "_")
				examples[name] = examples[name] || strings.HasPrefix(fn.Name.Name, "Example")
			} else if name := subject(fn); name != "" && !slices.Contains(wanted, name) {
				wanted = append(wanted, name)
			}
		}
	}
	var wrong []string
	for _, name := range wanted {
		if !examples[name] && !examples[strings.TrimPrefix(name, "New")] {
			wrong = append(wrong, fmt.Sprintf("%s: %s has no example; want func Example%s", exemplary, name, name))
		}
	}
	slices.Sort(wrong)
	return wrong
}

// subject returns the name that an example of a function must have: the function's, or
// that of the type whose method it is; "" if it is not exported, or a standard
// interface defines it.
func subject(fn *ast.FuncDecl) string {
	if !fn.Name.IsExported() || slices.Contains(understood, fn.Name.Name) {
		return ""
	}
	if fn.Recv == nil {
		return fn.Name.Name
	}
	if of := receiver(fn.Recv.List[0].Type); ast.IsExported(of) {
		return of
	}
	return ""
}

func TestEverythingHasAnExample(t *testing.T) {
	var sources []file
	for _, f := range must(t, files) {
		if path.Dir(f.name) == exemplary && strings.HasSuffix(f.name, ".go") && !strings.HasSuffix(f.name, "_export_test.go") {
			sources = append(sources, f)
		}
	}
	if len(sources) < 20 {
		t.Fatalf("got %d files in %s", len(sources), exemplary)
	}
	check(t, unexemplified(sources))
}

func TestEverythingHasAnExampleCanFail(t *testing.T) {
	source := file{"explore/a.go", "package explore\n\nfunc Run() {}\nfunc NewLoom() *Loom { return nil }\nfunc (l *Loom) Weave() {}\nfunc (c card) Card() {}\nfunc (v Verdict) String() string { return \"\" }\n"}
	tests := file{"explore/a_test.go", "package explore_test\n\nfunc ExampleLoom_Weave() {}\nfunc TestRun() {}\n"}
	got := unexemplified([]file{source, tests})
	catches(t, got, "Run has no example")
	if len(got) != 1 {
		t.Errorf("got %q, want only Run", got)
	}
	check(t, unexemplified([]file{source, tests, {"explore/b_test.go", "package explore_test\n\nfunc ExampleRun() {}\n"}}))
}
