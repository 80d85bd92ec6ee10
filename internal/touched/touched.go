// Package touched says which packages of a module, or of a workspace, a change touches.
package touched

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Packages are the import paths of the packages that a change touches, those first of
// which a file has changed, or one that they embed or have in testdata, then those of
// which what they or their tests import has; all, if a file has that says which modules
// there are, such as go.mod. The change is what lies between the folder's files and the
// commit at which its branch has left since.
func Packages(ctx context.Context, dir, since string, flags []string) ([]string, error) {
	files, err := changed(ctx, dir, since)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	pkgs, err := list(ctx, dir, flags)
	if err != nil {
		return nil, err
	}
	work, err := output(ctx, dir, "go", "env", "GOWORK")
	if err != nil {
		return nil, err
	}
	work = real(strings.TrimSpace(work))
	modules := []string{work, work + ".sum"} // the files that say which modules there are
	roots := make(map[string]bool)
	var direct, imported []string
	source := make(map[string]bool) // of which others have an import
	for _, p := range pkgs {
		if dir := p.Module.Dir; !roots[dir] {
			roots[dir] = true
			modules = append(modules, filepath.Join(real(dir), "go.mod"), filepath.Join(real(dir), "go.sum"))
		}
		for _, file := range files {
			if p.has(file) {
				direct = append(direct, p.ImportPath)
				break
			}
		}
		source[p.ImportPath] = slices.ContainsFunc(files, func(file string) bool { return p.has(file) && p.builds(file) })
	}
	everything := slices.ContainsFunc(files, func(file string) bool { return slices.Contains(modules, file) })
	spread(pkgs, source)
	for _, p := range pkgs {
		if !slices.Contains(direct, p.ImportPath) && (everything || source[p.ImportPath] || p.uses(source, slices.Concat(p.TestImports, p.XTestImports))) {
			imported = append(imported, p.ImportPath)
		}
	}
	return append(direct, imported...), nil
}

// A pkg is what the go command says of one.
type pkg struct {
	ImportPath, Dir                             string
	Imports, TestImports, XTestImports          []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles []string
	Module                                      struct{ Dir string }
}

// has reports whether a file is of the package or of its tests.
func (p *pkg) has(file string) bool {
	in, err := filepath.Rel(p.Dir, file)
	if err != nil || !filepath.IsLocal(in) {
		return false
	}
	in = filepath.ToSlash(in)
	switch {
	case strings.HasPrefix(in, "testdata/"):
		return true
	case slices.Contains(slices.Concat(p.EmbedFiles, p.TestEmbedFiles, p.XTestEmbedFiles), in):
		return true
	}
	return !strings.Contains(in, "/") && slices.Contains([]string{".go", ".s", ".c", ".h", ".cc", ".cpp", ".syso"}, filepath.Ext(in))
}

// builds reports whether such a file is one of those that others import.
func (p *pkg) builds(file string) bool {
	in, _ := filepath.Rel(p.Dir, file) // it is in there
	in = filepath.ToSlash(in)
	return slices.Contains(p.EmbedFiles, in) || !strings.HasPrefix(in, "testdata/") && !strings.HasSuffix(in, "_test.go") && filepath.Ext(in) != ""
}

// uses reports whether one of some imports has changed.
func (p *pkg) uses(source map[string]bool, imports []string) bool {
	return slices.ContainsFunc(imports, func(path string) bool { return source[path] })
}

// spread adds to the packages that have changed those that import them.
func spread(pkgs []pkg, source map[string]bool) {
	for again := true; again; {
		again = false
		for _, p := range pkgs {
			if !source[p.ImportPath] && p.uses(source, p.Imports) {
				source[p.ImportPath], again = true, true
			}
		}
	}
}

// changed are the files, with whole paths, that differ from those of the commit at which
// the branch has left another one, and those that git does not know.
func changed(ctx context.Context, dir, since string) (files []string, err error) {
	top, err := output(ctx, dir, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	root := real(strings.TrimSpace(top))
	base, err := output(ctx, dir, "git", "merge-base", "--end-of-options", since, "HEAD")
	if err != nil {
		return nil, fmt.Errorf("%w (a checkout without history? fetch %s)", err, since)
	}
	for _, args := range [][]string{{"diff", "--name-only", "-z", strings.TrimSpace(base), "--"}, {"ls-files", "--others", "--exclude-standard", "--full-name", "-z"}} {
		names, err := output(ctx, root, "git", args...)
		if err != nil {
			return nil, err
		}
		for name := range strings.SplitSeq(strings.TrimSuffix(names, "\x00"), "\x00") {
			if name != "" {
				files = append(files, filepath.Join(root, filepath.FromSlash(name)))
			}
		}
	}
	return files, nil
}

// list asks the go command for all packages of the module, or of those of the workspace.
func list(ctx context.Context, dir string, flags []string) (pkgs []pkg, err error) {
	args := slices.Concat([]string{"list", "-e", "-json=ImportPath,Dir,Imports,TestImports,XTestImports,EmbedFiles,TestEmbedFiles,XTestEmbedFiles,Module"}, flags, []string{"--", "work"})
	text, err := output(ctx, dir, "go", args...)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		p.Dir = real(p.Dir)
		pkgs = append(pkgs, p)
	}
}

// real is a path without symbolic links.
func real(path string) string {
	if without, err := filepath.EvalSymlinks(path); err == nil {
		return without
	}
	return path
}

// output is what a program prints; its error is what it says.
func output(ctx context.Context, dir, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		return "", fmt.Errorf("%s %s: %w: %s", program, args[0], err, said)
	}
	return string(out), nil
}
