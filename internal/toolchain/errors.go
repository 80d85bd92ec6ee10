package toolchain

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// What can be wrong with the installation. An unsupported Go version is the
// overlay package's ErrUnsupported, or its AnchorError.
var (
	// ErrNoGo says that there is no go command in PATH.
	ErrNoGo = errors.New("no go command")
	// ErrNoCompiler says that there is no C compiler.
	ErrNoCompiler = errors.New("control needs the race detector, which needs a C compiler")
	// ErrCache says that the cache directory, or the go command's own, cannot
	// be written.
	ErrCache = errors.New("cannot write the build cache")
)

// Why the go command may refuse a package, besides that it does not compile.
var (
	// ErrNewerGo says that the module asks for a newer Go than there is.
	ErrNewerGo = errors.New("the module needs a newer Go")
	// ErrNoTests says that a package has no test files.
	ErrNoTests = errors.New("no test files")
	// ErrNoRace says that the race detector does not support this machine.
	ErrNoRace = errors.New("the race detector does not work here")
)

// A BuildError says that the go command refused to build, most often because
// the code does not compile.
type BuildError struct {
	What   string // what was to be built
	Output string // all that the go command said, trimmed
	Cause  error  // ErrNewerGo, ErrNoTests or ErrNoRace; nil is another
}

// Refused is the error for a go command that failed with this output; what says what
// it was to do.
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

// Error is one line: the first of the output that says something.
func (e *BuildError) Error() string {
	first := ""
	for line := range strings.Lines(e.Output) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if first += line; !strings.HasSuffix(first, ":") {
			break
		}
		first += " "
	}
	if first == "" {
		first = "the go command failed without a word"
	}
	return e.What + ": " + strings.TrimSpace(first)
}

// Unwrap returns the Cause.
func (e *BuildError) Unwrap() error { return e.Cause }

// cacheError marks an error about a path at or below dir as an ErrCache and
// leaves others alone.
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

// goError is the error for a go command that failed with this output. Its
// build cache is in one of dirs.
func goError(what, output string, dirs ...string) error {
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); aboutCache(line, dirs) {
			return fmt.Errorf("%w: %s", ErrCache, line)
		}
	}
	return Refused(what, output)
}

// aboutCache reports whether a line of the go command's output is about a cache
// that cannot be written, and not about the code.
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
