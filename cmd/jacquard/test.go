package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A testRun is what test was asked for.
type testRun struct {
	suite.Config
	built      building
	strategies []string
	leaks      string
	list       string
}

func testCommand() *cobra.Command {
	var t testRun
	cmd := &cobra.Command{
		Use:   "test [PACKAGES] [-args ...]",
		Short: "run the tests of packages under many schedules each",
		Long: `test runs the existing tests of packages as go test does, each of them under many
schedules instead of one. The packages import nothing of Jacquard.

All tests run once, in their order. One that has no concurrency is done with that;
the others are explored, until each has had its schedules, has none left, or the
budget of the package is over. A test that fails comes with the schedule that made
it fail, goroutine by goroutine, and the command that replays it.

What was explored is remembered as long as the test binary stays the same: the
next run goes on where this one ended. -fresh forgets it.

The exit code is
  0  no test failed
  1  a test failed, or a package could not be built
  2  nothing could be run; why is said in one line`,
		Example: `  jacquard test ./...
  jacquard test -run TestTransfer -schedules 100000 -budget 10m ./bank
  jacquard test -json ./... | gotestsum --raw-command -- cat`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := t.parse(cmd, args); err != nil {
				return fmt.Errorf("test: %w", err)
			}
			return t.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	t.built.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&t.Run, "run", "", "only tests, examples and fuzz targets that match this `regexp`")
	f.StringVar(&t.Skip, "skip", "", "none that match this `regexp`")
	f.StringVar(&t.list, "list", "", "only list the tests that match this `regexp`")
	f.IntVar(&t.Schedules, "schedules", suite.DefaultSchedules, "of each test, at most")
	f.StringSliceVar(&t.strategies, "strategy", nil, "share the schedules among these `strategies`: "+strings.Join(protocol.Strategies(), ", ")+"; all, in turn, if empty")
	f.IntVar(&t.MaxSteps, "maxsteps", suite.DefaultMaxSteps, "of one schedule, at most: one that has more is unknown")
	f.Uint64Var(&t.Seed, "seed", 1, "of all random choices")
	f.DurationVar(&t.Budget, "budget", suite.DefaultBudget, "for exploring the tests of a package")
	f.DurationVar(&t.Timeout, "timeout", suite.DefaultTimeout, "for all that is done with a package, but for building it")
	f.IntVarP(&t.Workers, "j", "j", 0, "processes at a time (default one for each processor)")
	f.BoolVarP(&t.Verbose, "verbose", "v", false, "tell of each test, and how it was explored")
	f.BoolVar(&t.JSON, "json", false, "print what go test -json does")
	f.BoolVar(&t.FailFast, "failfast", false, "stop after the first failure")
	f.BoolVar(&t.Short, "short", false, "tell the tests to be short")
	f.StringVar(&t.leaks, "leaks", "differ", "goroutines left behind that never end are a failure if schedules `differ` in it, always (fail), or never (note)")
	f.StringVar(&t.Cards, "cards", "", "keep the cards of failures in this `folder`")
	f.BoolVar(&t.Fresh, "fresh", false, "forget what earlier runs have explored")
	return cmd
}

// parse reads the arguments and checks the flags.
func (t *testRun) parse(cmd *cobra.Command, args []string) error {
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		args, t.Args = args[:at], args[at:]
	}
	t.Packages = args
	t.built.set(&t.Config)
	switch {
	case t.Seed == 0:
		return errors.New("-seed: got 0, want at least 1")
	case t.Schedules < 1:
		return fmt.Errorf("-schedules: got %d, want at least 1", t.Schedules)
	case t.MaxSteps < 2:
		return fmt.Errorf("-maxsteps: got %d, want at least 2", t.MaxSteps)
	case t.Budget <= 0:
		return fmt.Errorf("-budget: got %s, want more than 0", t.Budget)
	case t.Timeout <= 0:
		return fmt.Errorf("-timeout: got %s, want more than 0", t.Timeout)
	case t.Workers < 0 || t.Workers == 0 && cmd.Flags().Changed("j"):
		return fmt.Errorf("-j: got %d, want at least 1", t.Workers)
	}
	var err error
	if t.Leaks, err = leaks(t.leaks); err != nil {
		return err
	}
	t.Plan, err = plan(t.strategies, t.Schedules)
	return err
}

// leaks reads what becomes of goroutines that never end.
func leaks(text string) (protocol.Leaks, error) {
	switch text {
	case "differ":
		return protocol.LeaksDiffer, nil
	case string(protocol.LeaksFail), string(protocol.LeaksNote):
		return protocol.Leaks(text), nil
	}
	return "", fmt.Errorf("-leaks: got %q, want differ, fail or note", text)
}

// plan shares schedules among strategies.
func plan(strategies []string, schedules int) ([]protocol.Stage, error) {
	var stages []protocol.Stage
	for i, name := range strategies {
		if !slices.Contains(protocol.Strategies(), name) {
			return nil, fmt.Errorf("-strategy: got %q, want one of %s", name, strings.Join(protocol.Strategies(), ", "))
		}
		share := schedules*(i+1)/len(strategies) - schedules*i/len(strategies)
		if share > 0 {
			stages = append(stages, protocol.Stage{Strategy: name, Schedules: share})
		}
	}
	return stages, nil
}

// run runs the tests, or lists them.
func (t testRun) run(ctx context.Context, out, errs io.Writer) error {
	screen := newScreen(errs)
	defer screen.clear()
	t.Progress = screen.say
	t.Out, t.Errs = clearing{screen, out}, clearing{screen, errs}
	ok, err := false, error(nil)
	if t.list != "" {
		ok, err = suite.List(ctx, t.Config, t.list)
	} else {
		ok, err = suite.Run(ctx, t.Config)
	}
	switch {
	case err != nil:
		return fmt.Errorf("test: %w", err)
	case !ok:
		return errFailed
	}
	return nil
}

// A clearing writes where the screen may have left a line.
type clearing struct {
	screen *screen
	to     io.Writer
}

func (c clearing) Write(b []byte) (int, error) {
	c.screen.clear()
	return c.to.Write(b)
}
