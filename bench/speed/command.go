// Package speed measures what parts of this repository cost, and writes the tables of
// BENCHMARKS.md.
//
// What is to be compared takes turns in each of several rounds, so that what else
// the machine does falls on all of it. Each figure of a benchmark is written as go
// test -bench does, for benchstat, and at the end a table of medians. Whether the
// figures are as they are meant to be is printed, for somebody to judge who knows
// what else the machine was doing.
package speed

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/internal/command"
)

// Command measures a part of the repository.
func Command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "speed",
		Short: "measure what the explorer, the plan service and the cache cost",
		Long: `speed measures what a part of this repository costs. The exit status is 1 only if
something could not be measured: whether the figures are as they are meant to be is
printed.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return command.Unknown(cmd, args[0])
		},
	}
	cmd.AddCommand(explorer.command(), lifecycle.command(), cacheCommand())
	return cmd
}

// A subject is what can be measured.
type subject struct {
	name   string
	short  string        // what is measured, in a line
	rounds int           // by default
	each   time.Duration // for each benchmark of a round, by default
	place  measure.Place // of its table
	// prepare builds what there is to run, in dir.
	prepare func(ctx context.Context, dir string, progress io.Writer) (prepared, error)
	// table is the figures as a page in Markdown.
	table func(figures) string
}

// prepared is what is to be run.
type prepared struct {
	lanes []lane
	note  string       // on what runs, or does not; a paragraph or nothing
	done  func() error // ends what runs besides; nil for nothing
}

// A lane is one of those that take turns.
type lane struct {
	name   string
	binary string   // a test binary
	bench  string   // the benchmarks of it, as -test.bench has them
	env    []string // in addition
}

// An order is what the command line asks for.
type order struct {
	subject
	rounds int
	each   time.Duration
	page   measure.Page
}

// command measures the subject.
func (s subject) command() *cobra.Command {
	o := order{subject: s}
	cmd := &cobra.Command{
		Use:   s.name,
		Short: s.short,
		Args:  command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.rounds < 1 || o.each <= 0 {
				return fmt.Errorf("got %d rounds of %v, want at least 1 of more than 0", o.rounds, o.each)
			}
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().IntVar(&o.rounds, "rounds", s.rounds, "have each lane take `n` turns")
	cmd.Flags().DurationVar(&o.each, "time", s.each, "run each benchmark of a round for this `time`")
	o.page.Flags(cmd)
	return cmd
}

// run measures a subject and writes what it finds.
func (o order) run(ctx context.Context, out, errs io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "jacquard-speed-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	p, err := o.prepare(ctx, dir, errs)
	if err != nil {
		return err
	}
	if p.done != nil {
		defer func() { err = errors.Join(err, p.done()) }()
	}
	all, err := o.measure(ctx, dir, p.lanes, out)
	if err != nil {
		return err
	}
	return o.page.WriteInto(o.place, out, "\n"+o.page.Made(ctx, measure.Load())+p.note+o.table(all)+"\n")
}

// measure gives the lanes their turns.
func (o order) measure(ctx context.Context, dir string, lanes []lane, out io.Writer) (all figures, err error) {
	return all, measure.Interleave(ctx, o.rounds, len(lanes), func(round, i int) error {
		text, err := lanes[i].turn(ctx, dir, o.each)
		if err != nil {
			return fmt.Errorf("%s: %w", lanes[i].name, err)
		}
		head, found := measure.Figures(text)
		if len(found) == 0 {
			return fmt.Errorf("%s: got no figures from\n%s", lanes[i].name, text)
		}
		if len(all) == 0 {
			fmt.Fprint(out, head)
		}
		for _, f := range found {
			all = append(all, figure{lanes[i].name, f})
			fmt.Fprintln(out, all[len(all)-1])
		}
		return nil
	})
}

// turn runs the lane's benchmarks once.
func (l lane) turn(ctx context.Context, dir string, each time.Duration) (string, error) {
	cmd := exec.CommandContext(ctx, l.binary, "-test.run=^$", "-test.bench="+l.bench, "-test.benchtime="+each.String())
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), l.env...)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%w\n%s", cmp.Or(context.Cause(ctx), err), strings.TrimSpace(text.String()))
	}
	return text.String(), nil
}
