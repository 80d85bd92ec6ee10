package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"

	"github.com/jacquard-go/jacquard/cmd/internal/figures"
	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// A column is one way to explore.
type column struct {
	name string
	plan func(limit int) []explore.Stage
}

// columns are what is compared: the strategies, and last the default plan as it
// is.
var columns = [...]column{
	{"random", only(explore.RandomWalk)},
	{"pct 3", only(func() explore.Strategy { return explore.PCT(3) })},
	{"pct 1–6", only(func() explore.Strategy { return explore.PCT(0) })},
	{"pos", only(explore.POS)},
	{"surw", only(explore.SURW)},
	{"dfs ≤ 2", only(func() explore.Strategy { return explore.DepthFirst(2) })},
	{"dpor", only(explore.DPOR)},
	{"default plan", func(int) []explore.Stage { return explore.DefaultPlan() }},
}

// strategies is how many of the columns are strategies.
const strategies = len(columns) - 1

func only(s func() explore.Strategy) func(int) []explore.Stage {
	return func(limit int) []explore.Stage { return []explore.Stage{{Strategy: s(), Schedules: limit}} }
}

// A row is one bug: for each column, a sample for each seed.
type row struct {
	bug
	samples [len(columns)][]figures.Sample
}

// measure searches for every bug in every way. It says on log what it is at.
func (o order) measure(ctx context.Context, bugs []bug, log io.Writer) ([]row, error) {
	binary, err := toolchain.Build(ctx, toolchain.Request{Package: program})
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
		for c := range columns {
			if r.samples[c], err = o.fetch(ctx, binary, dir, cell{b.String(), c}, log); err != nil {
				return nil, err
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// A cell is one bug explored in one way. Each is measured in a process of its
// own: an execution that deadlocks leaves its goroutines to the process, which
// slow down the ones after.
type cell struct {
	bug    string
	column int
}

// fetch has a process measure a cell.
func (o order) fetch(ctx context.Context, binary, dir string, c cell, log io.Writer) ([]figures.Sample, error) {
	cmd := exec.CommandContext(ctx, binary, fmt.Sprint("-seeds=", o.seeds), fmt.Sprint("-limit=", o.limit), "-bug="+c.bug, fmt.Sprint("-column=", c.column))
	cmd.Env = append(executable.Env(os.Environ(), dir), "TMPDIR="+dir)
	cmd.Stderr = log
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", c.bug, columns[c.column].name, err)
	}
	var samples []figures.Sample
	if err := json.Unmarshal(out, &samples); err != nil {
		return nil, fmt.Errorf("%s, %s: %w", c.bug, columns[c.column].name, err)
	}
	if len(samples) != o.seeds {
		return nil, fmt.Errorf("%s, %s: got %d samples, want %d", c.bug, columns[c.column].name, len(samples), o.seeds)
	}
	return samples, nil
}

// measureCell measures a cell in this process and writes the samples.
func (o order) measureCell(ctx context.Context, out io.Writer) error {
	bugs := programs()
	i := slices.IndexFunc(bugs, func(b bug) bool { return b.String() == o.cell.bug })
	if i < 0 {
		return fmt.Errorf("got bug %q, want one that there is", o.cell.bug)
	}
	var samples []figures.Sample
	for seed := 1; seed <= o.seeds; seed++ {
		s, err := bugs[i].search(ctx, uint64(seed), columns[o.cell.column].plan(o.limit))
		if err != nil {
			return err
		}
		samples = append(samples, s)
	}
	return json.NewEncoder(out).Encode(samples)
}
