package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A replayedTest is a test of some package, whose card is replayed.
type replayedTest struct{ pkg, name string }

func (t replayedTest) String() string { return t.pkg + "." + t.name }

// runTest replays the card of a test and prints what comes of it.
func (r replaying) runTest(cmd *cobra.Command) error {
	screen := newScreen(cmd.ErrOrStderr())
	defer screen.clear()
	cfg := suite.Config{Progress: screen.say, Args: r.args, Run: r.only, Skip: r.skip}
	r.built.set(&cfg)
	card := suite.Card{Package: r.test.pkg, Test: r.test.name, Text: r.card, Width: r.width, Verbose: r.verbose, HTML: r.html != ""}
	var got protocol.Event
	for i := range r.times {
		e, err := suite.Replay(cmd.Context(), cfg, card)
		if err != nil {
			return fmt.Errorf("replay: %s: %w", r.test, err)
		}
		if i > 0 && (e.Replayed != got.Replayed || e.Kind != got.Kind || e.Message != got.Message) {
			return fmt.Errorf("replay: %s: replay %d: got %s (%s: %s), want %s (%s: %s)", r.test, i+1, e.Replayed, e.Kind, e.Message, got.Replayed, got.Kind, got.Message)
		}
		got = e
	}
	screen.clear()
	if r.exec != "" && got.Report != "" {
		card.Text = got.Card // of this very program
		if err := r.debug(cmd, cfg, card, got); err != nil {
			return err
		}
	}
	if err := r.printTest(cmd.OutOrStdout(), got); err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	switch {
	case got.Report != "":
		return nil
	case got.Replayed == explore.Gone.String():
		return errFailed
	}
	return fmt.Errorf("replay: %s: the card cannot be followed: %s", r.test, got.Reason)
}

// debug replays the card by the command that was asked for. Meanwhile an interrupt
// is the debugger's: it stops the test, and not this process.
func (r replaying) debug(cmd *cobra.Command, cfg suite.Config, card suite.Card, before protocol.Event) error {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(cmd.Context()), syscall.SIGTERM)
	defer stop()
	interrupts := make(chan os.Signal, 1) // nobody reads them
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

// printTest prints what a replay came to, if it failed or holds.
func (r replaying) printTest(out io.Writer, e protocol.Event) (err error) {
	if r.html != "" && e.HTML != "" {
		err = os.WriteFile(r.html, []byte(e.HTML), 0o666)
	}
	switch {
	case r.json:
		return errors.Join(err, json.NewEncoder(out).Encode(e))
	case e.Report != "":
		_, wrote := io.WriteString(out, e.Report)
		return errors.Join(err, wrote)
	case e.Replayed == explore.Gone.String():
		_, wrote := fmt.Fprintf(out, "%s: the card %s\n", r.test, e.Reason)
		return errors.Join(err, wrote)
	}
	return err
}
