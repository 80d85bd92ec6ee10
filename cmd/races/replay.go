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
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/races/explored"
)

// A replaying is what replay was asked for.
type replaying struct {
	subject explored.Subject
	card    string // empty is to explore
	seed    uint64
	times   int
	width   int
	verbose bool
	json    bool
	html    string // file for the page; empty is none
}

func replayCommand() *cobra.Command {
	var r replaying
	cmd := &cobra.Command{
		Use:   "replay SUBJECT [CARD]",
		Short: "print one failing execution, one column per goroutine",
		Long: `replay prints an execution of a subject of this command, such as R4/suggested or
canary/lock-order. It follows the card's schedule: strictly in the program that the
card is from; in a program that has changed, by the operations that the card names.
Without a card the subject is explored until it fails.

The exit code is
  0  a failing execution was printed; its last lines say whether it was exactly
     replayed, was re-anchored in a program that has changed, or fails differently
  1  the card was followed in a program that has changed, and no longer fails
  2  there is nothing to show: the card is not valid, is from another subject, or
     cannot be followed (the first divergence is printed); without a card, nothing
     failed`,
		Example: `  go run ./cmd/races replay R4/suggested
  go run ./cmd/races replay -html page.html canary/lock-order`,
		Args: command.Arguments(1, 2, "a subject such as R4/suggested, and perhaps a card"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.parse(args); err != nil {
				return fmt.Errorf("replay: %w", err)
			}
			return r.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().Uint64Var(&r.seed, "seed", 1, "explore with the seed `n`, if there is no card")
	cmd.Flags().IntVar(&r.times, "times", 1, "replay `n` times; each must end alike")
	cmd.Flags().IntVar(&r.width, "width", 120, "`columns` of the output")
	cmd.Flags().BoolVarP(&r.verbose, "v", "v", false, "show every step")
	cmd.Flags().BoolVar(&r.json, "json", false, "print the execution as JSON")
	cmd.Flags().StringVar(&r.html, "html", "", "write the execution to this `file` too, as an HTML page")
	return cmd
}

// parse reads the arguments and checks the flags.
func (r *replaying) parse(args []string) (err error) {
	switch {
	case r.seed == 0:
		return fmt.Errorf("-seed: got 0, want at least 1")
	case r.times < 1:
		return fmt.Errorf("-times: got %d, want at least 1", r.times)
	case r.width < command.MinWidth:
		return fmt.Errorf("-width: got %d, want at least %d", r.width, command.MinWidth)
	}
	if r.subject, err = explored.Find(args[0]); err != nil || len(args) == 1 {
		return err
	}
	r.card = args[1]
	return explore.CheckCard(r.card)
}

// run finds the execution and prints it.
func (r replaying) run(ctx context.Context, out, errs io.Writer) error {
	screen := command.NewScreen(name, errs)
	defer screen.Clear()
	workers, err := newPool(ctx, screen.Say)
	if err != nil {
		return err
	}
	defer workers.close()
	got, err := r.find(ctx, workers, screen)
	if err != nil {
		return err
	}
	screen.Clear()
	return r.print(out, got)
}

// find replays the card. Without one it explores, and replays what it has found
// if that is asked for.
func (r replaying) find(ctx context.Context, workers *pool, screen *command.Screen) (*outcome, error) {
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
func (r replaying) ask(ctx context.Context, workers *pool, screen *command.Screen, card string) (*outcome, error) {
	bar := screen.Count(r.subject.ID, 1)
	j := job{Subject: r.subject.ID, Seed: r.seed, Card: card, Again: r.times}
	var got answer
	err := workers.do(ctx, []job{j},
		func(_, n int) { bar.At(command.Plural(n, "schedule")) },
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
	o.Subject = r.subject.ID
	if o.Timeline != nil {
		o.Timeline.Title = r.subject.ID + " · " + r.subject.What
		o.Timeline.Replay = fmt.Sprintf("%s replay %s %s", invocation, r.subject.ID, o.Card)
		if r.times > 1 {
			o.Timeline.Footer = append(o.Timeline.Footer, fmt.Sprintf("%d of %d alike", r.times, r.times))
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
	return command.ErrFailed
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
	return timeline.Text(out, o.Timeline, timeline.Options{Color: command.Coloured(out), Width: r.width, Verbose: r.verbose})
}

// summary says what came of an exploration without a failure.
func (o *outcome) summary() string {
	besides := ""
	if o.Unexplored != "" {
		besides = "; " + o.Unexplored
	}
	switch {
	case o.Verdict != "holds":
		return o.Verdict + ": " + o.Reason
	case o.Unbounded:
		return fmt.Sprintf("it holds, exhausted: all %s that differ %s%s", command.Plural(o.Searched, "execution"), o.Differing, besides)
	case o.Exhausted:
		return fmt.Sprintf("it holds, exhausted at ≤ %s: %s%s", command.Plural(o.Bound, "preemption"), command.Plural(o.Searched, "schedule"), besides)
	}
	return fmt.Sprintf("it holds in %s sampled, %d of them distinct%s", command.Plural(o.Schedules, "schedule"), o.Distinct, besides)
}
