// Command speed measures what parts of this repository cost: it runs their
// benchmarks.
//
//	go run ./cmd/speed explorer                    what a scheduling step costs
//	go run ./cmd/speed lifecycle                   what the plan service costs
//	go run ./cmd/speed -o BENCHMARKS.md lifecycle  put the table into its place there
//
// What is to be compared takes turns in each of several rounds, each in a process
// of its own, so that what else the machine does falls on all of it. Each figure
// is written as go test -bench does, for benchstat, and at the end a table of
// medians. The exit status is 1 only if something could not be measured: whether
// the figures are as they are meant to be is printed, for somebody to judge who
// knows what else the machine was doing.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

// A subject is what can be measured.
type subject struct {
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
	name     string
	rounds   int
	each     time.Duration
	document string
}

func parse(args []string, errs io.Writer) (o order, err error) {
	f := flag.NewFlagSet("speed", flag.ContinueOnError)
	f.SetOutput(errs)
	f.IntVar(&o.rounds, "rounds", 0, "turns of each lane (default: what suits the subject)")
	f.DurationVar(&o.each, "time", 0, "for each benchmark of a round (default: what suits the subject)")
	f.StringVar(&o.document, "o", "", "Markdown document with a place for the table")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() == 1 {
		o.name = f.Arg(0)
	}
	switch o.name {
	case "explorer":
		o.subject = explorer
	case "lifecycle":
		o.subject = lifecycle
	default:
		return o, fmt.Errorf("got arguments %q, want explorer or lifecycle", f.Args())
	}
	o.rounds, o.each = cmp.Or(o.rounds, o.subject.rounds), cmp.Or(o.each, o.subject.each)
	if o.rounds < 1 || o.each < 0 {
		return o, fmt.Errorf("got %d rounds of %v, want at least 1 of more than 0", o.rounds, o.each)
	}
	return o, nil
}

// run measures a subject and writes what it finds.
func run(ctx context.Context, args []string, out, errs io.Writer) (err error) {
	o, err := parse(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return nil // it has been given
	}
	if err != nil {
		return err
	}
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
	page := fmt.Sprintf("\n%s, by\n\n    go run ./cmd/speed %s\n\n%s%s\n", measure.Setting(ctx), strings.Join(args, " "), p.note, o.table(all))
	if _, err := io.WriteString(out, page); err != nil || o.document == "" {
		return err
	}
	return o.place.Write(o.document, page)
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
