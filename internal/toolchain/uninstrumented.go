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

// uninstrumented are the packages, as patterns of import paths, in which the race
// detector sees no plain memory accesses. All but the last belong to the harness,
// which runs between the steps of the code under test and must leave no trace in
// the detector's view of it. The last is the embedded database, a mechanical
// translation from C with its own locks: with instrumentation a query takes seven
// times as long.
var uninstrumented = [...]string{
	"github.com/jacquard-go/jacquard/explore",
	"github.com/jacquard-go/jacquard/internal/card",
	"github.com/jacquard-go/jacquard/internal/coverage/...",
	"github.com/jacquard-go/jacquard/internal/engine",
	"github.com/jacquard-go/jacquard/internal/linear",
	"github.com/jacquard-go/jacquard/internal/locks",
	"github.com/jacquard-go/jacquard/internal/racelog",
	"github.com/jacquard-go/jacquard/internal/report",
	"github.com/jacquard-go/jacquard/internal/schedule",
	"github.com/jacquard-go/jacquard/internal/search",
	"github.com/jacquard-go/jacquard/internal/source",
	"github.com/jacquard-go/jacquard/internal/strategy",
	"github.com/jacquard-go/jacquard/internal/system",
	"github.com/jacquard-go/jacquard/internal/values",
	"github.com/jacquard-go/jacquard/internal/verdict",
	"github.com/jacquard-go/jacquard/internal/workers",
	"github.com/jacquard-go/jacquard/internal/control",
	"github.com/jacquard-go/jacquard/internal/timeline",
	"internal/jacquard/...",
	"modernc.org/...",
}

// noRace is the compiler flag for these packages. It is spelled uniquely, so that
// testScript can find it, and so that the go command's cache separates results changed
// by the script from those of other builds.
const noRace = "-race=0"

// testScript runs a tool of the toolchain for the go command. External tests
// (package explore_test) are code under test, but the go command compiles them
// with the flags of the package that they test. The script removes noRace for
// them.
//
// Rejected: omitting the package's pattern while it is under test. Then the tested
// harness would differ from the one in use.
const testScript = `case $TOOLEXEC_IMPORTPATH in
*'_test ['*)
	for arg; do
		shift
		[ "$arg" = ` + noRace + ` ] || set -- "$@" "$arg"
	done ;;
esac
exec "$@"
`

// raceFlags returns the go command's flags that exempt uninstrumented packages.
func raceFlags() []string {
	flags := make([]string, len(uninstrumented))
	for i, pattern := range uninstrumented {
		flags[i] = "-gcflags=" + pattern + "=" + noRace
	}
	return flags
}

// experiments returns the value of GOEXPERIMENT for a build. From Go 1.26 on the
// compiler makes uninstrumented packages call size-specialised allocators. These do not
// inform the race detector, which would then take earlier accesses to the reused memory
// for races.
func (in installation) experiments() string {
	const off = "nosizespecializedmalloc"
	switch {
	case strings.HasPrefix(in.GOVERSION, "go1.25"): // this version does not know the experiment
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

// testFlags returns the flags, if any, that instrument the external tests of an
// uninstrumented package. It writes the script into dir.
func testFlags(ctx context.Context, req Request, in installation, dir string) ([]string, error) {
	if !req.Test {
		return nil, nil
	}
	args := append([]string{"list", "-e", "-find", "-json=false", "-tags=" + allTags(req, in), "-f={{.ImportPath}}"}, req.Flags...)
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
