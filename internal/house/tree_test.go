package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// module is the module's path, which layers and imports omit.
const module = "github.com/jacquard-go/jacquard"

// A pkg is a package as go list -json describes it. Imports of the module's own
// packages are paths below the module.
type pkg struct {
	ImportPath, Dir, Name, Doc         string
	Imports, TestImports, XTestImports []string
	GoFiles                            []string
}

// A file is a file of the checkout. Its name is a slash-separated path
// below the module's root.
type file struct{ name, text string }

var root = sync.OnceValues(func() (string, error) {
	out, err := run("", "go", "list", "-m", "-f", "{{.Dir}}")
	return strings.TrimSpace(out), err
})

// modules are the folders of the modules of this tree: go list ./... does not
// cross from one into another.
var modules = []string{".", "bench"}

// packages lists the packages of the modules, both as in a plain build and as in one
// under control.
var packages = sync.OnceValues(func() ([]pkg, error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	var all []pkg
	for _, m := range modules {
		for _, tags := range []string{"", "jacquard"} {
			out, err := run(filepath.Join(dir, m), "go", "list", "-tags="+tags, "-json=ImportPath,Dir,Name,Doc,Imports,TestImports,XTestImports,GoFiles", "./...")
			if err != nil {
				return nil, err
			}
			found, err := decode(out)
			if err != nil {
				return nil, err
			}
			all = append(all, found...)
		}
	}
	return all, nil
})

// TestModules checks that the rules apply to every module of the tree.
func TestModules(t *testing.T) {
	var found []string
	for _, f := range must(t, files) {
		if path.Base(f.name) == "go.mod" && !strings.Contains(f.name, "testdata/") {
			found = append(found, path.Dir(f.name))
		}
	}
	slices.Sort(found)
	if !slices.Equal(found, modules) {
		t.Errorf("got modules in %q, want %q", found, modules)
	}
}

func decode(text string) ([]pkg, error) {
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		p.ImportPath = below(p.ImportPath)
		for _, list := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
			for i := range list {
				list[i] = below(list[i])
			}
		}
		all = append(all, p)
	}
}

func below(importPath string) string { return strings.TrimPrefix(importPath, module+"/") }

// files reads the files of the checkout, except those of git itself and those that
// .gitignore names.
var files = sync.OnceValues(func() ([]file, error) {
	dir, err := root()
	if err != nil {
		return nil, err
	}
	var all []file
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin", "dist"}, name):
			return fs.SkipDir
		case d.IsDir() || slices.Contains([]string{".test", ".out", ".prof"}, filepath.Ext(name)):
			return nil
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		all = append(all, file{name: name, text: string(text)})
		return err
	})
	return all, err
})

// run runs a command in dir and returns what it writes to its standard output.
func run(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), errors.Join(err, errors.New(errs.String()))
	}
	return out.String(), nil
}

// must returns what get returns, or ends the test on an error.
func must[T any](t *testing.T, get func() (T, error)) T {
	t.Helper()
	v, err := get()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// check fails t with each violation.
func check(t *testing.T, wrong []string) {
	t.Helper()
	for _, line := range wrong {
		t.Error(line)
	}
}

// catches fails t unless wrong is exactly one violation, which contains want.
func catches(t *testing.T, wrong []string, want string) {
	t.Helper()
	if len(wrong) != 1 || !strings.Contains(wrong[0], want) {
		t.Errorf("got %q, want one line with %q", wrong, want)
	}
}
