package suite

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unbegun are the tests that there was no time to begin.
func (r *run) unbegun() (names []string) {
	if !r.partial {
		return nil
	}
	return r.remaining()
}

// remaining are the tests that the package's files declare, as far as they are to be
// run, and that have not begun.
func (r *run) remaining() (names []string) {
	elsewhere := r.elsewhere()
	for _, name := range r.declared() {
		began := slices.Contains(elsewhere, name) || slices.ContainsFunc(r.tests, func(t *test) bool { return t.name == name })
		if !began && chosen(r.cfg.Run, name, true) && !(r.cfg.Skip != "" && deep(r.cfg.Skip) == "" && chosen(r.cfg.Skip, name, false)) {
			names = append(names, name)
		}
	}
	return names
}

// chosen reports whether a pattern chooses a top-level test.
func chosen(pattern, name string, empty bool) bool {
	top, _, _ := strings.Cut(pattern, "/")
	if top == "" {
		return empty
	}
	matched, err := regexp.MatchString(top, name)
	return matched && err == nil
}

// Chosen reports whether a pattern of go test's flag -run chooses a top-level test.
func Chosen(pattern, name string) bool { return chosen(pattern, name, true) }

// declared are the names of the tests and examples in the package's files, in the order
// in which package testing runs them.
func (r *run) declared() []string {
	var tests, examples []string
	for _, file := range slices.Concat(r.TestGoFiles, r.XTestGoFiles) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(r.Dir, file), nil, parser.SkipObjectResolution|parser.ParseComments)
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

// testName reports whether package testing takes a function for one of the kind.
func testName(name, kind string) bool {
	rest, ok := strings.CutPrefix(name, kind)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(first)
}

// mostNamed is how many are named of those that were not begun.
const mostNamed = 10

// named are names with commas, and how many more there are.
func named(names []string) string {
	if len(names) <= mostNamed {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:mostNamed], ", ") + " and " + thousands(len(names)-mostNamed) + " more"
}

// missed says which tests were not begun.
func (r *run) missed() string {
	names := r.unbegun()
	if len(names) == 0 || r.cfg.JSON {
		return ""
	}
	return "jacquard: not begun: " + named(names) + "\n"
}
