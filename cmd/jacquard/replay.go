package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/races/explored"
	"github.com/jacquard-go/jacquard/suite"
)

// A replaying is what replay was asked for.
type replaying struct {
	subject explored.Subject
	test    *replayedTest // in the place of a subject
	card    string        // empty is to explore
	seed    uint64
	times   int
	width   int
	verbose bool
	json    bool
	html    string   // file for the page; empty is none
	exec    string   // the command to run the test by; empty is none
	args    []string // for the test binary
	only    string   // which subtests; empty is all
	skip    string   // which of them not
	built   building
}

func replayCommand() *cobra.Command {
	var r replaying
	cmd := &cobra.Command{
		Use:   "replay SUBJECT [CARD] [-args ...]",
		Short: "print one failing execution, one column per goroutine",
		Long: `replay prints an execution of a test, which is named by its package, a dot and its
own name, as example.com/account.TestWithdraw is; or of a subject of the command
races, such as R4/suggested or canary/lock-order. It follows the card's schedule:
strictly in the program that the card is from; in a program that has changed, by the
operations that the card names. A subject without a card is explored until it fails.

With -exec a test is replayed by another program such as a debugger: the card is
followed without it first and, if the test fails, once more by it. The test's binary
takes the place of {} among the words of the command, or follows them; its flags come
last. You may stay at a breakpoint for as long as you like. Optimised code hides some
variables: with -gcflags 'example.com/account=-N -l' the package is built without
optimisation, and the card is re-anchored in that build.

The exit code is
  0  a failing execution was printed; its last lines say whether it was exactly
     replayed, was re-anchored in a program that has changed, or fails otherwise
  1  the card was followed in a program that has changed, and no longer fails
  2  there is nothing to show: the card is not valid, is from another test, or cannot
     be followed (the first divergence is printed); without a card, nothing failed`,
		Example: `  jacquard replay example.com/account.TestWithdraw CARD
  jacquard replay -exec 'dlv exec {} --' example.com/account.TestWithdraw CARD
  jacquard replay -exec 'gdb -q --args' example.com/account.TestWithdraw CARD
  jacquard replay R4/suggested`,
		Args: func(cmd *cobra.Command, args []string) error {
			args, r.args = parted(cmd, args)
			return arguments(1, 2, "a test and its card, or a subject such as R4/suggested, and perhaps a card")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			args, _ = parted(cmd, args)
			if err := errors.Join(r.built.check(cmd), r.parse(args)); err != nil {
				return fmt.Errorf("replay: %w", err)
			}
			if r.test != nil {
				return r.runTest(cmd)
			}
			return r.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().Uint64Var(&r.seed, "seed", 1, "explore with the seed `n`, if there is no card")
	cmd.Flags().IntVar(&r.times, "times", 1, "replay `n` times; each must end alike")
	cmd.Flags().IntVar(&r.width, "width", 120, "`columns` of the output")
	cmd.Flags().BoolVarP(&r.verbose, "v", "v", false, "show every step")
	cmd.Flags().BoolVar(&r.json, "json", false, "print the execution as JSON")
	r.built.flags(cmd)
	cmd.Flags().StringVar(&r.only, "run", "", "run only the subtests that match this `regexp`, as the replay line says")
	cmd.Flags().StringVar(&r.skip, "skip", "", "run none that match this `regexp`, likewise")
	cmd.Flags().StringVar(&r.exec, "exec", "", "replay the test by this `command`, such as a debugger")
	cmd.Flags().StringVar(&r.html, "html", "", "write the execution to this `file` too, as an HTML page")
	return cmd
}

// minWidth is the least that the columns need.
const minWidth = 40

// parse reads the arguments and checks the flags.
func (r *replaying) parse(args []string) (err error) {
	switch {
	case r.seed == 0:
		return fmt.Errorf("-seed: got 0, want at least 1")
	case r.times < 1:
		return fmt.Errorf("-times: got %d, want at least 1", r.times)
	case r.width < minWidth:
		return fmt.Errorf("-width: got %d, want at least %d", r.width, minWidth)
	}
	if len(args) == 2 {
		r.card = args[1]
	}
	if pkg, name, ok := suite.ParseSubject(args[0]); ok {
		r.test = &replayedTest{pkg, name}
		if r.exec != "" && r.times > 1 {
			return fmt.Errorf("-times: got %d, want 1 with -exec", r.times)
		}
		return explore.CheckCard(r.card)
	}
	switch {
	case r.exec != "":
		return fmt.Errorf("-exec: got the subject %s, want a test", args[0])
	case len(r.args) > 0:
		return fmt.Errorf("-args: got the subject %s, want a test", args[0])
	case r.built.given() != "":
		return fmt.Errorf("-%s: got the subject %s, want a test", r.built.given(), args[0])
	case r.only != "" || r.skip != "":
		return fmt.Errorf("-run and -skip: got the subject %s, want a test", args[0])
	}
	if r.subject, err = explored.Find(args[0]); err != nil || len(args) == 1 {
		return err
	}
	return explore.CheckCard(r.card)
}

// run finds the execution and prints it.
func (r replaying) run(ctx context.Context, out, errs io.Writer) error {
	screen := newScreen(errs)
	defer screen.clear()
	workers, err := newPool(ctx, screen.say)
	if err != nil {
		return err
	}
	defer workers.close()
	got, err := r.find(ctx, workers, screen)
	if err != nil {
		return err
	}
	screen.clear()
	return r.print(out, got)
}

// find replays the card. Without one it explores, and replays what it has found
// if that is asked for.
func (r replaying) find(ctx context.Context, workers *pool, screen *screen) (*outcome, error) {
	found, err := r.ask(ctx, workers, screen, r.card)
	if err != nil || r.card != "" || r.times == 1 || found.Card == "" {
		return found, err
	}
	again, err := r.ask(ctx, workers, screen, found.Card)
	if err != nil {
		return nil, err
	}
	if again.Replayed != explore.Exact.String() || again.Kind != found.Kind || again.Message != found.Message {
		return nil, fmt.Errorf("replay: %s: the card that was found: got %s (%s: %s), want %s (%s: %s)",
			r.subject.ID, again.Replayed, again.Kind, again.Message, explore.Exact, found.Kind, found.Message)
	}
	return found, nil
}

// ask has a worker replay the card, or explore if there is none.
func (r replaying) ask(ctx context.Context, workers *pool, screen *screen, card string) (*outcome, error) {
	bar := screen.count(r.subject.ID, 1)
	j := job{Subject: r.subject.ID, Seed: r.seed, Card: card, Again: r.times}
	var got answer
	err := workers.do(ctx, []job{j},
		func(_, n int) { bar.at(plural(n, "schedule")) },
		func(_ int, a answer) { got = a })
	switch {
	case err != nil:
		return nil, err
	case got.Outcome == nil:
		return nil, fmt.Errorf("replay: %s: %s", r.subject.ID, strings.TrimPrefix(got.Error, "explore: "))
	}
	return got.Outcome, nil
}

func (r replaying) print(out io.Writer, o *outcome) error {
	if o.Timeline != nil {
		o.Timeline.Title = r.subject.ID + " · " + r.subject.What
		o.Timeline.Replay = fmt.Sprintf("%s replay %s %s", invocation, r.subject.ID, o.Card)
		if r.times > 1 {
			o.Timeline.Footer = append(o.Timeline.Footer, fmt.Sprintf("replayed %d times, each time alike", r.times))
		}
	}
	if err := errors.Join(r.page(o), r.write(out, o)); err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	switch {
	case o.Timeline != nil:
		return nil
	case o.Replayed == explore.Gone.String():
		return r.gone(out, o)
	case o.Replayed != "":
		return fmt.Errorf("replay: %s: the card cannot be followed: %s", r.subject.ID, o.Reason)
	}
	return fmt.Errorf("replay: %s: there is no failing execution to show: %s", r.subject.ID, o.summary())
}

// gone says that a card no longer fails.
func (r replaying) gone(out io.Writer, o *outcome) error {
	if !r.json { // which has said it
		if _, err := fmt.Fprintf(out, "%s: the card %s\n", r.subject.ID, o.Reason); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
	}
	return errFailed
}

// page writes the execution as an HTML page to the file that was asked for.
func (r replaying) page(o *outcome) error {
	if r.html == "" || o.Timeline == nil {
		return nil
	}
	var b bytes.Buffer
	if err := timeline.HTML(&b, o.Timeline); err != nil {
		return err
	}
	return os.WriteFile(r.html, b.Bytes(), 0o666)
}

func (r replaying) write(out io.Writer, o *outcome) error {
	switch {
	case r.json:
		return json.NewEncoder(out).Encode(o)
	case o.Timeline == nil:
		return nil
	}
	return timeline.Text(out, o.Timeline, timeline.Options{Color: coloured(out), Width: r.width, Verbose: r.verbose})
}

// summary says what came of an exploration without a failure.
func (o *outcome) summary() string {
	switch {
	case o.Verdict != "holds":
		return o.Verdict + ": " + o.Reason
	case o.Exhausted:
		return fmt.Sprintf("it holds, exhausted at ≤ %s: %s", plural(o.Bound, "preemption"), plural(o.Searched, "schedule"))
	}
	return fmt.Sprintf("it holds in %s sampled, %d of them distinct", plural(o.Schedules, "schedule"), o.Distinct)
}
