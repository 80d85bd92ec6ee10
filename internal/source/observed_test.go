package source_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/source"
)

// caches are the types of trusted packages with whose locks and channels nobody can
// tell the order of anything, and those that are locked in methods of observed ones.
var caches = map[string]string{
	"crypto/tls.halfConn":             "locked by Conn",
	"crypto/tls.quicState":            "used by Conn and QUICConn",
	"crypto/tls.weakCertCache":        "certificates by their text",
	"encoding/gob.debugger":           "in no build",
	"encoding/gob.typeInfo":           "the encoder of a type",
	"encoding/json/v2.typedArshalers": "what to call for a type",
	"math/rand.runtimeSource":         "random anyway",
	"strings.Replacer":                "built once, always the same",
	"unique.canonMap":                 "equal values are one",
	"unique.entry":                    "of canonMap",
	"unique.indirect":                 "of canonMap",
	"text/template.common":            "locked by Template",
}

// What synchronises in a trusted package, and is not package-level, is either observed
// or known to be a cache. A new Go release that brings more is seen here.
func TestTrustedPackagesAreKnown(t *testing.T) {
	root := filepath.Join(build.Default.GOROOT, "src")
	types := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		pkg := filepath.ToSlash(filepath.Dir(rel))
		switch {
		case d.IsDir() && (d.Name() == "internal" || d.Name() == "testdata" || d.Name() == "cmd" || d.Name() == "vendor"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || !source.OnlyCaches(pkg):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if name := pkg + "." + spec.Name.Name; synchronises(spec.Type) && caches[name] == "" {
				types++
				if !source.Observed(pkg + ".(*" + spec.Name.Name + ").M") {
					t.Errorf("%s: type %s synchronises, and is neither observed nor known as a cache", rel, name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if types < 5 {
		t.Errorf("%d types are observed, want more: nothing was looked at", types)
	}
}

// synchronises reports whether a type is a struct with a field of package sync or
// sync/atomic, but pools, or with a channel.
func synchronises(x ast.Expr) (found bool) {
	s, ok := x.(*ast.StructType)
	if !ok {
		return false
	}
	for _, field := range s.Fields.List {
		ast.Inspect(field.Type, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncType:
				return false
			case *ast.ChanType:
				found = true
			case *ast.SelectorExpr:
				pkg, ok := n.X.(*ast.Ident)
				found = found || ok && (pkg.Name == "sync" || pkg.Name == "atomic") && n.Sel.Name != "Pool" && n.Sel.Name != "Locker"
			}
			return true
		})
	}
	return found
}
