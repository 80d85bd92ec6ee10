package flakes

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// picked returns a file with those of the named declarations that the tests in folder to
// lack, copied from the tests in folder from, which test the package of path tested; nil
// if they lack none. The error is that of a folder, or names what from does not declare.
func picked(from, to, tested string, names []string) ([]byte, error) {
	have, err := declared(to)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return have[name] != nil })
	if len(names) == 0 {
		return nil, nil
	}
	all, err := declared(from)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if all[name] == nil {
			return nil, fmt.Errorf("%s: got no test file that declares %s, want one", from, name)
		}
	}
	return cut(all[names[0]], tested, names)
}

// A testFile is a parsed file of tests.
type testFile struct {
	set  *token.FileSet
	tree *ast.File
	text []byte
}

// declared returns the files of tests in a folder, by the names that they declare.
func declared(folder string) (map[string]*testFile, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	all := map[string]*testFile{}
	for _, name := range files {
		f := &testFile{set: token.NewFileSet()}
		if f.text, err = os.ReadFile(name); err != nil {
			return nil, err
		}
		if f.tree, err = parser.ParseFile(f.set, name, f.text, parser.ParseComments); err != nil {
			return nil, err
		}
		for _, d := range f.tree.Decls {
			if name, method := declares(d); !method {
				all[name] = f
			}
		}
	}
	return all, nil
}

// declares returns the name that a declaration declares, or the type if it is a method.
func declares(d ast.Decl) (name string, method bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return d.Name.Name, false
		}
		of := d.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if of, ok := of.(*ast.Ident); ok {
			return of.Name, true
		}
	case *ast.GenDecl:
		if t, ok := d.Specs[0].(*ast.TypeSpec); ok {
			return t.Name.Name, false
		}
	}
	return "", false
}

// cut returns a file with the named declarations of another, which tests a package, and
// the imports that they use.
func cut(f *testFile, tested string, names []string) ([]byte, error) {
	var body bytes.Buffer
	for _, d := range f.tree.Decls {
		if name, _ := declares(d); slices.Contains(names, name) {
			fmt.Fprintf(&body, "\n%s\n", f.text[f.set.Position(d.Pos()).Offset:f.set.Position(d.End()).Offset])
		}
	}
	var file bytes.Buffer
	fmt.Fprintf(&file, "package %s\n\n", f.tree.Name.Name)
	for _, i := range f.tree.Imports {
		dot := i.Name != nil && i.Name.Name == "."
		if dot && i.Path.Value == strconv.Quote(tested) || !dot && regexp.MustCompile(`\b`+imported(i)+`\.`).Match(body.Bytes()) {
			fmt.Fprintf(&file, "import %s\n", f.text[f.set.Position(i.Pos()).Offset:f.set.Position(i.End()).Offset])
		}
	}
	file.Write(body.Bytes())
	return format.Source(file.Bytes())
}

// major matches the end of a path that names a major version.
var major = regexp.MustCompile(`/v\d+$`)

// imported returns the name by which a file refers to a package that it imports.
func imported(i *ast.ImportSpec) string {
	if i.Name != nil {
		return regexp.QuoteMeta(i.Name.Name)
	}
	of, err := strconv.Unquote(i.Path.Value)
	if err != nil {
		return i.Path.Value
	}
	return regexp.QuoteMeta(strings.TrimPrefix(path.Base(major.ReplaceAllString(of, "")), "go-"))
}
