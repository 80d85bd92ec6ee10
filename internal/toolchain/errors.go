package toolchain

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// What can be wrong with the installation. For an unsupported Go version the error is
// the overlay package's ErrUnsupported, or its AnchorError.
var (
	// ErrNoGo means that there is no go command in PATH.
	ErrNoGo = errors.New("no go command")
	// ErrNoModules means that the go command works without modules.
	ErrNoModules = errors.New("control needs modules, got GO111MODULE=off")
	// ErrNoCompiler means that there is no C compiler.
	ErrNoCompiler = errors.New("control needs the race detector, which needs a C compiler")
	// ErrCache means that the cache directory, or the go command's own, cannot be read or
	// written.
	ErrCache = errors.New("cannot use the build cache")
)

// Reasons why the go command may reject a package, apart from compile errors.
var (
	// ErrNewerGo means that the module needs a newer Go than the installed one.
	ErrNewerGo = errors.New("the module needs a newer Go")
	// ErrNoTests means that a package has no test files.
	ErrNoTests = errors.New("no test files")
	// ErrNoRace means that the race detector does not support this machine.
	ErrNoRace = errors.New("the race detector does not work here")
)

// A BuildError means that the go command has failed to build, usually because the code
// does not compile.
type BuildError struct {
	What   string // what was to be built
	Output string // the go command's output, trimmed
	Cause  error  // ErrNewerGo, ErrNoTests or ErrNoRace; nil for other reasons
}

// Refused returns the error for a go command that has failed with this output; what
// names the command's task.
func Refused(what, output string) *BuildError {
	e := &BuildError{What: what, Output: strings.TrimSpace(output)}
	for _, c := range []struct {
		sign  string
		cause error
	}{
		{"requires go >= ", ErrNewerGo}, {"toolchain not available", ErrNewerGo},
		{"-race is not supported on ", ErrNoRace}, {"-race requires cgo", ErrNoRace},
	} {
		if strings.Contains(e.Output, c.sign) {
			e.Cause = c.cause
			break
		}
	}
	return e
}

// Error returns one line: the first informative one of the output. A line of go test that only
// says that it failed is used if there is no other.
func (e *BuildError) Error() string {
	first, failed := "", "the go command failed and said nothing"
	for line := range strings.Lines(e.Output) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "FAIL\t") {
			failed = line
			continue
		}
		if first += line; !strings.HasSuffix(first, ":") {
			break
		}
		first += " "
	}
	return e.What + ": " + strings.TrimSpace(cmp.Or(first, failed))
}

// Unwrap returns the Cause.
func (e *BuildError) Unwrap() error { return e.Cause }

// cacheError wraps an error about a path at or below dir in ErrCache, and returns other
// errors unchanged.
func cacheError(dir string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && strings.HasPrefix(path.Path, dir) {
		return fmt.Errorf("%w: %w", ErrCache, path)
	}
	var link *os.LinkError
	if errors.As(err, &link) && strings.HasPrefix(link.New, dir) {
		return fmt.Errorf("%w: %w", ErrCache, link)
	}
	return err
}

// goError returns the error for a go command that has failed with this output. Its
// build cache is in one of dirs.
func goError(what, output string, dirs ...string) error {
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); aboutCache(line, dirs) {
			return fmt.Errorf("%w: %s", ErrCache, line)
		}
	}
	return Refused(what, output)
}

// aboutCache reports whether a line of the go command's output is about an unwritable
// cache rather than about the code.
func aboutCache(line string, dirs []string) bool {
	for _, sign := range []string{
		"no space left on device", "disk quota exceeded", "read-only file system",
		"failed to initialize build cache", "build cache is required", "build cache is disabled",
	} {
		if strings.Contains(line, sign) {
			return true
		}
	}
	if !strings.Contains(line, "permission denied") {
		return false
	}
	for _, dir := range dirs {
		if dir != "" && strings.Contains(line, dir) {
			return true
		}
	}
	return false
}
