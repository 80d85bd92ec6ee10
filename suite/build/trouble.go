package build

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/jacquard-go/jacquard/internal/overlay"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// general are the errors that are not about the package that was being built.
var general = []error{
	toolchain.ErrNoGo, toolchain.ErrNoModules, toolchain.ErrNoCompiler, toolchain.ErrCache, toolchain.ErrNoRace, overlay.ErrUnsupported,
	context.Canceled, context.DeadlineExceeded,
}

// failLine matches go test's line for a package that it cannot even begin to build.
var failLine = regexp.MustCompile(`(?m)^FAIL(\t.*\[setup failed\])?\n`)

// Trouble returns the output for a package without a test binary, and go test's two words for the
// reason. An error that is not about the package is returned as err.
func (p Program) Trouble() (said, why string, err error) {
	for _, g := range general {
		if errors.Is(p.Err, g) {
			return "", "", p.Err
		}
	}
	var broken *toolchain.BuildError
	said, why = p.Err.Error(), "setup failed"
	if errors.As(p.Err, &broken) {
		said, why = failLine.ReplaceAllString(broken.Output, ""), "build failed"
		if said != broken.Output {
			why = "setup failed"
		}
	}
	if !strings.HasPrefix(said, "#") {
		said = "# " + p.ImportPath + "\n" + said
	}
	return strings.TrimRight(said, "\n") + "\n", why, nil
}
