// Command strategies measures how many schedules each strategy needs to find known
// bugs: the explorer's canaries, the classic bugs, and the documented races. It
// writes a page in Markdown, and on it which order of strategies the figures
// speak for.
//
//	go run ./cmd/strategies -o docs/strategies.md
//
// The seeds are 1, 2, 3 …, so the same program gives the same page. What it
// cannot tell is how often bugs of these sorts occur: each counts the same.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/measure"
)

// program is the package that is built under control: this one.
const program = "github.com/jacquard-go/jacquard/cmd/strategies"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "strategies:", err)
		os.Exit(1)
	}
}

// An order is what the command line asks for.
type order struct {
	seeds  int    // for each bug and column
	limit  int    // schedules, for each of them
	only   string // the bugs whose names have this in them
	commit string // that is measured
	file   string // for the page; empty is standard output
	cell   cell   // to be measured by this process, which is under control
}

// run measures every bug, each in processes of its own, and writes the page.
// Under control it is one of these processes.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	o, err := parse(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return nil // it has been given
	}
	if err != nil {
		return err
	}
	if explore.Controlled() {
		return o.measureCell(ctx, out)
	}
	bugs := slices.DeleteFunc(programs(), func(b bug) bool { return !strings.Contains(b.String(), o.only) })
	if len(bugs) == 0 {
		return fmt.Errorf("got -only %q, want a part of a bug's name", o.only)
	}
	if o.commit == "" {
		o.commit = measure.Commit(ctx)
	}
	rows, err := o.measure(ctx, bugs, errs)
	if err != nil {
		return err
	}
	if o.file == "" {
		_, err = io.WriteString(out, page(o, rows))
		return err
	}
	return os.WriteFile(o.file, []byte(page(o, rows)), 0o644)
}

func parse(args []string, errs io.Writer) (o order, err error) {
	f := flag.NewFlagSet("strategies", flag.ContinueOnError)
	f.SetOutput(errs)
	f.IntVar(&o.seeds, "seeds", 20, "seeds for each program and strategy")
	f.IntVar(&o.limit, "limit", 1000, "schedules for each seed")
	f.StringVar(&o.only, "only", "", "only the bugs whose group and name, as in \"classic: lost wake-up\", have this in them")
	f.StringVar(&o.commit, "commit", "", "the commit that is measured (default: what git says)")
	f.StringVar(&o.file, "o", "", "the file to write (default: standard output)")
	f.StringVar(&o.cell.bug, "bug", "", "for this command's own use: the bug to measure")
	f.IntVar(&o.cell.column, "column", 0, "for this command's own use: the column to measure")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.cell.column < 0 || o.cell.column >= len(columns) {
		return o, fmt.Errorf("got column %d, want one from 0 to %d", o.cell.column, len(columns)-1)
	}
	if o.seeds < 1 || o.limit < 1 || f.NArg() > 0 {
		return o, fmt.Errorf("got %d seeds, limit %d and arguments %q, want at least 1, at least 1 and none", o.seeds, o.limit, f.Args())
	}
	return o, nil
}
