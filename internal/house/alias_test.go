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

// For an alias of a type in one of the packages beneath, go doc shows no fields and no
// methods. So the alias's comment names them all.
func TestAliasesNameTheirMembers(t *testing.T) {
	nameTheirMembers(t, "explore", "internal/", 20)
	nameTheirMembers(t, "lifecycle", "lifecycle/internal/", 20)
}

// nameTheirMembers checks the aliases of a package, of which there must be at least least.
func nameTheirMembers(t *testing.T, facade, rooms string, least int) {
	all := must(t, files)
	members := make(map[string][]string) // by type of the rooms
	for _, f := range all {
		if room := path.Dir(f.name); strings.HasPrefix(room, rooms) && plainGo(f.name) {
			gather(t, f, path.Base(room), members)
		}
	}
	aliases := 0
	for _, f := range all {
		if path.Dir(f.name) != facade || !plainGo(f.name) {
			continue
		}
		for _, d := range parsed(t, f).Decls {
			spec, of := alias(d)
			if of == "" || !spec.Name.IsExported() {
				continue
			}
			aliases++
			for _, m := range members[of] {
				if !strings.Contains(words(d.(*ast.GenDecl).Doc.Text()), " "+m+" ") {
					t.Errorf("%s: the comment of %s does not name %s", f.name, spec.Name.Name, m)
				}
			}
		}
	}
	if aliases < least {
		t.Errorf("got %d aliases, want those of %s", aliases, facade)
	}
}

// gather adds the exported fields and methods that a file declares, by package.Type.
func gather(t *testing.T, f file, pkg string, members map[string][]string) {
	for _, d := range parsed(t, f).Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil && d.Name.IsExported() && !slices.Contains(understood, d.Name.Name) {
				of := pkg + "." + receiver(d.Recv.List[0].Type)
				members[of] = append(members[of], d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					of := pkg + "." + s.Name.Name
					members[of] = append(members[of], fields(s.Type)...)
				}
			}
		}
	}
}

// fields returns the exported names in a struct or an interface.
func fields(typ ast.Expr) (names []string) {
	var list *ast.FieldList
	switch typ := typ.(type) {
	case *ast.StructType:
		list = typ.Fields
	case *ast.InterfaceType:
		list = typ.Methods
	default:
		return nil
	}
	for _, f := range list.List {
		for _, n := range f.Names {
			if n.IsExported() {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

// alias returns the declaration of a single alias, and the package.Type that it stands for.
func alias(d ast.Decl) (spec *ast.TypeSpec, of string) {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.TYPE {
		return nil, ""
	}
	spec = g.Specs[0].(*ast.TypeSpec)
	typ := spec.Type
	if i, ok := typ.(*ast.IndexListExpr); ok {
		typ = i.X
	}
	if s, ok := typ.(*ast.SelectorExpr); ok && spec.Assign.IsValid() {
		return spec, fmt.Sprintf("%s.%s", s.X, s.Sel)
	}
	return nil, ""
}

// words returns the words of a text, each between blanks.
func words(text string) string {
	return " " + strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return strings.ContainsRune(" ,.;:()[]\n\t", r)
	}), " ") + " "
}

func plainGo(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

func parsed(t *testing.T, f file) *ast.File {
	syntax, err := parser.ParseFile(token.NewFileSet(), f.name, f.text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return syntax
}
