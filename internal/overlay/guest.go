package overlay

import (
	"fmt"
	"go/build/constraint"
	"io/fs"
	"path"
	"strings"
)

// A guest is this module's own code in a test binary of a module that does not
// require it. It is added to the standard library, as packages that nobody else
// can import: no requirement, vendor directory, workspace or checksum is in its
// way, and it is apart from the same packages of a module that does require
// this one.
const (
	ownModule = "github.com/jacquard-go/jacquard/"
	guestRoot = "internal/jacquard/" // in place of ownModule
)

// guestLink has every test binary, and no other, import the guest: package
// testdeps is imported by the main package that the go command makes for tests,
// and by nothing else. An additional file in the package under test would do the
// same, but not where files cannot be added, such as in the module cache.
const (
	guestLinkFile = "testing/internal/testdeps/jacquard.go"
	guestLink     = "package testdeps\n\nimport _ \"" + guestRoot + "suite/guest\"\n"
)

// guestTags are the build tags that hold in a guest and nowhere else: the code
// under test may have files for them.
var guestTags = map[string]bool{
	"jacquard": true, // under control
}

// addGuest adds the packages in source, by path below this module's root. The rest of
// the overlay stays as it is, so that what is compiled without a guest is good for it.
func addGuest(files map[string]string, source fs.FS) error {
	files[guestLinkFile] = guestLink
	return fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		if path.Ext(name) != ".go" { // embedded
			files[guestRoot+name] = string(text)
			return nil
		}
		copied, ok, err := guestCopy(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if ok {
			files[guestRoot+name] = copied
		}
		return nil
	})
}

// guestCopy returns a source file as it is in a guest; false if it is not there.
func guestCopy(text string) (copied string, ok bool, err error) {
	text = strings.ReplaceAll(text, ownModule, guestRoot)
	var b strings.Builder
	for line := range strings.Lines(text) {
		if constraint.IsGoBuild(line) {
			expr, err := constraint.Parse(strings.TrimSpace(line))
			if err != nil {
				return "", false, err
			}
			rest, holds := decided(expr)
			if rest == nil && !holds {
				return "", false, nil
			}
			if line = "\n"; rest != nil {
				line = "//go:build " + rest.String() + "\n"
			}
		}
		b.WriteString(line)
	}
	return b.String(), true, nil
}

// decided is what is left of a constraint when guestTags hold; if nothing is,
// whether it holds.
func decided(expr constraint.Expr) (rest constraint.Expr, holds bool) {
	switch e := expr.(type) {
	case *constraint.TagExpr:
		if guestTags[e.Tag] {
			return nil, true
		}
	case *constraint.NotExpr:
		if rest, holds = decided(e.X); rest == nil {
			return nil, !holds
		}
		return &constraint.NotExpr{X: rest}, false
	case *constraint.AndExpr:
		return joined(e.X, e.Y, false, func(x, y constraint.Expr) constraint.Expr { return &constraint.AndExpr{X: x, Y: y} })
	case *constraint.OrExpr:
		return joined(e.X, e.Y, true, func(x, y constraint.Expr) constraint.Expr { return &constraint.OrExpr{X: x, Y: y} })
	}
	return expr, false
}

// joined decides a conjunction or a disjunction; either operand can settle it by
// being the value given.
func joined(x, y constraint.Expr, settles bool, join func(x, y constraint.Expr) constraint.Expr) (constraint.Expr, bool) {
	restX, holdsX := decided(x)
	restY, holdsY := decided(y)
	switch {
	case restX == nil && holdsX == settles, restY == nil && holdsY == settles:
		return nil, settles
	case restX == nil:
		return restY, holdsY
	case restY == nil:
		return restX, false
	}
	return join(restX, restY), false
}
