// Package strategies measures how many schedules each strategy needs to find known
// bugs: the explorer's canaries, the classic bugs, and the documented races; and
// which order of strategies the figures suggest. It cannot tell how often bugs of these
// kinds occur in practice: each counts the same.
package strategies

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/command"
)

// An order holds the options of the command line.
type order struct {
	table
	program string // the package of the command, which is built under control
	use     string // the name of the command
	seeds   int    // for each bug and column
	few     int    // seeds for all columns but the default plan's, if not 0
	limit   int    // schedules for each search
	only    string // only bugs whose names contain this
	columns []column
	chosen  string        // the columns to measure, separated by commas; empty is all
	most    time.Duration // for one search; 0 is no bound
	page    measure.Page
	cell    cell // the cell that this process measures, if it is under control
}

// A table is a set of bugs to measure, and the function that writes their page.
type table struct {
	bugs  func() []bug
	write func(ctx context.Context, o order, rows []row) string
}

// Command writes docs/strategies.md. Under control it measures one cell of it. program
// is the main package that it is part of, and others are strategies that get
// columns besides those of package explore.
func Command(program string, others ...func() explore.Strategy) *cobra.Command {
	o := &order{table: table{known, page}, program: program, columns: columns(others)}
	return o.command(&cobra.Command{
		Use:   "strategies",
		Short: "count the schedules that each strategy needs to find known bugs",
		Long: `strategies measures how many schedules each strategy needs to find a bug, and which
order of strategies that speaks for. The seeds are 1, 2, 3 …, so the same program gives
the same page.`,
	})
}

// SCTBench writes docs/sctbench.md. Under control it measures one cell of it.
func SCTBench(program string, others ...func() explore.Strategy) *cobra.Command {
	o := &order{table: table{sctbenchBugs, sctbenchPage}, program: program, columns: columns(others), most: 3 * time.Second}
	cmd := o.command(&cobra.Command{
		Use:   "sctbench",
		Short: "count the schedules that each strategy needs for the programs of SCTBench and ConVul",
		Long: `sctbench measures how many schedules each strategy needs for the programs that RFF was
measured on, beside the figures that were published. The seeds are 1, 2, 3 …, so the same
program gives the same page, but for the searches that end by -most.`,
	})
	cmd.Flags().IntVar(&o.few, "few", 3, "search with `n` seeds by all strategies but the default plan")
	return cmd
}

// command completes a command that measures.
func (o *order) command(cmd *cobra.Command) *cobra.Command {
	o.use, cmd.Args = cmd.Use, command.Arguments(0, 0, "none")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := o.check(); err != nil {
			return err
		}
		return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	f := cmd.Flags()
	f.IntVar(&o.seeds, "seeds", 20, "search for each bug with `n` seeds")
	f.IntVar(&o.limit, "limit", 1000, "run `n` schedules for each seed")
	f.StringVar(&o.only, "only", "", "only the bugs that have this `part` in their group and name, as in \"classic: lost wake-up\"")
	f.DurationVar(&o.most, "most", o.most, "end a search that has found nothing after this `time`; 0 is never")
	f.StringVar(&o.chosen, "strategies", "", "only these `columns`, as in \"directed,default plan\"")
	o.page.Flags(cmd)
	f.StringVar(&o.cell.bug, "bug", "", "for this command's own use: the bug to measure")
	f.StringVar(&o.cell.column, "column", defaultPlan, "for this command's own use: the column to measure")
	for _, own := range []string{"bug", "column"} {
		f.Lookup(own).Hidden = true
	}
	return cmd
}

func (o order) check() error {
	if o.column(o.cell.column) < 0 {
		return fmt.Errorf("-column: got %q, want one of %s", o.cell.column, o.names())
	}
	if o.seeds < 1 || o.limit < 1 || o.few < 0 {
		return fmt.Errorf("got %d seeds, %d for most columns and limit %d, want at least 1 of each", o.seeds, o.few, o.limit)
	}
	for _, name := range o.wanted() {
		if o.column(name) < 0 {
			return fmt.Errorf("-strategies: got %q, want one of %s", name, o.names())
		}
	}
	return nil
}

// column returns the index of the column with a name; -1 if there is none.
func (o order) column(name string) int {
	return slices.IndexFunc(o.columns, func(c column) bool { return c.name == name })
}

// wanted returns the names of the columns to measure; nil is all.
func (o order) wanted() []string {
	if o.chosen == "" {
		return nil
	}
	return strings.Split(o.chosen, ",")
}

// names returns the names of all columns.
func (o order) names() string {
	var all []string
	for _, c := range o.columns {
		all = append(all, strconv.Quote(c.name))
	}
	return strings.Join(all, ", ")
}

// seedsOf returns with how many seeds a column is measured.
func (o order) seedsOf(c column) int {
	if c.name != defaultPlan {
		return o.fewest()
	}
	return o.seeds
}

// run measures every bug, each in processes of its own, and writes the page.
// Under control it is one of these processes.
func (o order) run(ctx context.Context, out, errs io.Writer) error {
	if explore.Controlled() {
		return o.measureCell(ctx, out)
	}
	if wanted := o.wanted(); wanted != nil {
		o.columns = slices.DeleteFunc(slices.Clone(o.columns), func(c column) bool { return !slices.Contains(wanted, c.name) })
	}
	bugs := slices.DeleteFunc(o.bugs(), func(b bug) bool { return !strings.Contains(b.String(), o.only) })
	if len(bugs) == 0 {
		return fmt.Errorf("got -only %q, want a part of a bug's name", o.only)
	}
	rows, err := o.measure(ctx, bugs, errs)
	if err != nil {
		return err
	}
	return o.page.Write(out, o.write(ctx, o, rows))
}
