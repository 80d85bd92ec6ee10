//go:build unix

package toolchain_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/jacquard-go/jacquard/internal/overlay"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// fails builds and returns the error, which must be a single line.
func fails(t *testing.T, req toolchain.Request) error {
	t.Helper()
	if req.Cache == "" {
		req.Cache = t.TempDir()
	}
	binary, err := toolchain.Build(t.Context(), req)
	if err == nil || binary != "" {
		t.Fatalf("got %q, %v, want an error", binary, err)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %v", err)
	}
	return err
}

// fakeGo puts a go command first in PATH that answers go env like the real one, except
// for changes, and runs script for anything else.
func fakeGo(t *testing.T, changes map[string]string, script string) {
	t.Helper()
	out, err := exec.Command("go", "env", "-json").Output()
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	if err := json.Unmarshal(out, &env); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	env["GOMODCACHE"] = dir // so that the go command of a downloaded GOROOT is not run
	maps.Copy(env, changes)
	if out, err = json.Marshal(env); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "env.json", string(out))
	path := filepath.Join(dir, "go")
	text := "#!/bin/sh\nif [ \"$1\" = env ]; then exec cat '" + filepath.Join(dir, "env.json") + "'; fi\n" + script
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

func TestNoGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := fails(t, toolchain.Request{}); !errors.Is(err, toolchain.ErrNoGo) {
		t.Errorf("got %v, want %v", err, toolchain.ErrNoGo)
	}
}

func TestNoCompiler(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("did not run: the race detector needs no compiler on macOS")
	}
	for cc, want := range map[string]string{
		"/nonexistent/cc -O2":   "/nonexistent/cc",
		"'/non existent/cc' -g": "/non existent/cc",
	} {
		t.Setenv("CC", cc)
		err := fails(t, toolchain.Request{Dir: program(t, "")})
		if !errors.Is(err, toolchain.ErrNoCompiler) || !strings.Contains(err.Error(), `"`+want+`" not found (CC)`) {
			t.Errorf("got %v, want %v and %s", err, toolchain.ErrNoCompiler, want)
		}
	}
}

// An existing compiler is used even if the environment disables cgo.
func TestCgoForced(t *testing.T) {
	t.Setenv("CGO_ENABLED", "0")
	if got := output(t, mustBuild(t, toolchain.Request{Dir: program(t, "forced"), Cache: t.TempDir()})); got != "forced" {
		t.Errorf("got %q, want forced", got)
	}
}

func TestUnsupported(t *testing.T) {
	for _, changes := range []map[string]string{
		{"GOVERSION": "go1.24.3"},
		{"GOVERSION": "go1.28.0"},
		{"GOOS": "plan9"},
		{"GOARCH": "mips"},
		{"GOFLAGS": "-mod=mod -overlay=/some/file.json"},
	} {
		fakeGo(t, changes, "echo must not build >&2; exit 1\n")
		if err := fails(t, toolchain.Request{}); !errors.Is(err, overlay.ErrUnsupported) {
			t.Errorf("%v: got %v, want %v", changes, err, overlay.ErrUnsupported)
		}
	}
}

// An installation with an unexpected runtime is rejected with the file and the
// anchor.
func TestAnchor(t *testing.T) {
	root := t.TempDir()
	write(t, root, "src/context/context.go", "package context\n") // the first file that is edited
	fakeGo(t, map[string]string{"GOROOT": root}, "echo must not build >&2; exit 1\n")
	var anchor *overlay.AnchorError
	if err := fails(t, toolchain.Request{}); !errors.As(err, &anchor) {
		t.Errorf("got %v, want an AnchorError", err)
	}
	fakeGo(t, map[string]string{"GOROOT": filepath.Join(root, "none")}, "exit 1\n")
	if err := fails(t, toolchain.Request{}); !errors.Is(err, os.ErrNotExist) || errors.Is(err, toolchain.ErrCache) {
		t.Errorf("got %v, want one that says that GOROOT is missing", err)
	}
}

// Tests may run as root, who may write anywhere, but even root cannot create a
// directory below a file.
func TestCacheNotWritable(t *testing.T) {
	dir := program(t, "")
	file := filepath.Join(t.TempDir(), "file")
	write(t, filepath.Dir(file), "file", "")
	check := func(name string, req toolchain.Request, want string) {
		t.Helper()
		err := fails(t, req)
		if !errors.Is(err, toolchain.ErrCache) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %v and %s", name, err, toolchain.ErrCache, want)
		}
	}
	check("below a file", toolchain.Request{Dir: dir, Cache: filepath.Join(file, "cache")}, file)

	taken := t.TempDir()
	binary := mustBuild(t, toolchain.Request{Dir: dir, Cache: taken})
	write(t, dir, "more.go", "package main\n") // so that a build is necessary
	for _, lock := range []string{filepath.Join(filepath.Dir(filepath.Dir(binary)), "locks", filepath.Base(binary)), filepath.Join(taken, "lock")} {
		if err := errors.Join(os.Remove(lock), os.Mkdir(lock, 0o700)); err != nil {
			t.Fatal(err)
		}
		check("no lock file", toolchain.Request{Dir: dir, Cache: taken}, lock)
	}

	t.Setenv("GOCACHE", filepath.Join(file, "gocache"))
	check("GOCACHE", toolchain.Request{Dir: dir}, file)
	t.Setenv("GOCACHE", "off")
	check("no GOCACHE", toolchain.Request{Dir: dir}, "GOCACHE=off")
}

func TestCacheFull(t *testing.T) {
	gocache := filepath.Join(t.TempDir(), "go-build")
	for output, cache := range map[string]bool{
		"# runtime\nwrite $WORK/b002/_pkg_.a: no space left on device":   true,
		"open " + gocache + "/ab/abcdef-d: read-only file system":        true,
		"go: open " + gocache + "/ab/abcdef-d: permission denied":        true,
		"main.go:1:1: open main.go: permission denied":                   false,
		"# example.com/tiny\n./main.go:3:1: undefined: build, cache, go": false,
	} {
		fakeGo(t, map[string]string{"GOCACHE": gocache}, "cat >&2 <<'EOF'\n"+output+"\nEOF\nexit 1\n")
		err := fails(t, toolchain.Request{})
		last := output[strings.LastIndex(output, "\n")+1:]
		if got := errors.Is(err, toolchain.ErrCache); got != cache || !strings.Contains(err.Error(), last) {
			t.Errorf("%q: got %v, ErrCache: %t, want %t", output, err, got, cache)
		}
	}
}

func TestBuildError(t *testing.T) {
	commandOnly := toolchain.Request{Dir: program(t, "")}
	tests := commandOnly
	tests.Test = true
	library := toolchain.Request{Dir: module(t, "example.com/lib", map[string]string{"lib.go": "package lib\n"})}
	broken := toolchain.Request{Dir: module(t, "example.com/tiny", map[string]string{
		"main.go": "package main\n\nfunc main() { missing() }\n",
	})}
	elsewhere := commandOnly
	elsewhere.Package = "./nowhere"
	newer := toolchain.Request{Dir: t.TempDir()}
	write(t, newer.Dir, "go.mod", "module example.com/newer\n\ngo 1.999\n")
	t.Setenv("GOTOOLCHAIN", "local")
	for _, c := range []struct {
		name string
		req  toolchain.Request
		want string
	}{
		{"does not compile", broken, "building . under control: ./main.go:3:15: undefined: missing"},
		{"no package", elsewhere, "nowhere"},
		{"no tests", tests, "building the tests of . under control: it has no test files"},
		{"no command", library, "building . under control: it is not a command: want a package main"},
		{"newer Go", newer, "go.mod requires go >= 1.999"},
	} {
		err := fails(t, c.req)
		var build *toolchain.BuildError
		if !errors.As(err, &build) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want a BuildError with %q", c.name, err, c.want)
			continue
		}
		if build.Output == "" || build.Output != strings.TrimSpace(build.Output) {
			t.Errorf("%s: got the output %q", c.name, build.Output)
		}
	}
}

func TestBadRequest(t *testing.T) {
	for _, name := range []string{"-o=/etc/passwd", "./..."} {
		if err := fails(t, toolchain.Request{Package: name}); !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want one that names %q", err, name)
		}
	}
	if err := fails(t, toolchain.Request{Dir: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want %v", err, os.ErrNotExist)
	}
}

// When the context ends, so do the go command and its children. They hold the write end
// of the pipe, so reading ends once none of them is left.
func TestCancel(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	fakeGo(t, nil, "exec 3>'"+pipe+"'\nsleep 1000 &\necho started >&3\nwait\n")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	failed := make(chan error, 1)
	cache := t.TempDir()
	go func() {
		_, err := toolchain.Build(ctx, toolchain.Request{Cache: cache})
		failed <- err
		// If that was before the script ran, no other process opens the pipe.
		if w, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			_ = w.Close()
		}
	}()
	children, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer children.Close()
	started := make([]byte, len("started\n"))
	if _, err := io.ReadFull(children, started); err != nil {
		t.Fatalf("%v: %v", err, <-failed)
	}

	// A build that waits for the lock ends, too.
	waiting, giveUp := context.WithCancelCause(t.Context())
	_, err = toolchain.Build(waiting, toolchain.Request{Cache: cache, Progress: func(string) { giveUp(stop) }})
	if !errors.Is(err, stop) {
		t.Errorf("waiting: got %v, want %v", err, stop)
	}

	cancel(stop)
	if err := <-failed; !errors.Is(err, stop) {
		t.Errorf("building: got %v, want %v", err, stop)
	}
	if _, err := io.ReadAll(children); err != nil {
		t.Error(err)
	}
}

// A failure of the go command has a cause that programs can test for, and a single-line
// message.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		said, line string
		cause      error
	}{
		{"go: go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)\n", "go: go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)", toolchain.ErrNewerGo},
		{"go: download go1.99 for linux/amd64: toolchain not available\n", "go: download go1.99 for linux/amd64: toolchain not available", toolchain.ErrNewerGo},
		{"go: -race is not supported on windows/arm64\n", "go: -race is not supported on windows/arm64", toolchain.ErrNoRace},
		{"go: -race requires cgo; enable cgo by setting CGO_ENABLED=1\n", "go: -race requires cgo; enable cgo by setting CGO_ENABLED=1", toolchain.ErrNoRace},
		{"go: errors parsing go.mod:\ngo.mod:5: unknown directive: weft\n", "go: errors parsing go.mod: go.mod:5: unknown directive: weft", nil},
		{"# example.com/x\nx.go:1:1: expected 'package'\n", "x.go:1:1: expected 'package'", nil},
		{"FAIL\texample.com/x [setup failed]\n# example.com/x\nx.go:3:8: open /y.go: no such file\n", "x.go:3:8: open /y.go: no such file", nil},
		{"FAIL\texample.com/x [setup failed]\n", "FAIL\texample.com/x [setup failed]", nil},
		{"", "the go command failed and said nothing", nil},
	} {
		err := toolchain.Refused("building x", c.said)
		if got, want := err.Error(), "building x: "+c.line; got != want {
			t.Errorf("%q: got %q, want %q", c.said, got, want)
		}
		for _, cause := range []error{toolchain.ErrNewerGo, toolchain.ErrNoRace, toolchain.ErrNoTests} {
			if got := errors.Is(err, cause); got != (cause == c.cause) {
				t.Errorf("%q: is it %v: got %t", c.said, cause, got)
			}
		}
	}
}
