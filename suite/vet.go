package suite

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

// The values of Config.Vet that are no lists of checks.
const (
	VetAll = "all"
	VetOff = "off"
)

// vetted are the checks that go test makes, by the names that go vet has for them in
// every release. From Go 1.27 on it makes stdversion, too.
const vetted = "atomic,bools,buildtag,directive,errorsas,ifaceassert,nilfunc,printf,slog,stringintconv,tests"

// vet has go vet look at a package and its tests, as they are without the overlay
// and the race detector. What it objects to is the error, as it is go test's.
func (c Config) vet(ctx context.Context, p listed) error {
	checks := cmp.Or(c.Vet, vetted)
	args := []string{"vet"}
	if checks != VetAll {
		for check := range strings.SplitSeq(checks, ",") {
			args = append(args, "-"+check)
		}
	}
	args = append(append(args, c.GoFlags()...), p.ImportPath)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = c.Dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &exit):
		return toolchain.Refused("go vet", headed(p.ImportPath, said.String()))
	case err != nil:
		return fmt.Errorf("go vet: %w", err)
	}
	return nil
}

// headed are go vet's words below the lines that go test has before them. Some
// releases of go vet have them, too.
func headed(pkg, said string) string {
	if strings.HasPrefix(said, "#") {
		return said
	}
	return fmt.Sprintf("# %s\n# [%s]\n%s", pkg, pkg, said)
}

// GoFlags are the flags of the go command by which a package is found and built.
func (c Config) GoFlags() (flags []string) {
	if len(c.Tags) > 0 {
		flags = append(flags, "-tags="+strings.Join(c.Tags, ","))
	}
	return append(flags, c.BuildFlags...)
}
