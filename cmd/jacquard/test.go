package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/touched"
	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A testRun holds the flags and arguments of test.
type testRun struct {
	suite.Config
	built      building
	strategies []string
	leaks      string
	list       string
	count      once
	shard      string
	changed    string
	plain      bool // even on a terminal, because the output goes into files
}

func testCommand() *cobra.Command {
	var t testRun
	cmd := &cobra.Command{
		Use:   "test [PACKAGES] [-args ...]",
		Short: "run tests, each under many schedules",
		Long: `test runs the existing tests of packages as go test does, but each of them under many
schedules instead of one. The packages need not import anything of Jacquard.

Every test runs once, in the usual order. A test without concurrency is then done. The
others are explored until each has run its schedules or has none left, or the time is
over: five minutes for all packages together, not counting builds. When a schedule fails,
a line says so at once. The report follows when the schedule has been reduced: it shows
each goroutine in a column, and the command that replays the failure. On an interrupt
(SIGINT, SIGTERM) test prints all that is known by then.

Unless -strategy says otherwise, a test is explored in this order:

  1. 15 schedules are sampled, each with its own random choices and timing.
  2. DPOR searches. It ends a small test early, once every execution that differs has
     been run; -v says that the test is exhausted, or why it cannot be.
  3. If 20 executions are not all, 135 schedules more are sampled; then DPOR goes on.
  4. Schedules with few preemptions are searched, unless DPOR expects to be done with the
     rest of -schedules.
  5. What is left of -schedules is sampled.
  6. Without -schedules, DPOR goes on as long as it expects to be done with 10,000 more.

-strategy dpor only searches.

Each of the -j processes explores one test at a time, and the test that brings the most
new gets the next turn. If there are fewer tests than processes, several processes run
the schedules of one test, unless it makes system calls: they might use the same files,
ports and programs. With one seed, what is found, by which schedule and with which card
does not depend on -j. The exception is a test that depends on what its earlier schedules
left in package variables, because no two processes have run the same ones.

What was explored is kept as long as the test binary stays the same: the next run goes
on where this one ended. -fresh forgets it.

The exit code is
  0    no test failed
  1    a test failed, or a package could not be built
  2    nothing could be run; the reason is printed in one line
  130  it was interrupted before a test failed`,
		Example: `  jacquard test ./...
  jacquard test -run TestTransfer -schedules 100000 -budget 10m ./bank
  jacquard test -json ./... | gotestsum --raw-command -- cat`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := t.parse(cmd, args); err != nil {
				return fmt.Errorf("test: %w", err)
			}
			return named("test", t.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()))
		},
	}
	t.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&t.JSON, "json", false, "print what go test -json prints")
	f.StringVar(&t.list, "list", "", "only list the tests that match this `regexp`")
	f.BoolVar(&t.Covered, "covered", false, "print what no schedule did, by line: a Lock that was never contended, a case of a select that was never chosen, two operations that came in one order only")
	f.StringVar(&t.CoveredHTML, "coveredhtml", "", "write all of -covered, with what was done and how often, over the source, into this `file`")
	f.StringVar(&t.Cards, "cards", "", "keep the cards of failures in this `folder`")
	f.StringVar(&t.Ledger, "ledger", "", "keep in this `file` what is known of each failure: when it was first and last seen, its card, whether it is fixed")
	cmd.SetFlagErrorFunc(testFlagError)
	return cmd
}

// flags declares the flags that ci has too.
func (t *testRun) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.Run, "run", "", "run only the tests, examples and fuzz targets that match this `regexp`")
	f.StringVar(&t.Skip, "skip", "", "do not run those that match this `regexp`")
	f.IntVar(&t.Schedules, "schedules", suite.DefaultSchedules, "run at most `n` schedules of each test; by default up to "+strconv.Itoa(suite.DefaultFurther)+" more if a search expects to be complete by then")
	f.DurationVar(&t.Total, "total", 0, "take at most this `time` for all packages together, not counting builds; a package with more tests gets more of it (default 5m, or no limit with -budget)")
	f.DurationVar(&t.Budget, "budget", 0, "take at most this `time` for each package, not counting its build (default its share of -total)")
	f.DurationVar(&t.Timeout, "timeout", suite.DefaultTimeout, "give up on a package after this `time`, not counting its build")
	f.BoolVarP(&t.Verbose, "v", "v", false, "report each test, how it was explored, and what was not controlled")
	f.IntVar(&t.Width, "width", 0, "make reports at most `columns` wide (default those of the terminal, or 124)")
	f.StringVar(&t.shard, "shard", "", "run part `i/n` of the tests, on one of n machines (default by TEST_SHARD_INDEX, from 0, and TEST_TOTAL_SHARDS)")
	f.BoolVar(&t.FailFast, "failfast", false, "stop after the first failure")
	f.IntVarP(&t.Workers, "j", "j", 0, "run `n` processes at a time, several of one test if there are no others (default one for each processor)")
	f.Uint64Var(&t.Seed, "seed", 1, "use the seed `n` for every random choice")
	f.StringSliceVar(&t.strategies, "strategy", nil, "divide the schedules among the strategies of these `names`: "+strings.Join(protocol.Strategies(), ", "))
	f.IntVar(&t.MaxSteps, "maxsteps", suite.DefaultMaxSteps, "choose the first `n` steps of a schedule one by one, and run the rest in turns of many operations")
	f.DurationVar(&t.Stall, "stall", suite.DefaultStall, "hold goroutines up for at most this virtual `time` in all while timers fire; what fails only then has the kind timing")
	f.StringVar(&t.leaks, "leaks", "differ", "`when` goroutines that can never end fail a test: always (fail), if schedules differ in them (differ), or never (note)")
	f.StringVar(&t.Known, "known", "", "do not fail for failures that this `file` lists as known, and look for others")
	f.StringVar(&t.changed, "changed", "", "run first, with four times their share of the time, the packages that changed since this `commit`, such as origin/main, and those that import them")
	f.BoolVar(&t.Fresh, "fresh", false, "forget what earlier runs have explored")
	t.count = once{want: "1", why: "each test runs under many schedules: -schedules says how many"}
	f.Var(&t.count, "count", "the same as -fresh")
	f.StringVar(&t.Vet, "vet", "", "run these `checks` of go vet first, separated by commas, or all, or off (default those of go test)")
	f.StringVar(&t.Shuffle, "shuffle", "off", "run the tests in another `order`: on, off or a number")
	f.BoolVar(&t.FullPath, "fullpath", false, "print files with their whole paths")
	t.built.flags(cmd)
}

// parse reads the arguments and checks the flags.
func (t *testRun) parse(cmd *cobra.Command, args []string) error {
	args, t.Args = command.Parted(cmd, args)
	t.Packages = args
	t.built.set(&t.Config)
	t.Fresh = t.Fresh || t.count.set
	if err := cmp.Or(t.built.check(cmd), command.Given(args, "packages")); err != nil {
		return err
	}
	for _, arg := range args {
		if strings.HasSuffix(arg, ".go") {
			return fmt.Errorf("packages: got the file %s, want packages, whose tests -run chooses", arg)
		}
	}
	switch {
	case t.Seed == 0:
		return errors.New("-seed: got 0, want at least 1")
	case t.Schedules < 1:
		return fmt.Errorf("-schedules: got %d, want at least 1", t.Schedules)
	case t.MaxSteps < 2:
		return fmt.Errorf("-maxsteps: got %d, want at least 2", t.MaxSteps)
	case t.Stall < 0:
		return fmt.Errorf("-stall: got %s, want at least 0", t.Stall)
	case t.Budget < 0 || t.Budget == 0 && cmd.Flags().Changed("budget"):
		return fmt.Errorf("-budget: got %s, want more than 0", t.Budget)
	case t.Total < 0 || t.Total == 0 && cmd.Flags().Changed("total"):
		return fmt.Errorf("-total: got %s, want more than 0", t.Total)
	case t.Timeout <= 0:
		return fmt.Errorf("-timeout: got %s, want more than 0", t.Timeout)
	case t.Workers < 0 || t.Workers == 0 && cmd.Flags().Changed("j"):
		return fmt.Errorf("-j: got %d, want at least 1", t.Workers)
	}
	if err := command.CheckWidth(t.Width, cmd.Flags().Changed("width")); err != nil {
		return err
	}
	for _, p := range []struct{ flag, pattern string }{{"run", t.Run}, {"skip", t.Skip}, {"list", t.list}} {
		if err := checkPattern(p.flag, p.pattern); err != nil {
			return err
		}
	}
	if err := cmp.Or(checkFolder("cards", t.Cards), checkFile("ledger", t.Ledger), checkNoDevice("ledger", t.Ledger), checkNoFolder("known", t.Known), checkNoDevice("known", t.Known), checkFile("coveredhtml", t.CoveredHTML)); err != nil {
		return err
	}
	if t.Stall == 0 {
		t.Stall = -1
	}
	if t.Vet != "" && !vetChecks.MatchString(t.Vet) {
		return fmt.Errorf("-vet: got %q, want all, off or names of checks with commas between them", t.Vet)
	}
	if _, err := strconv.ParseInt(t.Shuffle, 10, 64); err != nil && t.Shuffle != "on" && t.Shuffle != "off" {
		return fmt.Errorf("-shuffle: got %q, want off, on or a whole number", t.Shuffle)
	}
	var err error
	if t.Shard, err = shard(t.shard, os.Getenv); err != nil {
		return err
	}
	if t.Leaks, err = leaks(t.leaks); err != nil {
		return err
	}
	if t.Plan, err = plan(t.strategies, t.Schedules); !cmd.Flags().Changed("schedules") {
		t.Schedules = 0
	}
	return err
}

// shards matches a part of the tests, as in 1/4.
var shards = regexp.MustCompile(`^([1-9]\d{0,5})/([1-9]\d{0,5})$`)

// shard parses the part of the tests to run, from the flag or from the variables that other test
// runners use.
func shard(text string, env func(string) string) (s suite.Shard, err error) {
	got, want := fmt.Sprintf("-shard: got %q", text), "a part and how many there are, from 1/4 to 4/4"
	if index, total := env("TEST_SHARD_INDEX"), env("TEST_TOTAL_SHARDS"); text == "" && index+total != "" {
		n, err := strconv.Atoi(index)
		if err != nil {
			return s, fmt.Errorf("TEST_SHARD_INDEX: got %q, want a whole number, from 0, besides TEST_TOTAL_SHARDS", index)
		}
		got, want = fmt.Sprintf("got TEST_SHARD_INDEX=%s, TEST_TOTAL_SHARDS=%s", index, total), "an index from 0 to one below the total"
		text = fmt.Sprintf("%d/%s", n+1, total)
	}
	if text == "" {
		return s, nil
	}
	if m := shards.FindStringSubmatch(text); m != nil {
		s.Index, _ = strconv.Atoi(m[1]) // the pattern allows only digits
		s.Count, _ = strconv.Atoi(m[2])
	}
	if s.Count == 0 || s.Index > s.Count {
		return s, fmt.Errorf("%s, want %s", got, want)
	}
	return s, nil
}

// vetChecks matches a list of go vet's checks.
var vetChecks = regexp.MustCompile(`^[a-z]+(,[a-z]+)*$`)

// leaks parses the value of -leaks.
func leaks(text string) (protocol.Leaks, error) {
	switch text {
	case "differ":
		return protocol.LeaksDiffer, nil
	case string(protocol.LeaksFail), string(protocol.LeaksNote):
		return protocol.Leaks(text), nil
	}
	return "", fmt.Errorf("-leaks: got %q, want differ, fail or note", text)
}

// plan divides schedules among strategies.
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
	screen := command.NewScreen(name, errs)
	defer screen.Clear()
	if !t.JSON { // readers of JSON treat output on standard error as an error
		t.Progress = screen.Say
		t.Found = func(line string) { fmt.Fprintf(clearing{screen, errs}, "%s: %s…\n", name, line) }
	}
	t.Width = command.Fit(t.Width, out, 124)
	t.Color = !t.JSON && !t.plain && command.Coloured(out)
	t.Brief = !t.JSON && !t.plain && command.IsTerminal(out)
	t.Out, t.Errs = clearing{screen, out}, clearing{screen, errs}
	ok, err := false, error(nil)
	if t.changed != "" {
		t.First, err = touched.Packages(ctx, t.Dir, t.changed, t.GoFlags())
		if err != nil {
			return fmt.Errorf("-changed: %w", err)
		}
		fmt.Fprintf(t.Errs, "%s: the change since %s touches %s\n", name, t.changed, command.Plural(len(t.First), "package"))
	}
	if t.list != "" {
		t.Vet = build.VetOff
		ok, err = suite.List(ctx, t.Config, t.list)
	} else {
		ok, err = suite.Run(ctx, t.Config)
	}
	var interrupted *suite.Interrupted
	switch {
	case errors.As(err, &interrupted) && interrupted.Failed:
		return errors.Join(err, command.ErrFailed)
	case err != nil:
		return withCure(err)
	case !ok:
		return command.ErrFailed
	}
	return nil
}

// named adds the name of the subcommand to an error. ErrFailed is returned unchanged.
func named(cmd string, err error) error {
	if err == nil || errors.Is(err, command.ErrFailed) {
		return err
	}
	return fmt.Errorf("%s: %w", cmd, err)
}

// A clearing clears the screen's progress line before it writes.
type clearing struct {
	screen *command.Screen
	to     io.Writer
}

func (c clearing) Write(b []byte) (int, error) {
	c.screen.Clear()
	return c.to.Write(b)
}
