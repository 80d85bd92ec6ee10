package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A replaying holds the flags and arguments of replay.
type replaying struct {
	test    test
	card    string
	times   int
	width   int
	verbose bool
	json    bool
	html    string        // file for the page; empty means none
	exec    string        // command to run the test with; empty means none
	args    []string      // for the test binary
	only    string        // pattern of subtests; empty means all
	skip    string        // pattern of subtests to skip
	leaks   string        // see test
	found   bool          // replay the failure as found, before reduction
	bisect  bool          // exit codes for git bisect run
	known   *suite.Failed // the failure replayed, if it comes from the list of known ones
	built   building
}

// A test identifies the test of a card.
type test struct{ pkg, name string }

func (t test) String() string { return t.pkg + "." + t.name }

func replayCommand() *cobra.Command {
	var r replaying
	cmd := &cobra.Command{
		Use:   "replay [TEST [CARD]] [-args ...]",
		Short: "print one failing execution, one column per goroutine",
		Long: `replay prints one execution of a test. Name the test by its package, a dot and its own
name, such as example.com/account.TestWithdraw. replay follows the card's schedule:
exactly, in the program that the card is from; in a program that has changed, by the
operations that the card names.

Without a card it takes the newest failure of that test that was found here, with the
flags of that run; then the test's own name is enough. Without a test it takes the
newest failure of all tests in this folder and below.

With -exec another program, such as a debugger, runs the test. replay follows the card
without that program first and, if the test fails, once more with it. The path of the
test's binary replaces {} in the command, or is added to it; the binary's flags come
last. You may stay at a breakpoint for as long as you like. Optimised code hides some
variables: -gcflags 'example.com/account=-N -l' builds the package without optimisation,
and the card is re-anchored in that build.

The exit code is
  0  a failing execution was printed; its last lines say whether it was exactly
     replayed, was re-anchored in a program that has changed, or fails differently
  1  the card was followed in a program that has changed, and no longer fails
  2  there is nothing to show: the card is not valid, is from another test, or cannot
     be followed (the first divergence is printed)

With -bisect it is what git bisect run wants: 0 if the card no longer fails, 1 if it
fails in the same way, and 125 if that cannot be told.`,
		Example: `  jacquard replay
  jacquard replay TestWithdraw
  git bisect run jacquard replay -bisect example.com/account.TestWithdraw CARD
  jacquard replay example.com/account.TestWithdraw CARD
  jacquard replay -exec 'dlv exec {} --' example.com/account.TestWithdraw CARD
  jacquard replay -exec 'gdb -q --args' example.com/account.TestWithdraw CARD`,
		Args: func(cmd *cobra.Command, args []string) error {
			args, r.args = command.Parted(cmd, args)
			return command.Arguments(0, 2, "a test and its card")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			args, _ = command.Parted(cmd, args)
			err := r.built.check(cmd)
			if err == nil {
				err = r.parse(cmd, args)
			}
			if err != nil {
				return r.unclear(fmt.Errorf("replay: %w", err))
			}
			return r.unclear(r.run(cmd))
		},
	}
	cmd.Flags().IntVar(&r.times, "times", 1, "replay `n` times; all must end in the same way")
	cmd.Flags().BoolVar(&r.found, "found", false, "without a card: replay the failure as it was found, before it was reduced")
	cmd.Flags().BoolVar(&r.bisect, "bisect", false, "use the exit codes that git bisect run wants")
	cmd.Flags().IntVar(&r.width, "width", 0, "`columns` of the output (default those of the terminal, or 120)")
	cmd.Flags().BoolVarP(&r.verbose, "v", "v", false, "show every step")
	cmd.Flags().BoolVar(&r.json, "json", false, "print the execution as JSON")
	r.built.flags(cmd)
	cmd.Flags().StringVar(&r.only, "run", "", "run only the subtests that match this `regexp`, as the replay line says")
	cmd.Flags().StringVar(&r.leaks, "leaks", "differ", "`when` goroutines that can never end fail a test, as the replay line says")
	cmd.Flags().StringVar(&r.skip, "skip", "", "do not run subtests that match this `regexp`, as the replay line says")
	cmd.Flags().StringVar(&r.exec, "exec", "", "replay the test in this `command`, such as a debugger")
	cmd.Flags().StringVar(&r.html, "html", "", "write the execution to this `file` too, as an HTML page")
	return cmd
}

// bisectUnclear is the exit code for a commit that git bisect run must skip.
const bisectUnclear = 125

// unclear wraps an error that leaves the commit untested in its exit code for -bisect.
func (r *replaying) unclear(err error) error {
	if err == nil || !r.bisect || errors.Is(err, command.ErrFailed) {
		return err
	}
	return command.Coded(bisectUnclear, err)
}

// parse reads the arguments and checks the flags.
func (r *replaying) parse(cmd *cobra.Command, args []string) error {
	switch {
	case r.times < 1:
		return fmt.Errorf("-times: got %d, want at least 1", r.times)
	case r.exec != "" && r.times > 1:
		return fmt.Errorf("-times: got %d, want 1 with -exec", r.times)
	case r.found && len(args) == 2:
		return errors.New("-found: got a card, want none: it is of the newest failure that is known here")
	case r.bisect && r.exec != "":
		return errors.New("-bisect: got -exec too, want one of them")
	}
	_, unknown := leaks(r.leaks)
	if err := cmp.Or(unknown, command.CheckWidth(r.width, cmd.Flags().Changed("width")), checkPattern("run", r.only), checkPattern("skip", r.skip), checkFile("html", r.html)); err != nil {
		return err
	}
	if len(args) == 2 {
		return r.given(args[0], args[1])
	}
	return r.newest(cmd, args)
}

// ours matches names of races in this project's repository, which another command replays.
var ours = regexp.MustCompile(`^[RNrn]\d+(/\w+)?$`)

// given sets a test and its card from the arguments.
func (r *replaying) given(name, card string) error {
	pkg, test, ok := suite.ParseSubject(name)
	switch {
	case ok:
		r.test.pkg, r.test.name, r.card = pkg, test, card
		return explore.CheckCard(card)
	case ours.MatchString(name):
		return fmt.Errorf("got %q, want a test such as example.com/account.TestWithdraw; in a checkout of Jacquard, go run ./cmd/races replay %s", name, name)
	case explore.CheckCard(name) == nil:
		return fmt.Errorf("got the card first, want the test before it, such as example.com/account.TestWithdraw")
	}
	return fmt.Errorf("got %q, want a test such as example.com/account.TestWithdraw", name)
}

// bare matches the name of a test without its package.
var bare = regexp.MustCompile(`^(Test|Example|Fuzz)[^./\\]*$`)

// newest sets the newest known failure, of a test or of any.
func (r *replaying) newest(cmd *cobra.Command, args []string) error {
	name := strings.Join(args, "")
	if _, _, ok := suite.ParseSubject(name); name != "" && !ok && !bare.MatchString(name) {
		return r.given(name, "")
	}
	f, err := suite.Newest(suite.Config{Dir: r.built.dir}, name)
	if err != nil {
		return err
	}
	for _, flag := range []string{"race", "tags", "short", "parallel", "run", "skip", "leaks", "mod", "modfile", "ldflags", "gcflags", "asmflags"} {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("-%s: got it without a card, want the card too: else the flags are those of the run that found the failure", flag)
		}
	}
	r.test, r.card, r.known = test{f.Package, f.Test}, f.Card, &f
	if r.found {
		if r.card = f.FoundCard; r.card == "" {
			return fmt.Errorf("-found: %s: it is not known how it was found", r.test)
		}
	}
	return nil
}

// config returns the configuration for running the test.
func (r *replaying) config(screen *command.Screen) (cfg suite.Config, err error) {
	cfg = suite.Config{Progress: screen.Say, Args: r.args, Run: r.only, Skip: r.skip}
	r.built.set(&cfg)
	if cfg.Leaks, err = leaks(r.leaks); err == nil && r.known != nil {
		r.known.Set(&cfg)
	}
	return cfg, err
}

// run replays the card of a test and prints the result.
func (r replaying) run(cmd *cobra.Command) error {
	screen := command.NewScreen(name, cmd.ErrOrStderr())
	defer screen.Clear()
	cfg, err := r.config(screen)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	card := suite.Card{Package: r.test.pkg, Test: r.test.name, Text: r.card, Width: command.Fit(r.width, cmd.OutOrStdout(), 120), Verbose: r.verbose, HTML: r.html != ""}
	cfg.Color = !r.json && command.Coloured(cmd.OutOrStdout())
	got, err := r.replays(cmd, cfg, card, screen)
	if err != nil {
		return fmt.Errorf("replay: %s: %w", r.test, err)
	}
	screen.Clear()
	if r.exec != "" && got.Report != "" {
		card.Text = got.Card // the card of exactly this program
		if err := r.debug(cmd, cfg, card, got); err != nil {
			return err
		}
	}
	if err := r.print(cmd.OutOrStdout(), got); err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	return r.outcome(got)
}

// replays replays the card r.times times. All results must be the same.
func (r replaying) replays(cmd *cobra.Command, cfg suite.Config, card suite.Card, screen *command.Screen) (got protocol.Event, err error) {
	done, differs := 0, error(nil)
	err = suite.Replays(cmd.Context(), cfg, card, func(e protocol.Event) bool {
		if done++; done > 1 && (e.Replayed != got.Replayed || e.Kind != got.Kind || e.Message != got.Message) {
			differs = fmt.Errorf("replay %d: got %s (%s: %s), want %s (%s: %s)", done, e.Replayed, e.Kind, e.Message, got.Replayed, got.Kind, got.Message)
			return false
		}
		got = e
		if r.times > 1 {
			screen.Say(fmt.Sprintf("%s: %d of %d replays alike", r.test, done, r.times))
		}
		return done < r.times
	})
	return got, errors.Join(err, differs)
}

// outcome returns the command's error for a result.
func (r replaying) outcome(got protocol.Event) error {
	gone := got.Replayed == explore.Gone.String()
	switch {
	case r.bisect && gone:
		return nil
	case r.bisect && got.Report != "" && got.Replayed != explore.Otherwise.String():
		return command.ErrFailed
	case r.bisect && got.Report != "":
		return fmt.Errorf("replay: %s: the card fails differently: %s", r.test, got.Message)
	case got.Report != "":
		return nil
	case gone:
		return command.ErrFailed
	}
	return fmt.Errorf("replay: %s: the card cannot be followed: %s", r.test, got.Reason)
}

// debug replays the card under the debugger. Interrupts are left to the debugger, which stops the
// test, and do not stop this process.
func (r replaying) debug(cmd *cobra.Command, cfg suite.Config, card suite.Card, before protocol.Event) error {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(cmd.Context()), syscall.SIGTERM)
	defer stop()
	interrupts := make(chan os.Signal, 1) // never read
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	cfg.Progress = nil
	e, err := suite.Debug(ctx, cfg, card, suite.Debugger{
		Command: strings.Fields(r.exec), In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Errs: cmd.ErrOrStderr(),
	})
	switch {
	case err != nil:
		return fmt.Errorf("replay: %s: %w", r.test, err)
	case e.Replayed != explore.Exact.String() || e.Message != before.Message:
		return fmt.Errorf("replay: %s: by %s: got %s (%s: %s), want %s (%s: %s)", r.test, r.exec, e.Replayed, e.Kind, e.Message, explore.Exact, before.Kind, before.Message)
	}
	return nil
}

// print prints the result of a replay.
func (r replaying) print(out io.Writer, e protocol.Event) (err error) {
	if r.html != "" && e.HTML != "" {
		err = os.WriteFile(r.html, []byte(e.HTML), 0o666)
	}
	var wrote error
	switch {
	case r.json:
		f := suite.Finding(r.test.String(), e)
		f.Report = e.Report
		return errors.Join(err, json.NewEncoder(out).Encode(f))
	case e.Report != "":
		_, wrote = io.WriteString(out, e.Report)
	case e.Replayed == explore.Gone.String():
		_, wrote = fmt.Fprintf(out, "%s: the card %s\n", r.test, e.Reason)
	}
	if r.times > 1 && wrote == nil {
		_, wrote = fmt.Fprintf(out, "%d of %d alike\n", r.times, r.times)
	}
	return errors.Join(err, wrote)
}
