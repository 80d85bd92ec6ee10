package source_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/internal/source"
)

// caches are types of trusted packages. The order of their locks and channels is not visible
// to the program.
var caches = map[string]string{
	"crypto/tls.weakCertCache":        "certificates by their text",
	"encoding/gob.debugger":           "in no build",
	"encoding/gob.typeInfo":           "the encoder of a type",
	"encoding/json/v2.typedArshalers": "what to call for a type",
	"math/rand.runtimeSource":         "random anyway",
	"strings.Replacer":                "built once, always the same",
	"unique.canonMap":                 "equal values are one",
	"unique.entry":                    "of canonMap",
	"unique.indirect":                 "of canonMap",
}

// Each type of a trusted package with a lock or channel is known to be a cache, or all
// functions that use it are observed. Package-level variables do not count. This finds
// additions in new Go releases.
func TestTrustedPackagesAreKnown(t *testing.T) {
	root := filepath.Join(build.Default.GOROOT, "src")
	packages := make(map[string][]*ast.File)
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
		packages[pkg] = append(packages[pkg], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	used := 0
	for pkg, files := range packages {
		fields := make(map[string]bool) // synchronising fields outside of caches
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok && caches[pkg+"."+spec.Name.Name] == "" {
					maps.Copy(fields, synchronises(spec.Type))
				}
				return true
			})
		}
		for _, file := range files {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && uses(f, fields) {
					used++
					if name, of := functionName(pkg, f); !source.Observed(name) && caches[of] == "" {
						t.Errorf("got %s synchronising, want it observed or its type among the caches", name)
					}
				}
			}
		}
	}
	if used < 20 {
		t.Errorf("got %d synchronising functions, want at least 20", used)
	}
}

// functionName returns a function's name in the runtime, and the type that it is a method of.
func functionName(pkg string, f *ast.FuncDecl) (name, of string) {
	if f.Recv == nil {
		return pkg + "." + f.Name.Name, ""
	}
	recv := f.Recv.List[0].Type
	star, pointer := recv.(*ast.StarExpr)
	if pointer {
		recv = star.X
	}
	if x, ok := recv.(*ast.IndexExpr); ok {
		recv = x.X
	}
	name = fmt.Sprint(recv)
	of = pkg + "." + name
	if pointer {
		name = "(*" + name + ")"
	}
	return pkg + "." + name + "." + f.Name.Name, of
}

// uses reports whether a function selects one of fields.
func uses(f *ast.FuncDecl, fields map[string]bool) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		found = found || ok && fields[s.Sel.Name]
		return true
	})
	return found
}

// synchronises returns the fields of a struct whose types use sync or sync/atomic, except
// pools, or contain a channel.
func synchronises(x ast.Expr) map[string]bool {
	fields := make(map[string]bool)
	s, ok := x.(*ast.StructType)
	if !ok {
		return fields
	}
	for _, field := range s.Fields.List {
		found := false
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
		switch {
		case found && len(field.Names) == 0: // embedded
			fields["Lock"], fields["Do"] = true, true
		case found:
			for _, name := range field.Names {
				fields[name.Name] = true
			}
		}
	}
	return fields
}
