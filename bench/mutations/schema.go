package mutations

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// All mutations go into one program, because building one takes longer than exploring all: a function that mutations 3
// and 7 change becomes four functions, the original, one for each mutation, and one that calls one of these three by the number
// in an environment variable. (Untch, Offutt and Harrold call this a mutant schema, ISSTA 1993.)

// mutantEnv is that variable. Numbers begin with 1; without it nothing is mutated.
const mutantEnv = "JACQUARD_MUTANT"

const selector = `package %s

import (
	"os"
	"strconv"
)

var mutant, _ = strconv.Atoi(os.Getenv("` + mutantEnv + `"))
`

// mutate puts all mutations into a copy of the packages in a folder.
func mutate(dir string, all []mutation) error {
	files := map[string][]int{}
	packages := map[string]bool{}
	for i, m := range all {
		files[m.file] = append(files[m.file], i)
		packages[filepath.Join(dir, filepath.Dir(m.file))] = true
	}
	for name, indices := range files {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		changed, err := schema(string(text), all, indices)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			return err
		}
	}
	for pkg := range packages {
		text := fmt.Sprintf(selector, filepath.Base(pkg))
		if err := os.WriteFile(filepath.Join(pkg, "mutant.go"), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// schema returns the text of a file with the mutations that indices names.
func schema(text string, all []mutation, indices []int) (string, error) {
	set := token.NewFileSet()
	original, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	variants := map[string][]int{} // function → its mutations, by number
	var added []string
	for _, i := range indices {
		changed, err := all[i].apply(text)
		if err != nil {
			return "", err
		}
		mutated, err := parser.ParseFile(set, "", changed, parser.SkipObjectResolution)
		if err != nil {
			return "", fmt.Errorf("%s: %w", all[i].name, err)
		}
		before, after, err := difference(set, original, mutated)
		if err != nil {
			return "", fmt.Errorf("%s: %w", all[i].name, err)
		}
		variants[source(set, before)] = append(variants[source(set, before)], i+1)
		after.Name.Name += fmt.Sprint("Mutant", i+1)
		added = append(added, source(set, after))
	}
	for _, d := range original.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if numbers := variants[source(set, f)]; numbers != nil {
			added = append(added, dispatcher(set, f, numbers))
			f.Name.Name += "Original"
		}
	}
	var b bytes.Buffer
	if err := format.Node(&b, set, original); err != nil {
		return "", err
	}
	return b.String() + "\n" + strings.Join(added, "\n\n") + "\n", nil
}

// difference returns the one function in which two versions of a file differ.
func difference(set *token.FileSet, a, b *ast.File) (before, after *ast.FuncDecl, err error) {
	if len(a.Decls) != len(b.Decls) {
		return nil, nil, fmt.Errorf("want a change in one function")
	}
	for i := range a.Decls {
		f, ok := a.Decls[i].(*ast.FuncDecl)
		g, ok2 := b.Decls[i].(*ast.FuncDecl)
		if ok && ok2 && source(set, f) != source(set, g) {
			return f, g, nil
		}
	}
	return nil, nil, fmt.Errorf("want a change in a function")
}

// source returns the text of a declaration without its comment.
func source(set *token.FileSet, f *ast.FuncDecl) string {
	plain := *f
	plain.Doc = nil
	var b bytes.Buffer
	if err := format.Node(&b, set, &plain); err != nil {
		return err.Error()
	}
	return b.String()
}

// dispatcher returns a function with f's name and type that calls the selected version.
func dispatcher(set *token.FileSet, f *ast.FuncDecl, numbers []int) string {
	var args []string
	for _, field := range f.Type.Params.List {
		for i, name := range field.Names {
			if name.Name == "_" {
				field.Names[i] = ast.NewIdent(fmt.Sprint("unnamed", len(args)))
			}
			arg := field.Names[i].Name
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	callee := f.Name.Name
	if f.Recv != nil {
		callee = f.Recv.List[0].Names[0].Name + "." + callee
	}
	var types []string
	if f.Type.TypeParams != nil {
		for _, field := range f.Type.TypeParams.List {
			for _, name := range field.Names {
				types = append(types, name.Name)
			}
		}
	}
	head := *f
	head.Doc, head.Body = nil, nil
	var b strings.Builder
	b.WriteString(source(set, &head) + " {\n\tswitch mutant {\n")
	call := func(suffix string) {
		list := ""
		if types != nil {
			list = "[" + strings.Join(types, ", ") + "]"
		}
		if f.Type.Results != nil {
			b.WriteString("\t\treturn ")
		}
		fmt.Fprintf(&b, "%s%s%s(%s)\n", callee, suffix, list, strings.Join(args, ", "))
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		fmt.Fprintf(&b, "\tcase %d:\n", n)
		call(fmt.Sprint("Mutant", n))
	}
	b.WriteString("\tdefault:\n")
	call("Original")
	b.WriteString("\t}\n}")
	return b.String()
}
