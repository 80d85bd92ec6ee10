package build

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Declared returns the names of the tests and examples in the package's files, in the order in
// which package testing runs them.
func (p Package) Declared() []string {
	var tests, examples []string
	for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			continue // it has changed since it was built
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			if name := fn.Name.Name; testName(name, "Test") && name != "TestMain" || testName(name, "Fuzz") {
				tests = append(tests, name)
			}
		}
		all := doc.Examples(f)
		slices.SortFunc(all, func(a, b *doc.Example) int { return a.Order - b.Order })
		for _, e := range all {
			if e.Output != "" || e.EmptyOutput { // others are only compiled
				examples = append(examples, "Example"+e.Name)
			}
		}
	}
	return append(tests, examples...)
}

// testName reports whether package testing runs a function of this name as one of the kind.
func testName(name, kind string) bool {
	rest, ok := strings.CutPrefix(name, kind)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(first)
}
