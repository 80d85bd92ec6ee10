// Command explored runs the guarantees of package cache under the explorer of schedules, a line each, and finds known
// races in other caches.
//
//	go run ./cmd/explored                      every guarantee, in some hundred schedules
//	go run ./cmd/explored -schedules 10000 G8  those whose row begins with G8, in more
//	go run ./cmd/explored -found               the races in other caches
//	go run ./cmd/explored -card jq2-… G8b      one schedule again
//
// The same seed gives the same schedules. The exit status is 0 only if every guarantee holds, or every race is found.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/jacquard-go/jacquard/cache/bench/explored"
	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// program is the package that is built under control: this one.
const program = "github.com/jacquard-go/jacquard/cache/bench/cmd/explored"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "explored:", err)
		os.Exit(1)
	}
}

// errVerdict: not every row has the verdict that it must have.
var errVerdict = errors.New("not as it must be")

// An order is what the command line asks for.
type order struct {
	schedules int
	seed      uint64
	card      string
	found     bool
	show      bool
	rows      []explored.Row
}

func parse(args []string, errs io.Writer) (o order, err error) {
	f := flag.NewFlagSet("explored", flag.ContinueOnError)
	f.SetOutput(errs)
	f.IntVar(&o.schedules, "schedules", 300, "schedules for each row")
	f.Uint64Var(&o.seed, "seed", 1, "seed of every random choice")
	f.StringVar(&o.card, "card", "", "a card, to replay instead of exploring")
	f.BoolVar(&o.found, "found", false, "run the races in other caches instead of the guarantees")
	f.BoolVar(&o.show, "show", false, "show the failing execution of what was found")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.schedules < 3 {
		return o, fmt.Errorf("got %d schedules, want at least 3", o.schedules)
	}
	find := explored.Find
	if o.found {
		find = explored.FindFound
	}
	names := f.Args()
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		rows, err := find(name)
		if err != nil {
			return o, err
		}
		o.rows = append(o.rows, rows...)
	}
	if o.card != "" && len(o.rows) != 1 {
		return o, fmt.Errorf("a card is of one row, got %d", len(o.rows))
	}
	return o, nil
}

// run prints a line for each row. Under control it is the process of one row.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	o, err := parse(args, errs)
	if err != nil {
		return err
	}
	if explore.Controlled() {
		return o.explore(ctx, out)
	}
	binary, err := toolchain.Build(ctx, toolchain.Request{Package: program})
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
		return fmt.Errorf("%d of %d rows: %w", wrong, len(o.rows), errVerdict)
	}
	return nil
}

// A verdict is what the process of a row tells.
type verdict struct {
	Verdict, Summary            string
	Schedules, Distinct, Points int
	Kind, Card, Execution       string
}

// start explores one row in a process of its own: an execution that deadlocks leaves its goroutines to the process.
func (o order) start(ctx context.Context, binary, dir string, row explored.Row, errs io.Writer) (v verdict, err error) {
	cmd := exec.CommandContext(ctx, binary, fmt.Sprint("-schedules=", o.schedules), fmt.Sprint("-seed=", o.seed),
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

// print prints the line of a row and reports whether it is as it must be.
func (o order) print(out io.Writer, row explored.Row, v verdict) bool {
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
		fmt.Fprintf(out, "%9s %s\n%9s replay: go run ./cmd/explored %s-card %s %s\n", "", v.Summary, "", foundFlag(o.found), v.Card, row.ID)
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
