package house_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// bare finds packages without a package comment. It exempts packages that consist only of
// tests, for which go doc shows none.
func bare(pkgs []pkg) []string {
	var wrong []string
	for _, p := range pkgs {
		if p.Doc == "" && len(p.GoFiles) > 0 {
			wrong = append(wrong, p.ImportPath+": want a package comment that says what it is")
		}
	}
	return wrong
}

func TestPackageComments(t *testing.T) { check(t, bare(must(t, packages))) }

func TestPackageCommentsCanFail(t *testing.T) {
	catches(t, bare([]pkg{{ImportPath: "cache", Doc: "Package cache"}, {ImportPath: "steps", GoFiles: []string{"act.go"}}}), "steps")
}

// understood are methods whose meaning a standard interface defines.
var understood = []string{"String", "Error", "Unwrap", "Is"}

// undocumented finds exported names without a comment in source.
func undocumented(name, source string) []string {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	var wrong []string
	missing := func(n *ast.Ident, docs ...*ast.CommentGroup) {
		if !n.IsExported() || slices.ContainsFunc(docs, func(d *ast.CommentGroup) bool { return d != nil }) {
			return
		}
		wrong = append(wrong, fmt.Sprintf("%s: %s is exported; want a comment", set.Position(n.Pos()), n.Name))
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if !slices.Contains(understood, d.Name.Name) && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
				missing(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					missing(s.Name, d.Doc, s.Doc)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						missing(n, d.Doc, s.Doc, s.Comment)
					}
				}
			}
		}
	}
	return wrong
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// public reports whether other modules may import a package.
func public(p pkg) bool {
	return p.Name != "main" && !slices.Contains(strings.Split(p.ImportPath, "/"), "internal")
}

func TestExportedNames(t *testing.T) {
	texts := make(map[string]string)
	for _, f := range must(t, files) {
		texts[f.name] = f.text
	}
	base := must(t, root)
	for _, p := range must(t, packages) {
		for _, name := range p.GoFiles {
			at, err := filepath.Rel(base, filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if at = filepath.ToSlash(at); public(p) {
				check(t, undocumented(at, texts[at]))
			}
		}
	}
}

func TestExportedNamesCanFail(t *testing.T) {
	for _, decl := range []string{
		"func Open() {}", "type Cache struct{}", "var Err error", "const Max = 1", "type t struct{}\n\n// T is t.\ntype T t\n\nfunc (*T) Close() {}",
		"type (\n\tCache[K any] struct{}\n)",
	} {
		catches(t, undocumented("a.go", "package a\n\n"+decl+"\n"), "want a comment")
	}
	fine := "package a\n\n// Open opens.\nfunc Open() {}\n\ntype t struct{}\n\nfunc (t) Close() {}\n\n// The limits.\nconst (\n\tMax = 1\n)\n"
	check(t, undocumented("a.go", fine))
}

// badNames finds package folders whose names do not match the package in them.
func badNames(pkgs []pkg) []string {
	var wrong []string
	for _, p := range pkgs {
		if p.Name != "main" && p.Name != path.Base(p.ImportPath) {
			wrong = append(wrong, fmt.Sprintf("%s: got package %s, want %s", p.ImportPath, p.Name, path.Base(p.ImportPath)))
		}
	}
	return wrong
}

func TestPackageNames(t *testing.T) { check(t, badNames(must(t, packages))) }

func TestPackageNamesCanFail(t *testing.T) {
	catches(t, badNames([]pkg{{ImportPath: "cache", Name: "lru"}}), "want cache")
}
