package toolchain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/overlay"
)

// A Request says what to build.
type Request struct {
	// Dir is the directory in which the go command runs. It determines the module,
	// and the toolchain that the module asks for. Empty means the current
	// directory.
	Dir string
	// Package is one package, in a form that the go command accepts: an import path, or
	// a path such as ./cmd/jacquard. Empty means the package in Dir. Unless Test is set
	// it must be a package main.
	Package string
	// Test asks for the package's test binary.
	Test bool
	// Guest, if not nil, is the source of this module; see package jacquard. The test
	// binary then contains package suite/guest, for packages that do not import
	// anything of Jacquard. The build tag jacquard is not set, so that the build does
	// not differ from others for the package under test.
	Guest fs.FS
	// Fuzz adds coverage instrumentation for fuzzing to the test binary, in all
	// packages except the standard library, the harness and the embedded
	// database.
	Fuzz bool
	// NoRace disables the race detector. Data races are then not detected, and plain
	// memory accesses are no scheduling points; the binary is about three times as
	// fast, and needs no C compiler.
	NoRace bool
	// Tags are the user's build tags. Those in GOFLAGS and, unless there is a Guest,
	// the tag jacquard are added.
	Tags []string
	// Flags are further build flags of the go command, such as -mod=mod or -ldflags=-s.
	// They must not be flags on which control depends.
	Flags []string
	// Cache is the directory for the overlay and the binaries. Empty means the value of
	// JACQUARD_CACHE in the environment, or else the folder jacquard in the user's
	// cache directory.
	Cache string
	// Check, if not nil, runs concurrently with the build, and Build returns its error
	// unless the build itself fails. Vet identifies what Check does: if nothing has
	// changed since the same Vet succeeded, Check is not called.
	Check func(ctx context.Context) error
	Vet   string
	// Progress, if not nil, is called with a line that describes the next step, before
	// any step that may take long, on Build's goroutine or on one of its own.
	Progress func(line string)
}

// Build returns the path of an up-to-date binary, built from the source files as they
// were when Build was called, or later. If they look as they did when it was built, the
// go command does not run. Builds of the same binary wait for one another, and all wait
// for the first one with the same build settings, so that the standard library is
// compiled once; other builds run in parallel. The path always holds a complete binary,
// which a later build replaces if the source has changed.
//
// The error is, or wraps, one of [ErrNoGo], [ErrNoCompiler], [ErrCache], [*BuildError],
// the overlay's ErrUnsupported and AnchorError, and the cause of ctx's end, which also
// kills the go command and its children.
func Build(ctx context.Context, req Request) (binary string, err error) {
	req, in, index, err := prepare(ctx, req)
	if err != nil {
		return "", err
	}
	return build(ctx, req, in, index)
}

// Check does what [Build] does before it builds, regardless of the package, and returns
// the version and platform of the toolchain that would build. Its errors are those of
// Build, except for errors about the package.
func Check(ctx context.Context, req Request) (version string, err error) {
	req, in, _, err := prepare(ctx, req)
	if err != nil {
		return "", err
	}
	// The go command reports its environment even in a module that needs a newer Go,
	// but not the module. Other failures, such as a missing module, do not matter.
	_, err = run(ctx, "asking for the module", goCommand{dir: req.Dir, args: []string{"list", "-m"}})
	if errors.Is(err, ErrNewerGo) {
		return "", err
	}
	return fmt.Sprintf("%s %s/%s", in.GOVERSION, in.GOOS, in.GOARCH), nil
}

// prepare finds what a build needs: the installation, and the overlay's JSON
// file.
func prepare(ctx context.Context, req Request) (_ Request, in installation, index string, err error) {
	if req, err = req.complete(); err != nil {
		return req, in, "", err
	}
	if in, err = installed(ctx, req.Dir); err != nil {
		return req, in, "", err
	}
	if file := in.flag("overlay"); file != "" {
		return req, in, "", fmt.Errorf("%w: control needs an overlay of its own, GOFLAGS has -overlay=%s", overlay.ErrUnsupported, file)
	}
	if req.Cache, err = CacheDir(req.Cache); err != nil {
		return req, in, "", err
	}
	if in, err = in.linkDownloaded(req.Cache); err != nil {
		return req, in, "", err
	}
	err = alone(ctx, req.Cache, func() error {
		if index, err = in.overlay(req.Cache, req.Guest); err != nil {
			return err
		}
		return mark(filepath.Dir(index))
	})
	if err != nil {
		return req, in, "", err
	}
	if !req.NoRace {
		err = in.checkCompiler()
	}
	return req, in, index, err
}

// complete sets the defaults and checks the package.
func (req Request) complete() (Request, error) {
	if req.Package == "" {
		req.Package = "."
	}
	if strings.HasPrefix(req.Package, "-") || strings.Contains(req.Package, "...") {
		return req, fmt.Errorf("package: got %q, want one import path or directory", req.Package)
	}
	if req.Guest != nil && !req.Test {
		return req, errors.New("guest: got a build without tests, want a test binary")
	}
	if req.Progress == nil {
		req.Progress = func(string) {}
	}
	dir, err := filepath.Abs(req.Dir)
	if err != nil {
		return req, fmt.Errorf("directory: %w", err)
	}
	req.Dir = dir
	return req, nil
}

// what names the build in messages.
func (req Request) what() string {
	if req.Test {
		return fmt.Sprintf("building the tests of %s under control", req.Package)
	}
	return fmt.Sprintf("building %s under control", req.Package)
}

// build brings the binary up to date. If something has changed, the go command
// determines what is to be compiled, and, from the build ID of the existing binary,
// whether it is to be linked.
func build(ctx context.Context, req Request, in installation, index string) (string, error) {
	home := filepath.Dir(index)
	out := filepath.Join(home, binariesDir, binaryName(req, in, index))
	err := alone(ctx, req.Cache, func() error {
		err := mark(out)
		pruneInTime(req.Cache, time.Now())
		return err
	})
	if err != nil {
		return "", err
	}
	if req.unchanged(in, out) {
		return out, nil
	}
	req.Progress(req.what())
	checked := make(chan error, 1)
	go func() { checked <- req.check(ctx) }()
	began := time.Now()
	of, err := compile(ctx, req, in, index, out)
	if objection := <-checked; err == nil { // a failed build also makes vet fail
		err = objection
	}
	if err != nil {
		return "", err
	}
	return out, cacheError(home, of.keep(out, began))
}

func (req Request) check(ctx context.Context) error {
	if req.Check == nil {
		return nil
	}
	return req.Check(ctx)
}

// compile makes the go command build the binary, and returns its inputs. It holds the
// lock of the binary, because other processes may build the same one.
func compile(ctx context.Context, req Request, in installation, index, out string) (of inputs, err error) {
	home := filepath.Dir(index)
	work, err := workDir(home)
	if err != nil {
		return of, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := standard(ctx, req, in, index, work); err != nil {
		return of, err
	}
	unlock, err := req.waitFor(ctx, filepath.Join(home, "locks", filepath.Base(out)), "builds the same")
	if err != nil {
		return of, cacheError(home, err)
	}
	defer unlock()
	args, err := arguments(ctx, req, in, index, work)
	if err != nil {
		return of, err
	}
	listed := make(chan inputs, 1)
	go func() {
		of, _ := req.sources(ctx, in, index) // without inputs the next build asks the go command again
		listed <- of
	}()
	said, err := req.goBuild(ctx, in, work, append(args, "-o="+out, req.Package))
	of = <-listed
	if err == nil {
		err = checkBinary(req, out, said)
	}
	return of, err
}

func (req Request) goBuild(ctx context.Context, in installation, work string, args []string) (said string, err error) {
	return run(ctx, req.what(), goCommand{
		path: in.command(), dir: req.Dir, args: args, env: environment(req, in, work), caches: []string{req.Cache, in.GOCACHE},
	})
}

// standard compiles what all tests share, of the standard library and the harness, while
// other builds with the same settings wait. A file records that this has been done.
func standard(ctx context.Context, req Request, in installation, index, work string) error {
	locks := filepath.Join(filepath.Dir(index), "locks")
	if err := os.MkdirAll(locks, 0o755); err != nil {
		return cacheError(locks, err)
	}
	done := filepath.Join(locks, "std-"+standardName(req, in))
	if compiled(done) {
		return nil
	}
	unlock, err := req.waitFor(ctx, done+".lock", "compiles the standard library for it")
	if err != nil {
		return cacheError(locks, err)
	}
	defer unlock()
	if compiled(done) {
		return nil
	}
	req.Test = false
	args, err := arguments(ctx, req, in, index, work)
	if err != nil {
		return err
	}
	args = append(args, "testing/internal/testdeps") // which imports the guest, if there is one
	if req.Guest == nil {
		args = append(args, "github.com/jacquard-go/jacquard/explore")
	}
	if _, err := req.goBuild(ctx, in, work, args); err != nil {
		return nil // the build itself reports errors better
	}
	return cacheError(locks, os.WriteFile(done, nil, 0o600))
}

// waitFor locks a file, and reports the wait if it takes a while.
func (req Request) waitFor(ctx context.Context, file, doing string) (unlock func(), err error) {
	waits := time.AfterFunc(politeness, func() {
		req.Progress(fmt.Sprintf("%s: waiting for another jacquard, which %s", req.what(), doing))
	})
	defer waits.Stop()
	return lock(ctx, file)
}

// politeness is how long waitFor waits without reporting it.
const politeness = 200 * time.Millisecond

// standardName identifies the build settings that share a compiled standard library.
func standardName(req Request, in installation) string {
	return digest("%t %t %q %q %q", req.Fuzz, req.NoRace, req.Flags, in.GOCACHE, in.experiments())
}

// compiled reports whether a file says that the standard library is in the go command's
// cache, which keeps entries for five days after their last use.
func compiled(file string) bool {
	info, err := os.Stat(file)
	return err == nil && time.Since(info.ModTime()) < kept-spared
}

// workDir creates an empty folder for temporary files. It removes folders left by
// processes that were killed.
func workDir(home string) (string, error) {
	left, _ := filepath.Glob(filepath.Join(home, "work-*")) // the pattern is valid
	for _, dir := range left {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > spared {
			_ = os.RemoveAll(dir) // if it fails, a later build tries again
		}
	}
	work, err := os.MkdirTemp(home, "work-")
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrCache, err)
	}
	return work, nil
}

// checkBinary rejects results that the go command reports as successes: for a package
// without tests it writes no file, and for one that is no command it writes an
// archive.
func checkBinary(req Request, out, said string) error {
	if strings.Contains(said, "[no test files]") {
		return &BuildError{What: req.what(), Output: "it has no test files", Cause: ErrNoTests}
	}
	archive := make([]byte, len("!<arch>\n"))
	f, err := os.Open(out)
	if err != nil {
		return fmt.Errorf("%s: %w", req.what(), err)
	}
	defer f.Close()
	if _, err := f.Read(archive); err == nil && string(archive) == "!<arch>\n" {
		return &BuildError{What: req.what(), Output: "it is not a command: want a package main"}
	}
	return nil
}
