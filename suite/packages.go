package suite

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

// A listed package is one that the patterns name.
type listed struct {
	ImportPath   string
	Dir          string
	TestGoFiles  []string
	XTestGoFiles []string
	Module       struct{ Path, Dir string }
	folders      string       // of source files: see executable.FoldersVar
	Error        *loadError   // why it cannot be loaded
	DepsErrors   []*loadError // or what it imports
}

// A loadError is why the go command cannot load a package.
type loadError struct{ Err string }

// broken reports whether the package cannot be loaded, of which the go command
// tells most when it is to build it.
func (p listed) broken() bool {
	return (p.Error != nil || len(p.DepsErrors) > 0) && !strings.Contains(p.ImportPath, "...")
}

// tests reports whether the package has test files.
func (p listed) tests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// ErrNoModule says that there is nothing that packages could belong to.
var ErrNoModule = errors.New("no go.mod in this folder or above it")

// nowhere reports whether the go command knows of no module.
func nowhere(pkgs []listed) bool {
	return len(pkgs) > 0 && !slices.ContainsFunc(pkgs, func(p listed) bool {
		return p.Error == nil || !strings.Contains(p.Error.Err, "go.mod file not found") && !strings.Contains(p.Error.Err, "directory prefix . does not contain main module")
	})
}

// list asks the go command which packages the patterns name. Its error is what
// the go command says.
func list(ctx context.Context, cfg Config) ([]listed, error) {
	args := []string{"list", "-e", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles,Module,Error,DepsErrors"}
	args = append(append(args, cfg.GoFlags()...), "--")
	cmd := exec.CommandContext(ctx, "go", append(args, cfg.Packages...)...)
	cmd.Dir = cfg.Dir
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
	var pkgs []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		pkgs = append(pkgs, p)
	}
	folders, err := toolchain.Folders(ctx, cfg.Dir)
	if err != nil {
		return nil, err
	}
	for i := range pkgs {
		pkgs[i].folders = folders
	}
	if nowhere(pkgs) {
		return nil, fmt.Errorf("%w: want a folder of a module, or -C with one", ErrNoModule)
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("no packages: %s", strings.TrimSpace(stderr.String()))
	}
	return pkgs, nil
}
