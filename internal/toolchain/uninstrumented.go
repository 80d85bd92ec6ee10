package toolchain

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/jacquard-go/jacquard/internal/overlay"
)

// uninstrumented are the packages, as patterns of import paths, in which the
// race detector sees no plain memory accesses. All but the last are the
// harness itself: it runs between the steps of the code under test and must
// leave no trace in the detector's picture of it. The last is the embedded
// database, a mechanical translation from C with its own locks: a query takes
// seven times as long when each of its accesses is watched.
var uninstrumented = [...]string{
	"github.com/jacquard-go/jacquard/explore",
	"github.com/jacquard-go/jacquard/internal/card",
	"github.com/jacquard-go/jacquard/internal/coverage/...",
	"github.com/jacquard-go/jacquard/internal/engine",
	"github.com/jacquard-go/jacquard/internal/linear",
	"github.com/jacquard-go/jacquard/internal/report",
	"github.com/jacquard-go/jacquard/internal/schedule",
	"github.com/jacquard-go/jacquard/internal/search",
	"github.com/jacquard-go/jacquard/internal/source",
	"github.com/jacquard-go/jacquard/internal/strategy",
	"github.com/jacquard-go/jacquard/internal/system",
	"github.com/jacquard-go/jacquard/internal/verdict",
	"github.com/jacquard-go/jacquard/internal/workers",
	"github.com/jacquard-go/jacquard/internal/control",
	"github.com/jacquard-go/jacquard/internal/timeline",
	"internal/jacquard/...",
	"modernc.org/...",
}

// noRace is the compiler's flag for these packages. It is spelled unlike
// anyone else's, for testScript to find, and so that the go command's cache
// keeps what the script has changed apart from what others compile.
const noRace = "-race=0"

// testScript runs a tool of the toolchain for the go command. External tests
// (package explore_test) are code under test, but the go command compiles them
// with the flags of the package that they test. The script takes noRace away
// from them.
//
// Rejected: leaving the package's pattern out while it is under test. Then the
// harness that is tested would be another one than the harness that is used.
const testScript = `case $TOOLEXEC_IMPORTPATH in
*'_test ['*)
	for arg; do
		shift
		[ "$arg" = ` + noRace + ` ] || set -- "$@" "$arg"
	done ;;
esac
exec "$@"
`

// raceFlags are the go command's flags that exempt uninstrumented packages.
func raceFlags() []string {
	flags := make([]string, len(uninstrumented))
	for i, pattern := range uninstrumented {
		flags[i] = "-gcflags=" + pattern + "=" + noRace
	}
	return flags
}

// experiments is the value of GOEXPERIMENT for a build. From Go 1.26 on the
// compiler knows allocators for each size, and has uninstrumented packages call
// them. They do not tell the race detector, which would then take what is in
// the memory from its last use for a race.
func (in installation) experiments() string {
	const off = "nosizespecializedmalloc"
	switch {
	case strings.HasPrefix(in.GOVERSION, "go1.25"): // does not know the word
		return in.GOEXPERIMENT
	case in.GOEXPERIMENT == "":
		return off
	}
	return in.GOEXPERIMENT + "," + off
}

// exempt reports whether a package is one of the uninstrumented.
func exempt(path string) bool {
	for _, pattern := range uninstrumented {
		prefix, wide := strings.CutSuffix(pattern, "...")
		if path == pattern || wide && strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// testFlags are the flags, if any, with which the external tests of an
// uninstrumented package are instrumented. The script goes into dir.
func testFlags(ctx context.Context, req Request, in installation, dir string) ([]string, error) {
	if !req.Test {
		return nil, nil
	}
	args := append([]string{"list", "-e", "-find", "-tags=" + allTags(req, in), "-f={{.ImportPath}}"}, req.Flags...)
	path, err := run(ctx, req.what(), goCommand{dir: req.Dir, args: append(args, req.Package)})
	if err != nil || !exempt(strings.TrimSpace(path)) {
		return nil, err
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		return nil, fmt.Errorf("%w: the tests of %s need a shell: %w", overlay.ErrUnsupported, req.Package, err)
	}
	script := filepath.Join(dir, "toolexec.sh")
	if err := os.WriteFile(script, []byte(testScript), 0o600); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCache, err)
	}
	return []string{fmt.Sprintf(`-toolexec="%s" "%s"`, shell, script)}, nil
}
