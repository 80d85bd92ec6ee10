package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/explore"
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
	answers := json.NewEncoder(out)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var j job
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			return fmt.Errorf("work: %w", err)
		}
		o, err := do(ctx, j, answers)
		a := answer{Outcome: o}
		if err != nil {
			a.Error = err.Error()
		}
		if err := answers.Encode(a); err != nil {
			return fmt.Errorf("work: %w", err)
		}
	}
	return lines.Err()
}

func do(ctx context.Context, j job, answers *json.Encoder) (*outcome, error) {
	s, err := explored.Find(j.Subject)
	if err != nil {
		return nil, err
	}
	progress := tell(answers)
	if j.Card != "" {
		return replay(ctx, s, j, progress)
	}
	r, err := s.Explore(ctx, j.Seed, explored.Manner{Progress: progress, Workers: max(j.Workers, 1), Worker: func() *exec.Cmd { return again(j) }})
	if err != nil {
		return nil, err
	}
	return outcomeOf(r), nil
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
func tell(answers *json.Encoder) func(n int) {
	last := time.Now()
	return func(n int) {
		if now := time.Now(); now.Sub(last) > progressEvery {
			last = now
			_ = answers.Encode(answer{Progress: n}) // a broken pipe shows at the outcome
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
