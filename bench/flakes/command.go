package flakes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/internal/command"
)

// errSilent is reported for a command that gave neither a finding nor an error.
var errSilent = errors.New("exit status 0")

// An order holds the options of the command line.
type order struct {
	total     time.Duration // for one test in one version
	schedules int           // of a test before the repair
	least     int           // of a test after it
	fair      time.Duration // processor time that go test has at least
	only      string        // only flakes whose names contain this
	results   string        // the file of rows, if not ""
	folder    string        // for the modules, if not ""
	page      measure.Page
	jacquard  string // the command
}

// Command writes docs/flakes.md.
func Command() *cobra.Command {
	var o order
	cmd := &cobra.Command{
		Use:   "flakes",
		Short: "find bugs that public modules had, before their repair and not after it",
		Long: `flakes gets modules from the proxy, each in the version before and after the repair
of a known bug, and runs the test that shows it: by jacquard test, and again and again
by go test and go test -race. With -results it keeps what it has measured, and runs only
what is not there.`,
		Args: command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.total <= 0 || o.schedules < 1 || o.least < 1 {
				return fmt.Errorf("got -total %v, -schedules %d and -least %d, want at least 1 of each", o.total, o.schedules, o.least)
			}
			return o.run(cmd.Context(), flakes(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.DurationVar(&o.total, "total", 10*time.Minute, "explore a test for this `time`")
	f.IntVar(&o.schedules, "schedules", 10_000, "run at most `n` schedules of a test")
	f.IntVar(&o.least, "least", 100, "run `n` schedules after the repair, or ten times those before it if that is more")
	f.DurationVar(&o.fair, "fair", 10*time.Second, "give go test this `time` of the processor, or what Jacquard took if that is more")
	f.StringVar(&o.only, "only", "", "only the flakes that have this `part` in their names, as in semaphore")
	f.StringVar(&o.results, "results", "", "keep what was measured in this `file`, and measure only the rest")
	f.StringVar(&o.folder, "folder", "", "keep the modules in this `folder` (default a temporary one)")
	o.page.Flags(cmd)
	return cmd
}

// run measures what is not measured yet and writes the page.
func (o order) run(ctx context.Context, all []flake, out, errs io.Writer) error {
	rows, err := o.earlier()
	if err != nil {
		return err
	}
	wanted := slices.DeleteFunc(slices.Clone(all), func(f flake) bool { return rows[f.name] != nil || !strings.Contains(f.name, o.only) })
	if len(wanted) > 0 {
		if err := o.measureAll(ctx, wanted, rows, errs); err != nil {
			return err
		}
	}
	return o.page.Write(out, o.text(ctx, all, rows))
}

// at says at which commit and with which limits rows are measured now.
func (o order) at(ctx context.Context) string {
	return fmt.Sprintf("%s with -total %v -fair %v -schedules %d", o.page.Of(ctx), o.total, o.fair, o.schedules)
}

// measureAll measures flakes, one at a time.
func (o order) measureAll(ctx context.Context, wanted []flake, rows map[string]*row, errs io.Writer) error {
	b := bench{o.folder}
	if b.folder == "" {
		dir, err := os.MkdirTemp("", "jacquard-flakes-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		b.folder = dir
	}
	if o.jacquard == "" {
		o.jacquard = filepath.Join(b.folder, "jacquard")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", o.jacquard, "github.com/jacquard-go/jacquard/cmd/jacquard").CombinedOutput(); err != nil {
			return fmt.Errorf("building jacquard: %w: %s", err, out)
		}
	}
	at := o.at(ctx)
	for _, f := range wanted {
		fmt.Fprintf(errs, "%s…\n", f.name)
		r := o.measure(ctx, b, f)
		r.At = at
		if err := ctx.Err(); err != nil {
			return err
		}
		rows[f.name] = &r
		if err := o.keep(rows); err != nil {
			return err
		}
	}
	return nil
}

// earlier returns the rows of the file of results.
func (o order) earlier() (map[string]*row, error) {
	rows := map[string]*row{}
	if o.results == "" {
		return rows, nil
	}
	text, err := os.ReadFile(o.results)
	if errors.Is(err, os.ErrNotExist) {
		return rows, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("%s: %w", o.results, err)
	}
	return rows, nil
}

// keep writes the file of results.
func (o order) keep(rows map[string]*row) error {
	if o.results == "" {
		return nil
	}
	text, err := json.MarshalIndent(rows, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(o.results, text, 0o644)
}
