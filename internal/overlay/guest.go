package overlay

import (
	"fmt"
	"go/build/constraint"
	"io/fs"
	"path"
	"strings"
)

// A guest is this module's own code in a test binary of a module that does not
// require it. It is added to the standard library, as packages that no other
// module can import. So it needs no requirement, vendor directory, workspace or
// checksum, and it is separate from the same packages in a module that does
// require this one.
const (
	ownModule = "github.com/jacquard-go/jacquard/"
	guestRoot = "internal/jacquard/" // in place of ownModule
)

// guestLink makes every test binary, and no other, import the guest: only the main
// package that the go command generates for tests imports package testdeps. An
// additional file in the package under test would do the same, but files cannot be
// added everywhere, for instance not in the module cache.
const (
	guestLinkFile = "testing/internal/testdeps/jacquard.go"
	guestLink     = "package testdeps\n\nimport _ \"" + guestRoot + "suite/guest\"\n"
)

// guestTags are the build tags that are set in a guest only; the code under test may
// have files for them.
var guestTags = map[string]bool{
	"jacquard": true, // under control
}

// addGuest adds the packages in source, by path below this module's root. It leaves the rest
// of the overlay unchanged, so that builds with and without a guest share compiled packages.
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

// guestCopy returns the guest's copy of a source file; false if the guest omits the file.
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

// decided simplifies a constraint under guestTags. If rest is nil, the constraint is
// decided, and holds says whether it holds.
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

// joined decides a conjunction or a disjunction; an operand settles it if its value is
// settles.
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
