package flakes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// A bench is a folder with copies of modules, and a cache of modules of its own.
type bench struct{ folder string }

// environment returns the environment of every go command and of Jacquard: modules are in
// the bench's own cache, and missing requirements of a copy are added to its go.mod.
func (b bench) environment() []string {
	return append(os.Environ(), "GOMODCACHE="+filepath.Join(b.folder, "modules"), "GOFLAGS=-mod=mod -modcacherw", "GOWORK=off")
}

// run runs a command in a folder. The error contains its output.
func (b bench) run(ctx context.Context, folder, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = folder, b.environment()
	out, err := cmd.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%s %s: %w: %s%s", name, strings.Join(args, " "), err, out, failed.Stderr)
		}
		return nil, err
	}
	return out, nil
}

// download returns the folder of the proxy's copy of a version.
func (b bench) download(ctx context.Context, module, version string) (string, error) {
	out, err := b.run(ctx, b.folder, "go", "mod", "download", "-json", module+"@"+version)
	if err != nil {
		return "", err
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		return "", err
	}
	return got.Dir, nil
}

// A copied is a version of a module with its flake's test, ready to run.
type copied struct {
	folder string // the module
	pkg    string // of the test, as in ./sub
}

// lay copies a version of a flake's module and adds the test to it, unless it is
// there already.
func (b bench) lay(ctx context.Context, f flake, version string) (copied, error) {
	c := copied{folder: filepath.Join(b.folder, f.name+"@"+version), pkg: "./" + f.pkg}
	from, err := b.download(ctx, f.module, version)
	if err != nil {
		return c, err
	}
	if err := os.RemoveAll(c.folder); err != nil {
		return c, err
	}
	if err := os.CopyFS(c.folder, os.DirFS(from)); err != nil {
		return c, err
	}
	test, ok := f.ours()
	if !ok {
		if test, err = b.theirs(ctx, f, c); err != nil {
			return c, err
		}
	}
	if test != nil {
		if err := os.WriteFile(filepath.Join(c.folder, f.pkg, "zz_flake_test.go"), test, 0o644); err != nil {
			return c, err
		}
	}
	return c, b.require(ctx, f, c)
}

// theirs returns those declarations of the flake's test, which came with the repair, that
// the tests of a copy lack; nil if they lack none.
func (b bench) theirs(ctx context.Context, f flake, c copied) ([]byte, error) {
	after, err := b.download(ctx, f.module, f.after)
	if err != nil {
		return nil, err
	}
	return picked(filepath.Join(after, f.pkg), filepath.Join(c.folder, f.pkg), path.Join(f.module, f.pkg), f.needs())
}

// require makes a copy a module with all its requirements. If its go.mod names versions
// that are not available, or nothing, it gets the newest.
func (b bench) require(ctx context.Context, f flake, c copied) error {
	if _, err := os.Stat(filepath.Join(c.folder, "go.mod")); errors.Is(err, os.ErrNotExist) {
		if _, err := b.run(ctx, c.folder, "go", "mod", "init", f.module); err != nil {
			return err
		}
	}
	known := func() error {
		_, err := b.run(ctx, c.folder, "go", "list", "-test", "-deps", c.pkg)
		return err
	}
	err := known()
	if err == nil {
		return nil
	}
	if newest := b.forget(ctx, f, c); newest != nil {
		return errors.Join(err, newest)
	}
	return known()
}

// forget removes all requirements of a copy, and adds the newest versions of its imports.
func (b bench) forget(ctx context.Context, f flake, c copied) error {
	if err := os.WriteFile(filepath.Join(c.folder, "go.mod"), []byte("module "+f.module+"\n\ngo 1.25\n"), 0o644); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(c.folder, "go.sum")); err != nil {
		return err
	}
	_, err := b.run(ctx, c.folder, "go", "get", "-t", c.pkg)
	return err
}
