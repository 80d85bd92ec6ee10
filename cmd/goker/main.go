// Command goker explores the GoKer kernels that a Go installation has: programs
// of a few goroutines that leak or deadlock, made of real bugs (Yuan and others,
// GoBench, CGO 2021). For each it says after how many schedules the bug is found,
// whether the verdict names the true cause, and whether the schedule replays. It
// writes a page in Markdown.
//
//	go run ./cmd/goker -o docs/goker.md
//
// The kernels are read from GOROOT, where they are from Go 1.26 on, when the
// command runs. The seeds are 1, 2, 3 …, so the same program gives the same page;
// only what -whole adds depends on the machine.
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

	"github.com/jacquard-go/jacquard/cmd/goker/program"
	"github.com/jacquard-go/jacquard/internal/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "goker:", err)
		os.Exit(1)
	}
}

// An order is what the command line asks for.
type order struct {
	seeds   int    // for each kernel
	replays int    // of each card
	twins   int    // schedules for each corrected kernel; 0 leaves them out
	whole   bool   // explore the kernels as they stand too
	race    bool   // with the race detector
	only    string // the kernels whose names have this in them
	commit  string // that is measured
	file    string // for the page; empty is standard output
}

// run measures every kernel and writes the page. The error says of which kernels
// something is not as it must be.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	o, err := parse(args, errs)
	if errors.Is(err, flag.ErrHelp) {
		return nil // it has been given
	}
	if err != nil {
		return err
	}
	kernels, err := program.Find(ctx, ".")
	if err != nil {
		return err
	}
	kernels = slices.DeleteFunc(kernels, func(k program.Kernel) bool { return !strings.Contains(k.Name, o.only) })
	if len(kernels) == 0 {
		return fmt.Errorf("got -only %q, want a part of a kernel's name", o.only)
	}
	if o.commit == "" {
		o.commit = measure.Commit(ctx)
	}
	rows, err := o.measure(ctx, kernels, errs)
	if err != nil {
		return err
	}
	if err := o.write(out, page(o, rows)); err != nil {
		return err
	}
	var wrong []error
	for _, r := range rows {
		wrong = append(wrong, r.wrong(o)...)
	}
	return errors.Join(wrong...)
}

func (o order) write(out io.Writer, page string) error {
	if o.file != "" {
		return os.WriteFile(o.file, []byte(page), 0o644)
	}
	_, err := io.WriteString(out, page)
	return err
}

func parse(args []string, errs io.Writer) (o order, err error) {
	f := flag.NewFlagSet("goker", flag.ContinueOnError)
	f.SetOutput(errs)
	f.IntVar(&o.seeds, "seeds", 10, "seeds for each kernel")
	f.IntVar(&o.replays, "replays", 100, "replays of each schedule that is found")
	f.IntVar(&o.twins, "twins", 10_000, "schedules for each corrected kernel; 0 leaves them out")
	f.BoolVar(&o.whole, "whole", false, "explore the kernels as they stand too, for up to half a minute each")
	f.BoolVar(&o.race, "race", false, "build with the race detector: data races are counted, and are scheduling points")
	f.StringVar(&o.only, "only", "", "only the kernels whose names, as in Etcd6708, have this in them")
	f.StringVar(&o.commit, "commit", "", "the commit that is measured (default: what git says)")
	f.StringVar(&o.file, "o", "", "the file to write (default: standard output)")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.seeds < 1 || o.replays < 1 || o.twins < 0 || f.NArg() > 0 {
		return o, fmt.Errorf("got %d seeds, %d replays, %d schedules for twins and arguments %q, want at least 1, 1, 0 and none", o.seeds, o.replays, o.twins, f.Args())
	}
	return o, nil
}
