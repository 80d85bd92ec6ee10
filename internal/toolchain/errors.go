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

// A BuildError says that the go command refused to build, most often because
// the code does not compile.
type BuildError struct {
	What   string // what was to be built
	Output string // all that the go command said, trimmed
}

// Error is one line: the first of the output that says something.
func (e *BuildError) Error() string {
	for line := range strings.Lines(e.Output) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return fmt.Sprintf("%s: %s", e.What, line)
		}
	}
	return e.What + ": the go command failed without a word"
}

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
	return &BuildError{What: what, Output: strings.TrimSpace(output)}
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
