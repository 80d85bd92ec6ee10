package toolchain

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// patience is how long to wait, after the go command's process group was killed, for
// processes that have left the group and still hold its output.
const patience = 3 * time.Second

// A goCommand is one run of the go command.
type goCommand struct {
	path   string   // of the command; "" means the one in PATH
	dir    string   // where it runs
	args   []string // without the command's name
	env    []string // added to this process's environment
	caches []string // directories for which "permission denied" is an ErrCache
}

// run runs the go command and returns its standard output. The command and all its
// children die with ctx.
func run(ctx context.Context, what string, c goCommand) (string, error) {
	if c.path == "" {
		path, err := exec.LookPath("go")
		if err != nil {
			return "", fmt.Errorf("%w: %w", ErrNoGo, err)
		}
		c.path = path
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.path, c.args...)
	cmd.Dir = c.dir
	cmd.Env = append(cmd.Environ(), c.env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = patience
	ownGroup(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s: %w", what, context.Cause(ctx))
	case cmd.ProcessState == nil: // it did not start
		return "", fmt.Errorf("%s: %w", what, err)
	case err != nil:
		return "", goError(what, stdout.String()+stderr.String(), c.caches...)
	}
	return stdout.String(), nil
}

// arguments returns the arguments of the go command that builds req, without the output
// and the package.
func arguments(ctx context.Context, req Request, in installation, overlay, work string) ([]string, error) {
	args := []string{"build"}
	if req.Test {
		args = []string{"test", "-c", "-vet=off"}
	}
	args = append(args,
		"-trimpath",
		// A commit hash in the binary would change its fingerprint, and determining it
		// takes time.
		"-buildvcs=false",
		// GOFLAGS may have these. The counters of coverage would be scheduling points, and an
		// error is printed as text.
		"-cover=false", "-json=false",
		"-tags="+allTags(req, in),
		"-overlay="+overlay,
	)
	args = append(args, req.Flags...) // before ours, because the last flag for a package wins
	if req.NoRace {
		return append(args, intrinsicFlags(req.Fuzz)...), nil
	}
	flags, err := testFlags(ctx, req, in, work)
	return slices.Concat(args, []string{"-race"}, fuzzFlags(req.Fuzz), raceFlags(), flags), err
}

// allTags returns Jacquard's tag, those of GOFLAGS and the user's, without duplicates.
func allTags(req Request, in installation) string {
	var tags []string
	if req.Guest == nil {
		tags = append(tags, "jacquard")
	}
	for _, list := range append([]string{in.flag("tags")}, req.Tags...) {
		for tag := range strings.SplitSeq(list, ",") {
			if tag = strings.TrimSpace(tag); tag != "" && !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	return strings.Join(tags, ",")
}

// environment returns the additions to a build's environment. The go command's
// temporary files go to work: it can move a binary from there to its place atomically,
// because both are on one file system.
func environment(req Request, in installation, work string) []string {
	env := []string{"GOTMPDIR=" + work}
	if !req.NoRace && in.needsC() {
		env = append(env, "CGO_ENABLED=1")
	}
	if experiments := in.experiments(); !req.NoRace && experiments != in.GOEXPERIMENT {
		env = append(env, "GOEXPERIMENT="+experiments)
	}
	if in.linked {
		env = append(env, "GOROOT="+in.GOROOT, "GOTOOLCHAIN=local")
	}
	return env
}
