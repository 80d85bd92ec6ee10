package build

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// The values of How.Vet that are not lists of checks.
const (
	VetAll = "all"
	VetOff = "off"
)

// vetted are the checks that go test makes, by names that go vet has in every release. From Go 1.27
// on go test also makes stdversion.
const vetted = "atomic,bools,buildtag,directive,errorsas,ifaceassert,nilfunc,printf,slog,stringintconv,tests"

// vet runs go vet on a package and its tests, without the overlay and the race detector. If go vet
// rejects the package, the error is formatted like go test's.
func (h How) vet(ctx context.Context, p Package) error {
	checks := cmp.Or(h.Vet, vetted)
	args := []string{"vet"}
	if checks != VetAll {
		for check := range strings.SplitSeq(checks, ",") {
			args = append(args, "-"+check)
		}
	}
	args = append(append(args, h.GoFlags()...), p.ImportPath)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = h.Dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case bytes.Contains(said.Bytes(), []byte(notDefined)):
		_, rest, _ := strings.Cut(said.String(), notDefined)
		check, _, _ := strings.Cut(rest, "\n")
		return fmt.Errorf("-vet: go vet has no check %q", check)
	case errors.As(err, &exit):
		return toolchain.Refused("go vet", headed(p.ImportPath, said.String()))
	case err != nil:
		return fmt.Errorf("go vet: %w", err)
	}
	return nil
}

// What go vet says before the name of a flag that it does not have.
const notDefined = "flag provided but not defined: -"

// headed puts go test's header lines before the output of go vet. Some releases of go vet print
// them themselves.
func headed(pkg, said string) string {
	if strings.HasPrefix(said, "#") {
		return said
	}
	return fmt.Sprintf("# %s\n# [%s]\n%s", pkg, pkg, said)
}
