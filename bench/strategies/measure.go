package strategies

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/bench/figures"
	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// A column is one way to explore.
type column struct {
	name string
	plan func(limit int) []explore.Stage
}

// columns returns what is compared: all strategies, PCT with the depth with which
// published measurements use it, the strategies in others, and last the unchanged default
// plan.
func columns(others []func() explore.Strategy) []column {
	all := append(strategy.All(), func() explore.Strategy { return explore.PCT(3) })
	var compared []column
	for _, s := range append(all, others...) {
		compared = append(compared, column{heading(s()), only(s)})
	}
	return append(compared, column{defaultPlan, func(int) []explore.Stage { return explore.DefaultPlan() }})
}

// defaultPlan is the heading of the default plan.
const defaultPlan = "default plan"

// heading returns a strategy's name, with its parameters if it is a
// fmt.Stringer.
func heading(s explore.Strategy) string {
	if said, ok := s.(fmt.Stringer); ok {
		return said.String()
	}
	return s.Name()
}

func only(s func() explore.Strategy) func(int) []explore.Stage {
	return func(limit int) []explore.Stage { return []explore.Stage{{Strategy: s(), Schedules: limit}} }
}

// A row is one bug: for each column, a sample for each seed.
type row struct {
	bug
	samples [][]figures.Sample
}

// measure searches for every bug by every column. It reports its progress on log.
func (o order) measure(ctx context.Context, bugs []bug, log io.Writer) ([]row, error) {
	binary, err := toolchain.Build(ctx, toolchain.Request{Package: o.program})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "jacquard-table-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var rows []row
	for i, b := range bugs {
		fmt.Fprintf(log, "%3d/%d %s\n", i+1, len(bugs), b)
		r := row{bug: b}
		for _, c := range o.columns {
			samples, err := o.fetch(ctx, binary, dir, cell{b.String(), c.name}, o.seedsOf(c), log)
			if err != nil {
				return nil, err
			}
			r.samples = append(r.samples, samples)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// A cell is one bug explored by one column. Each is measured in a process of its
// own, because an execution that deadlocks leaves its goroutines behind, which
// slow down later ones.
type cell struct {
	bug    string
	column string
}

// fetch measures a cell in a process of its own.
func (o order) fetch(ctx context.Context, binary, dir string, c cell, seeds int, log io.Writer) ([]figures.Sample, error) {
	cmd := exec.Command(binary, o.use, fmt.Sprint("-seeds=", seeds), fmt.Sprint("-limit=", o.limit), fmt.Sprint("-most=", o.most),
		"-bug="+c.bug, "-column="+c.column)
	cmd.Env = append(executable.Env(os.Environ(), dir), "TMPDIR="+dir)
	cmd.Stderr = log
	p, err := child.Start(ctx, cmd, child.Options{Wire: child.Lines})
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", c.bug, c.column, err)
	}
	var samples []figures.Sample
	answered := p.Receive(&samples)
	if how := p.Close(); !how.OK() || answered != nil {
		return nil, fmt.Errorf("%s, %s: got %v and %v, want samples", c.bug, c.column, how, answered)
	}
	if len(samples) != seeds {
		return nil, fmt.Errorf("%s, %s: got %d samples, want %d", c.bug, c.column, len(samples), seeds)
	}
	return samples, nil
}

// measureCell measures a cell in this process and writes the samples.
func (o order) measureCell(ctx context.Context, out io.Writer) error {
	bugs := o.bugs()
	i := slices.IndexFunc(bugs, func(b bug) bool { return b.String() == o.cell.bug })
	if i < 0 {
		return fmt.Errorf("got bug %q, want one that there is", o.cell.bug)
	}
	var samples []figures.Sample
	for seed := 1; seed <= o.seeds; seed++ {
		s, err := bugs[i].search(ctx, uint64(seed), o.enough(), o.columns[o.column(o.cell.column)].plan(o.limit))
		if err != nil {
			return err
		}
		samples = append(samples, s)
	}
	return json.NewEncoder(out).Encode(samples)
}

// enough returns a function that ends a search which begins now, once it has taken too long.
func (o order) enough() func(explore.Result) bool {
	if o.most == 0 {
		return nil
	}
	begun := time.Now()
	return func(explore.Result) bool { return time.Since(begun) > o.most }
}
