package explored

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench"
	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// errVerdict says that a row does not have the verdict that it must have.
var errVerdict = errors.New("not as it must be")

// An order holds the options of the command line.
type order struct {
	schedules int
	seed      uint64
	card      string
	found     bool
	show      bool
	rows      []Row
}

// Command runs the guarantees of package cache under the explorer, a line each, and
// finds known races in other caches. Under control it explores one row.
func Command() *cobra.Command {
	var o order
	cmd := &cobra.Command{
		Use:   "explored [ROW ...]",
		Short: "run the cache's guarantees in many schedules, or find the races of other caches",
		Long: `explored runs the guarantees of package cache whose rows begin with one of the
arguments, or all of them, in many schedules each. The same seed gives the same
schedules. The exit status is 0 only if every guarantee holds, or every race is found.`,
		Example: `  go run ./cmd/bench explored -schedules 10000 G8
  go run ./cmd/bench explored -found
  go run ./cmd/bench explored -card jq2-… G8b`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.choose(args); err != nil {
				return err
			}
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().IntVar(&o.schedules, "schedules", 300, "run `n` schedules of each row")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "make every random choice by the seed `n`")
	cmd.Flags().StringVar(&o.card, "card", "", "replay this `card` instead of exploring")
	cmd.Flags().BoolVar(&o.found, "found", false, "run the races in other caches instead of the guarantees")
	cmd.Flags().BoolVar(&o.show, "show", false, "show the failing execution of what was found")
	return cmd
}

// choose finds the rows that the arguments name.
func (o *order) choose(names []string) error {
	if o.schedules < 3 {
		return fmt.Errorf("got %d schedules, want at least 3", o.schedules)
	}
	find := Find
	if o.found {
		find = FindFound
	}
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		rows, err := find(name)
		if err != nil {
			return err
		}
		o.rows = append(o.rows, rows...)
	}
	if o.card != "" && len(o.rows) != 1 {
		return fmt.Errorf("a card is of one row, got %d", len(o.rows))
	}
	return nil
}

// run prints a line for each row. Under control it explores one row.
func (o order) run(ctx context.Context, out, errs io.Writer) error {
	if explore.Controlled() {
		return o.explore(ctx, out)
	}
	binary, err := toolchain.Build(ctx, toolchain.Request{Package: bench.Program})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "jacquard-explored-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	wrong := 0
	for _, row := range o.rows {
		v, err := o.start(ctx, binary, dir, row, errs)
		if err != nil {
			return fmt.Errorf("%s: %w", row.ID, err)
		}
		if !o.print(out, row, v) {
			wrong++
		}
	}
	if wrong > 0 {
		return command.Wrong(fmt.Errorf("%d of %d rows: %w", wrong, len(o.rows), errVerdict))
	}
	return nil
}

// A verdict is what the process of a row reports.
type verdict struct {
	Verdict, Summary            string
	Schedules, Distinct, Points int
	Kind, Card, Execution       string
}

// start explores one row in a process of its own, because an execution that deadlocks leaves its goroutines behind.
func (o order) start(ctx context.Context, binary, dir string, row Row, errs io.Writer) (v verdict, err error) {
	cmd := exec.CommandContext(ctx, binary, "explored", fmt.Sprint("-schedules=", o.schedules), fmt.Sprint("-seed=", o.seed),
		fmt.Sprint("-found=", o.found), "-card="+o.card, row.ID)
	cmd.Env = append(executable.Env(os.Environ(), dir), "TMPDIR="+dir)
	cmd.Stderr = errs
	text, err := cmd.Output()
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal(text, &v)
}

// explore explores, or replays, the one row of this process.
func (o order) explore(ctx context.Context, out io.Writer) error {
	row := o.rows[0]
	var r *explore.Result
	v := verdict{}
	if o.card == "" {
		var err error
		if r, err = row.Explore(ctx, o.seed, o.schedules); err != nil {
			return err
		}
		v.Summary = r.Summary()
	} else {
		again, err := row.Replay(ctx, o.card)
		if err != nil {
			return err
		}
		r, v.Summary = again.Result, again.String()
	}
	v.Verdict, v.Schedules, v.Distinct, v.Points = r.Verdict.String(), r.Schedules, r.Distinct, r.Points
	if r.Failure != nil {
		var b strings.Builder
		if err := timeline.Text(&b, r.Failure.Timeline, timeline.Options{}); err != nil {
			return err
		}
		v.Kind, v.Card, v.Execution = string(r.Failure.Kind), r.Failure.Card, b.String()
	}
	return json.NewEncoder(out).Encode(v)
}

// print prints the line of a row and reports whether the row has the verdict that it must have.
func (o order) print(out io.Writer, row Row, v verdict) bool {
	right := v.Verdict == explore.Holds.String()
	if o.found || o.card != "" {
		right = v.Verdict == explore.Violated.String()
	}
	fmt.Fprintf(out, "%-9s %-70s %-8s %6d schedules, %6d distinct, %4d points\n", row.ID, row.What, v.Verdict, v.Schedules, v.Distinct, v.Points)
	if o.card != "" {
		fmt.Fprintf(out, "%9s %s\n", "", v.Summary)
	}
	if v.Execution != "" && (o.show || o.card != "" || !right) {
		fmt.Fprintln(out, v.Execution)
	} else if v.Card != "" {
		fmt.Fprintf(out, "%9s %s\n%9s replay: go run ./cmd/bench explored %s-card %s %s\n", "", v.Summary, "", foundFlag(o.found), v.Card, row.ID)
	} else if !right {
		fmt.Fprintf(out, "%9s %s\n", "", v.Summary)
	}
	return right
}

func foundFlag(found bool) string {
	if found {
		return "-found "
	}
	return ""
}
