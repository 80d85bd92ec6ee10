package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/cilog"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A hunting holds the flags and arguments of hunt.
type hunting struct {
	built     building
	log       string
	run       string
	leaks     string
	schedules int
	total     time.Duration
	seed      uint64
	width     int
}

func huntCommand() *cobra.Command {
	var h hunting
	cmd := &cobra.Command{
		Use:   "hunt [LOG]",
		Short: "find a schedule for a failure in a log of go test",
		Long: `hunt reads what go test printed when a test failed, in CI for example: plain text, the
output of -json or gotestsum, a data race report, a panic, or the goroutine dump of a
test that timed out. Without a file, or for -, it reads standard input. It finds each test that
failed in this module and runs it under many schedules until one fails in the same way:
a check with the same message but for its figures, a panic with the same message in the
same function, a data race between the same functions, or a goroutine that waits in the
same function. It lists other failures of the test and goes on.

hunt reports what it finds as jacquard test does. jacquard keep turns it into a
regression test.

The exit code is
  0  each failure of the log was found
  1  a failure was not found
  2  the log has no failure, or nothing could be run`,
		Example: `  jacquard hunt ci.log
  gh run view --log-failed | jacquard hunt -run TestTransfer`,
		Args: command.Arguments(0, 1, "one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			h.log = strings.Join(args, "")
			err := h.check(cmd)
			if err == nil {
				err = h.hunt(cmd)
			}
			if err != nil && !errors.Is(err, command.ErrFailed) {
				return fmt.Errorf("hunt: %w", withCure(err))
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&h.run, "run", "", "look only for failures of tests that match this `regexp`")
	f.IntVar(&h.schedules, "schedules", 10*suite.DefaultSchedules, "run at most `n` schedules of each test")
	f.DurationVar(&h.total, "total", 2*suite.DefaultTotal, "take at most this `time` for each test, not counting builds")
	f.Uint64Var(&h.seed, "seed", 1, "use the seed `n` for every random choice")
	f.StringVar(&h.leaks, "leaks", "differ", "`when` goroutines that can never end fail a test")
	f.IntVar(&h.width, "width", 0, "make reports at most `columns` wide (default those of the terminal, or 124)")
	h.built.flags(cmd)
	return cmd
}

// check refuses invalid values.
func (h *hunting) check(cmd *cobra.Command) error {
	switch {
	case h.schedules < 1:
		return fmt.Errorf("-schedules: got %d, want at least 1", h.schedules)
	case h.total <= 0:
		return fmt.Errorf("-total: got %s, want more than 0", h.total)
	case h.seed == 0:
		return errors.New("-seed: got 0, want at least 1")
	}
	_, unknown := leaks(h.leaks)
	return cmp.Or(h.built.check(cmd), unknown, checkPattern("run", h.run), command.CheckWidth(h.width, cmd.Flags().Changed("width")))
}

// read reads the log and returns the selected failures.
func (h *hunting) read(cmd *cobra.Command) ([]cilog.Failure, error) {
	text, err := []byte(nil), error(nil)
	if h.log == "" || h.log == "-" {
		text, err = io.ReadAll(cmd.InOrStdin())
	} else {
		text, err = os.ReadFile(h.log)
	}
	if err != nil {
		return nil, err
	}
	var wanted []cilog.Failure
	for _, f := range cilog.Parse(string(text)) {
		if suite.Chosen(h.run, f.Test) {
			wanted = append(wanted, f)
		}
	}
	if len(wanted) == 0 {
		return nil, errors.New("got a log without a test that failed, want one that has the lines of go test about it, such as --- FAIL: TestTransfer")
	}
	return wanted, nil
}

// hunt hunts all failures of the log.
func (h *hunting) hunt(cmd *cobra.Command) error {
	wanted, err := h.read(cmd)
	if err != nil {
		return err
	}
	screen := command.NewScreen(name, cmd.ErrOrStderr())
	defer screen.Clear()
	out := clearing{screen, cmd.OutOrStdout()}
	cfg := suite.Config{
		Progress: screen.Say, Schedules: h.schedules, Total: h.total, Seed: h.seed, Vet: build.VetOff,
		Width: command.Fit(h.width, cmd.OutOrStdout(), 124), Color: command.Coloured(cmd.OutOrStdout()), Brief: command.IsTerminal(cmd.OutOrStdout()),
		Out: out, Errs: clearing{screen, cmd.ErrOrStderr()},
	}
	h.built.set(&cfg)
	if cfg.Leaks, err = leaks(h.leaks); err != nil {
		return err
	}
	missed, lost := false, []error(nil)
	for _, f := range wanted {
		pkg, got, err := one(cmd, cfg, f)
		switch {
		case err != nil && cmd.Context().Err() != nil:
			return err
		case err != nil: // the log may be about other modules, and about tests that no longer exist
			lost = append(lost, err)
			continue
		}
		missed = missed || !got.Found
		if _, err := io.WriteString(out, told(pkg, f, got)); err != nil {
			return err
		}
	}
	if len(lost) == len(wanted) {
		return lost[0]
	}
	for _, err := range lost {
		if _, err := fmt.Fprintf(out, "hunt: not looked for: %v\n", err); err != nil {
			return err
		}
	}
	if missed || len(lost) > 0 {
		return command.ErrFailed
	}
	return nil
}

// one hunts one failure of the log, and returns the package of its test.
func one(cmd *cobra.Command, cfg suite.Config, f cilog.Failure) (pkg string, got suite.Hunted, err error) {
	if pkg, err = packageOf(cmd, cfg, f); err == nil {
		got, err = suite.Hunt(cmd.Context(), cfg, pkg, f.Test, protocol.Sought{Kind: string(f.Kind), Message: f.Message, Functions: f.Functions, Lines: f.Lines, Stacks: f.Stacks})
	}
	return pkg, got, err
}

// packageOf returns the package of a test in the log.
func packageOf(cmd *cobra.Command, cfg suite.Config, f cilog.Failure) (string, error) {
	cfg.Packages = []string{"./..."}
	all, err := suite.Declaring(cmd.Context(), cfg, f.Test)
	if err != nil {
		return "", err
	}
	var fits []string
	for _, pkg := range all {
		if pkg == f.Package {
			return pkg, nil
		}
		if f.Package == "" || f.Package == "." || strings.HasSuffix(pkg, "/"+f.Package) {
			fits = append(fits, pkg)
		}
	}
	if f.Package == "." { // gotestsum's name for the package in the module's folder, the parent of all others
		fits = slices.DeleteFunc(fits, func(pkg string) bool {
			return slices.ContainsFunc(all, func(other string) bool { return other != pkg && !strings.HasPrefix(other, pkg+"/") })
		})
	}
	if len(fits) != 1 {
		return "", fmt.Errorf("%s: got it in %d packages of this module, %q, want it in the one of the log, %q", f.Test, len(fits), fits, f.Package)
	}
	return fits[0], nil
}

// told formats the result for one failure.
func told(pkg string, f cilog.Failure, got suite.Hunted) string {
	var b strings.Builder
	for _, e := range got.Others {
		fmt.Fprintf(&b, "hunt: %s.%s: another failure: %s: %s\n", pkg, f.Test, e.Kind, e.Message)
	}
	what := string(f.Kind)
	if f.Message != "" {
		what += ": " + f.Message
	}
	what = cmp.Or(what, "a failure that the log says nothing more about")
	if got.Found {
		fmt.Fprintf(&b, "hunt: %s.%s: found at schedule %d: %s\n", pkg, f.Test, max(got.Event.Schedule, 1), what)
	} else {
		fmt.Fprintf(&b, "hunt: %s.%s: not found in %s: %s\n", pkg, f.Test, command.Plural(got.Event.Schedules, "schedule"), what)
	}
	return b.String()
}
