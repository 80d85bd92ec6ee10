package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// A Package is a package that patterns name.
type Package struct {
	ImportPath   string
	Dir          string
	TestGoFiles  []string
	XTestGoFiles []string
	Module       struct{ Path, Dir string }
	Folders      string       `json:"-"` // of source files: see executable.FoldersVar
	Error        *LoadError   // why the package cannot be loaded
	DepsErrors   []*LoadError // why its imports cannot be loaded
}

// A LoadError is the go command's error for a package that it cannot load.
type LoadError struct{ Err string }

// Broken reports whether the package cannot be loaded. The go command gives the best error when it
// builds the package.
func (p Package) Broken() bool {
	return (p.Error != nil || len(p.DepsErrors) > 0) && !strings.Contains(p.ImportPath, "...")
}

// Tests reports whether the package has test files.
func (p Package) Tests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// ErrNoModule means that there is no module to which packages could belong.
var ErrNoModule = errors.New("no go.mod in this folder or above it")

// nowhere reports whether the go command found no module.
func nowhere(pkgs []Package) bool {
	return len(pkgs) > 0 && !slices.ContainsFunc(pkgs, func(p Package) bool {
		return p.Error == nil || !strings.Contains(p.Error.Err, "go.mod file not found") && !strings.Contains(p.Error.Err, "directory prefix . does not contain main module")
	})
}

// List asks the go command for the packages that the patterns name, with the files of each in a
// build with the race detector, unless NoRace is set. Its error is the go command's.
func (h How) List(ctx context.Context, patterns []string) ([]Package, error) {
	args := []string{"list", "-e", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Module,Error,DepsErrors"}
	if !h.NoRace {
		h.Tags = append(slices.Clone(h.Tags), "race") // -race itself makes go list require a C compiler
	}
	args = append(append(args, h.GoFlags()...), "--")
	cmd := exec.CommandContext(ctx, "go", append(args, patterns...)...)
	cmd.Dir = h.Dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("%w: %w", toolchain.ErrNoGo, err)
	case errors.As(err, &exit) && strings.Contains(stderr.String(), "go.mod file not found"):
		return nil, fmt.Errorf("%w: want a folder of a module, or -C with one", ErrNoModule)
	case errors.As(err, &exit):
		return nil, toolchain.Refused("go list", stderr.String())
	case err != nil:
		return nil, fmt.Errorf("go list: %w", err)
	}
	var pkgs []Package
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p Package
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		pkgs = append(pkgs, p)
	}
	folders, err := toolchain.Folders(ctx, h.Dir)
	if err != nil {
		return nil, err
	}
	for i := range pkgs {
		pkgs[i].Folders = folders
	}
	if nowhere(pkgs) {
		return nil, fmt.Errorf("%w: want a folder of a module, or -C with one", ErrNoModule)
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("no packages: %s", strings.TrimSpace(stderr.String()))
	}
	return pkgs, nil
}
