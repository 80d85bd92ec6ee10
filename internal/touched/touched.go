// Package touched finds which packages of a module, or of a workspace, a change touches.
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

// Packages returns the import paths of the packages that a change touches: first those
// with a changed file, also one that they embed or have in testdata, then those that
// import one of these, or whose tests do. If a file such as go.mod has changed, these are
// all other packages. The change is the difference between the folder's files and the
// merge base of HEAD and since.
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
	modules := []string{work, work + ".sum"} // the files that define which modules are used
	roots := make(map[string]bool)
	var direct, imported []string
	source := make(map[string]bool) // packages whose importers are touched too
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

// A pkg is the go command's information about a package.
type pkg struct {
	ImportPath, Dir                             string
	Imports, TestImports, XTestImports          []string
	EmbedFiles, TestEmbedFiles, XTestEmbedFiles []string
	Module                                      struct{ Dir string }
}

// has reports whether a file belongs to the package or its tests.
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

// builds reports whether a file of the package affects those that import it.
func (p *pkg) builds(file string) bool {
	in, _ := filepath.Rel(p.Dir, file) // no error: the file is in Dir
	in = filepath.ToSlash(in)
	return slices.Contains(p.EmbedFiles, in) || !strings.HasPrefix(in, "testdata/") && !strings.HasSuffix(in, "_test.go") && filepath.Ext(in) != ""
}

// uses reports whether one of some imports has changed.
func (p *pkg) uses(source map[string]bool, imports []string) bool {
	return slices.ContainsFunc(imports, func(path string) bool { return source[path] })
}

// spread adds the packages that import changed ones, directly or not.
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

// changed returns the absolute paths of the files that differ from the merge base of HEAD
// and since, and of those that git does not track.
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

// list asks the go command for all packages of the module or workspace.
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

// real resolves the symbolic links of a path.
func real(path string) string {
	if without, err := filepath.EvalSymlinks(path); err == nil {
		return without
	}
	return path
}

// output returns what a program prints; its error contains the program's messages.
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
