package flakes

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// TestFlakes: every flake has all its fields, and every test that is written
// here belongs to one flake and declares the test that it runs.
func TestFlakes(t *testing.T) {
	written := map[string]bool{}
	seen := map[string]bool{}
	for _, f := range flakes() {
		if seen[f.name] {
			t.Errorf("%s: got two of the name, want one", f.name)
		}
		seen[f.name] = true
		if slices.Contains([]string{f.name, f.module, f.before, f.after, f.pkg, f.test, f.kind, f.bug}, "") || f.before == f.after {
			t.Errorf("got %+v, want nothing but helpers empty and two versions", f)
		}
		if !strings.HasPrefix(f.issue, "https://github.com/") {
			t.Errorf("%s: got the issue %q, want an address", f.name, f.issue)
		}
		if text, ok := f.ours(); ok {
			written[f.name+"_test.go.txt"] = true
			if !declaresTest(t, text, f.test) {
				t.Errorf("%s: got no %s in the file written for it, want it", f.name, f.test)
			}
		}
	}
	if len(seen) < 20 {
		t.Errorf("got %d flakes, want 20", len(seen))
	}
	files, err := fs.ReadDir(laid, "laid")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !written[file.Name()] {
			t.Errorf("got the file %s, want it named by a flake", file.Name())
		}
	}
}

func declaresTest(t *testing.T, text []byte, name string) bool {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(tree.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Name.Name == name
	})
}
