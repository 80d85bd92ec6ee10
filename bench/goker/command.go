// Package goker explores the GoKer kernels that a Go installation has: programs of
// a few goroutines that leak or deadlock, made from real bugs (Yuan and others,
// GoBench, CGO 2021). For each it reports after how many schedules the bug is found,
// whether the verdict names the true cause, and whether the schedule replays.
package goker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench/goker/program"
	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/internal/command"
)

// An order holds the options of the command line.
type order struct {
	seeds   int    // for each kernel
	replays int    // of each card
	twins   int    // schedules for each corrected kernel; 0 leaves them out
	whole   bool   // explore the unchanged kernels too
	race    bool   // with the race detector
	only    string // only kernels whose names contain this
	page    measure.Page
}

// Command writes docs/goker.md.
func Command() *cobra.Command {
	var o order
	cmd := &cobra.Command{
		Use:   "goker",
		Short: "find the bugs of GoBench's kernels, which a Go installation has",
		Long: `goker explores the GoKer kernels, which it reads from GOROOT, where they are from
Go 1.26 on. The seeds are 1, 2, 3 …, so the same program gives the same page; only
what -whole adds depends on the machine. The exit status is 1 if a bug is not found, or
something is found that is not one.`,
		Args: command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().IntVar(&o.seeds, "seeds", 10, "explore each kernel with `n` seeds")
	cmd.Flags().IntVar(&o.replays, "replays", 100, "replay each schedule that is found `n` times")
	cmd.Flags().IntVar(&o.twins, "twins", 10_000, "run `n` schedules of each corrected kernel; 0 leaves them out")
	cmd.Flags().BoolVar(&o.whole, "whole", false, "explore the kernels as they stand too, for up to half a minute each")
	cmd.Flags().BoolVar(&o.race, "race", false, "build with the race detector: data races are counted, and are scheduling points")
	cmd.Flags().StringVar(&o.only, "only", "", "only the kernels that have this `part` in their names, as in Etcd6708")
	o.page.Flags(cmd)
	return cmd
}

func (o order) check() error {
	if o.seeds < 1 || o.replays < 1 || o.twins < 0 {
		return fmt.Errorf("got %d seeds, %d replays and %d schedules for twins, want at least 1, 1 and 0", o.seeds, o.replays, o.twins)
	}
	return nil
}

// run measures every kernel and writes the page. The error names the kernels whose
// results are not as required.
func (o order) run(ctx context.Context, out, errs io.Writer) error {
	kernels, err := program.Find(ctx, ".")
	if err != nil {
		return err
	}
	kernels = slices.DeleteFunc(kernels, func(k program.Kernel) bool { return !strings.Contains(k.Name, o.only) })
	if len(kernels) == 0 {
		return fmt.Errorf("got -only %q, want a part of a kernel's name", o.only)
	}
	rows, err := o.measure(ctx, kernels, errs)
	if err != nil {
		return err
	}
	if err := o.page.Write(out, page(ctx, o, rows)); err != nil {
		return err
	}
	var wrong []error
	for _, r := range rows {
		wrong = append(wrong, r.wrong(o)...)
	}
	if len(wrong) > 0 {
		return command.Wrong(errors.Join(wrong...))
	}
	return nil
}
