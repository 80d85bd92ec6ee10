package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A replayedTest is a test of some package, whose card is replayed.
type replayedTest struct{ pkg, name string }

func (t replayedTest) String() string { return t.pkg + "." + t.name }

// runTest replays the card of a test and prints what comes of it.
func (r replaying) runTest(ctx context.Context, out, errs io.Writer) error {
	screen := newScreen(errs)
	defer screen.clear()
	cfg := suite.Config{Progress: screen.say}
	r.built.set(&cfg)
	card := suite.Card{Package: r.test.pkg, Test: r.test.name, Text: r.card, Width: r.width, HTML: r.html != ""}
	var got protocol.Event
	for i := range r.times {
		e, err := suite.Replay(ctx, cfg, card)
		if err != nil {
			return fmt.Errorf("replay: %s: %w", r.test, err)
		}
		if i > 0 && (e.Replayed != got.Replayed || e.Kind != got.Kind || e.Message != got.Message) {
			return fmt.Errorf("replay: %s: replay %d: got %s (%s: %s), want %s (%s: %s)", r.test, i+1, e.Replayed, e.Kind, e.Message, got.Replayed, got.Kind, got.Message)
		}
		got = e
	}
	screen.clear()
	if err := r.printTest(out, got); err != nil {
		return err
	}
	switch {
	case got.Report != "":
		return nil
	case got.Replayed == explore.Gone.String():
		return errFailed
	}
	return fmt.Errorf("replay: %s: the card cannot be followed: %s", r.test, got.Reason)
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
