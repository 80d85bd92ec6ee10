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
	// Dir is the directory in which the go command runs: its module, and the
	// toolchain that the module asks for, are the ones used. Empty is the
	// current directory.
	Dir string
	// Package is one package, as the go command takes it: an import path, or
	// a path such as ./cmd/jacquard. Empty is the package in Dir. Unless Test
	// is set it must be a package main.
	Package string
	// Test says to build the package's test binary.
	Test bool
	// Guest, if not nil, is the source of this module; see its package jacquard.
	// A test binary then has package suite/guest in it, and is for packages
	// that do not import anything of Jacquard. The build tag jacquard is not
	// set: to the package under test the build is one like any other.
	Guest fs.FS
	// Fuzz says that the test binary has the instrumentation that tells what an
	// input covers, in all packages but the standard library, the harness and the
	// embedded database.
	Fuzz bool
	// NoRace says to build without the race detector. Data races are then not
	// looked for and plain memory accesses are no scheduling points; the
	// binary is about three times as fast, and needs no C compiler.
	NoRace bool
	// Tags are the user's build tags. Those in GOFLAGS and, unless there is a
	// Guest, the tag jacquard are added.
	Tags []string
	// Flags are further flags of the go command's that say how to build, such as
	// -mod=mod or -ldflags=-s. They must not be such that control depends on.
	Flags []string
	// Cache is the directory for the overlay and the binaries. Empty is the
	// environment's JACQUARD_CACHE or else jacquard in the user's cache
	// directory.
	Cache string
	// Check, if not nil, is called beside the build, and its error is that of the build
	// unless that has one itself. Vet says what it does: where nothing has changed since
	// the same was found to be well, it is not called.
	Check func(ctx context.Context) error
	Vet   string
	// Progress, if not nil, is called with a line that says what is done
	// next, before anything that can take long, by Build's goroutine.
	Progress func(line string)
}

// Build returns the path of an up-to-date binary: it has the program that the
// source files made when Build was called. If they look as they did when it was
// built, nothing is asked of the go command. Builds of the same binary wait for one
// another, and all wait for the first one of a way of building, so that the standard
// library is compiled once; others do not. The path always holds a whole binary, which
// a later build replaces if the source has changed.
//
// The error is, or wraps, one of [ErrNoGo], [ErrNoCompiler], [ErrCache],
// [*BuildError], the overlay's ErrUnsupported and AnchorError, and the cause of
// ctx's end, with which the go command and its children are killed.
func Build(ctx context.Context, req Request) (binary string, err error) {
	req, in, index, err := prepare(ctx, req)
	if err != nil {
		return "", err
	}
	return build(ctx, req, in, index)
}

// Check does what [Build] does before it builds, whatever the package, and
// returns the toolchain that would: its version and machine. Its errors are
// Build's, but for those about the package.
func Check(ctx context.Context, req Request) (version string, err error) {
	req, in, _, err := prepare(ctx, req)
	if err != nil {
		return "", err
	}
	// In a module that it is too old for, the go command still tells of itself. That
	// there is no module does not matter.
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

// complete fills in the defaults and checks the package.
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

// build brings the binary up to date. Where something has changed the go command finds
// out what there is to do, and whether the binary is to be linked, from the build ID of
// the one that is there.
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
	if objection := <-checked; err == nil { // what does not compile cannot be vetted either
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

// compile has the go command build the binary, and says what it was made of. It holds
// the lock of the binary, which others may build at the same time.
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
		of, _ := req.sources(ctx, in, index) // without them the go command is asked again next time
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

// standard compiles what all tests have in common, of the standard library and of the
// harness, while others wait that would do so in the same way. A file says afterwards that it is there.
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
	args = append(args, "testing/internal/testdeps") // with the guest, if there is one
	if req.Guest == nil {
		args = append(args, "github.com/jacquard-go/jacquard/explore")
	}
	if _, err := req.goBuild(ctx, in, work, args); err != nil {
		return nil // what is wrong the build itself says better
	}
	return cacheError(locks, os.WriteFile(done, nil, 0o600))
}

// waitFor waits for the lock in a file, and says for whom if that takes a while.
func (req Request) waitFor(ctx context.Context, file, doing string) (unlock func(), err error) {
	waits := time.AfterFunc(politeness, func() {
		req.Progress(fmt.Sprintf("%s: waiting for another jacquard, which %s", req.what(), doing))
	})
	defer waits.Stop()
	return lock(ctx, file)
}

// politeness is how long one waits without a word.
const politeness = 200 * time.Millisecond

// standardName is that of the ways of building which have a standard library in common.
func standardName(req Request, in installation) string {
	return digest("%t %t %q %q %q", req.Fuzz, req.NoRace, req.Flags, in.GOCACHE, in.experiments())
}

// compiled reports whether a file says that the standard library is in the go command's
// cache, which keeps what was used within five days.
func compiled(file string) bool {
	info, err := os.Stat(file)
	return err == nil && time.Since(info.ModTime()) < kept-spared
}

// workDir is an empty folder for temporary files of its own. What was left by processes
// that were killed is removed.
func workDir(home string) (string, error) {
	left, _ := filepath.Glob(filepath.Join(home, "work-*")) // the pattern is right
	for _, dir := range left {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > spared {
			_ = os.RemoveAll(dir) // it is tried again
		}
	}
	work, err := os.MkdirTemp(home, "work-")
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrCache, err)
	}
	return work, nil
}

// checkBinary refuses what the go command takes for a success and is none: a
// package without tests gives no file, and one that is no command gives an
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
