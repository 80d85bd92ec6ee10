package hunted

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// An order holds the options of the command line.
type order struct {
	seeds, limit int
	only         string // only tests whose names contain this
	page         measure.Page
}

// Command writes a table of how many schedules a hunt needs.
func Command() *cobra.Command {
	var o order
	cmd := &cobra.Command{
		Use:   "hunt",
		Short: "count the schedules to a failure, with its log and without",
		Args:  command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.seeds < 1 || o.limit < 1 {
				return fmt.Errorf("got -seeds %d and -limit %d, want at least 1 of each", o.seeds, o.limit)
			}
			text, err := o.measured(cmd.Context(), "hunted", cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			return o.page.Write(cmd.OutOrStdout(), text)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.seeds, "seeds", 9, "search with the seeds 1 to `n`")
	f.IntVar(&o.limit, "limit", 1500, "run at most `n` schedules in a search; one that finds nothing counts as twice as many")
	f.StringVar(&o.only, "only", "", "measure only tests whose names have this `text` in them")
	o.page.Flags(cmd)
	return cmd
}

const heading = `# Schedules of a hunt

How many schedules jacquard hunt needs to find a failure when it has only the log of
go test, beside jacquard test, which has none: medians over seeds. The tests were
written for this (bench/hunted), and each log made from a failing schedule. What a hunt
finds is the failure of the log, or the command ends with an error.

`

// measured returns the table of the tests below a folder.
func (o order) measured(ctx context.Context, folder string, log io.Writer) (string, error) {
	all, err := programs(folder)
	if err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp("", "jacquard-hunted-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	b, err := build(ctx, folder, temp)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	text.WriteString(heading + o.page.Made(ctx) + "| test | failure | jacquard test | hunt | ratio |\n|---|---|--:|--:|--:|\n")
	var ratios []float64
	for _, p := range all {
		if !strings.Contains(p.name, o.only) {
			continue
		}
		fmt.Fprintln(log, p.name)
		without, with, err := o.compare(ctx, b, p)
		if err != nil {
			return "", err
		}
		ratios = append(ratios, with/without)
		fmt.Fprintf(&text, "| %s | %s | %.0f | %.0f | %.2f |\n", p.name, p.failed.Kind, without, with, with/without)
	}
	fmt.Fprintf(&text, "\nThe median of %d seeds each; that of the ratios is %.2f.\n", o.seeds, measure.Median(ratios))
	return text.String(), nil
}

// compare returns the medians of the schedules to a failure, without and with its log.
func (o order) compare(ctx context.Context, b binary, p program) (without, with float64, err error) {
	var counts [2][]float64
	for seed := range uint64(o.seeds) {
		for i, s := range []*protocol.Sought{nil, p.sought()} {
			e, err := b.search(ctx, p.name, s, seed+1, o.limit)
			if err != nil {
				return 0, 0, err
			}
			n := e.Schedule
			switch {
			case e.Kind == "":
				n = 2 * o.limit
			case s != nil && !e.Same:
				return 0, 0, fmt.Errorf("%s, seed %d: got %s: %s, want %s: %s", p.name, seed+1, e.Kind, e.Message, p.failed.Kind, p.failed.Message)
			}
			counts[i] = append(counts[i], float64(n))
		}
	}
	return measure.Median(counts[0]), measure.Median(counts[1]), nil
}
