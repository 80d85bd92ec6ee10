package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/races/explored"
)

// workCommand is the controlled side: it reads jobs and answers them.
func workCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "work",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !explore.Controlled() {
				return explore.ErrNotControlled
			}
			signal.Ignore(os.Interrupt) // a terminal sends it to all; whoever gave the jobs ends this process
			return work(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}

// progressEvery bounds how often a worker tells how far it is.
const progressEvery = 200 * time.Millisecond

func work(ctx context.Context, in io.Reader, out io.Writer) error {
	parent := child.Lines(in, out)
	for {
		var j job
		if err := parent.Receive(&j); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("work: %w", err)
		}
		o, err := do(ctx, j, parent)
		a := answer{Outcome: o}
		if err != nil {
			a.Error = err.Error()
		}
		if err := parent.Send(a); err != nil {
			return fmt.Errorf("work: %w", err)
		}
	}
}

func do(ctx context.Context, j job, parent *child.Conn) (*outcome, error) {
	s, err := explored.Find(j.Subject)
	if err != nil {
		return nil, err
	}
	progress := tell(parent)
	if j.Card != "" {
		return replay(ctx, s, j, progress)
	}
	began := time.Now()
	r, err := s.Explore(ctx, j.Seed, explored.Manner{Progress: progress, Workers: max(j.Workers, 1), Worker: func() *exec.Cmd { return again(j) }})
	if err != nil {
		return nil, err
	}
	o := outcomeOf(r)
	o.Took = math.Round(1000*time.Since(began).Seconds()) / 1000
	return o, nil
}

// again is this program with a job of its own, which is the same one: it comes to
// the same exploration.
func again(j job) *exec.Cmd {
	line, err := json.Marshal(j)
	self, wrong := os.Executable()
	cmd := exec.Command(self, "work")
	cmd.Err = errors.Join(cmd.Err, err, wrong)
	cmd.Stdin = bytes.NewReader(append(line, '\n'))
	return cmd
}

// tell returns a function that sends the number of schedules so far, not too
// often.
func tell(parent *child.Conn) func(n int) {
	last := time.Now()
	return func(n int) {
		if now := time.Now(); now.Sub(last) > progressEvery {
			last = now
			_ = parent.Send(answer{Progress: n}) // a broken pipe shows at the outcome
		}
	}
}

// replay follows a card, and again as often as asked; each time must end alike.
func replay(ctx context.Context, s explored.Subject, j job, progress func(int)) (*outcome, error) {
	var first *outcome
	for i := range max(j.Again, 1) {
		r, err := s.Replay(ctx, j.Seed, j.Card)
		if err != nil {
			return nil, err
		}
		o := outcomeOf(r.Result)
		o.Replayed = r.Outcome.String()
		if first == nil {
			first = o
		}
		if o.Replayed != first.Replayed || o.Kind != first.Kind || o.Message != first.Message {
			return nil, fmt.Errorf("replay %d: got %s (%s: %s), want %s (%s: %s)", i+1, o.Replayed, o.Kind, o.Message, first.Replayed, first.Kind, first.Message)
		}
		progress(i + 1)
	}
	return first, nil
}
