// Package mutations breaks the cache in one line at a time and reports which guarantee
// turns red under the explorer: a guarantee whose key line can be broken unnoticed is
// not checked. It also breaks the explorer, and reports what internal/litmus finds, and
// the plan service, and reports which instrument finds what.
package mutations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench"
	"github.com/jacquard-go/jacquard/internal/command"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// An order holds the options of the command line.
type order struct {
	tree      string
	explorer  bool          // break the explorer, and not the cache
	time      time.Duration // for litmus, for each mutation of the explorer
	schedules int
	name      string // of the mutations, or a part of it; empty is all
}

// Command breaks the cache.
func Command() *cobra.Command {
	var o order
	cmd := &cobra.Command{
		Use:   "mutations [NAME]",
		Short: "break the cache, or the explorer, a line at a time: each must be found",
		Long: `mutations makes the changes with these words in their name, or all of them, in a copy of the
tree. The exit status is 0 only if every one of them is found.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.name = strings.Join(args, " ")
			return o.run(cmd.Context(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&o.tree, "tree", "..", "the root of the `checkout`")
	cmd.Flags().BoolVar(&o.explorer, "explorer", false, "break the explorer, and try generated programs")
	cmd.Flags().DurationVar(&o.time, "time", 2*time.Minute, "of generated programs, if nothing is found earlier")
	cmd.Flags().IntVar(&o.schedules, "schedules", 3000, "run `n` schedules of each row")
	cmd.AddCommand(foundCommand())
	return cmd
}

// errUnnoticed says that no row turned red.
var errUnnoticed = errors.New("unnoticed")

func (o order) run(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "jacquard-mutations-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := copyTree(dir, o.tree); err != nil {
		return err
	}
	in, all := filepath.Join(dir, "cache"), mutations
	if o.explorer {
		in, all = filepath.Join(dir, "internal"), planted
	}
	lines := make([]string, len(all))
	for i, m := range all {
		lines[i] = m.line(in)
	}
	if err := mutate(in, all); err != nil {
		return err
	}
	try, err := o.trial(ctx, dir)
	if err != nil {
		return err
	}
	unnoticed, tried := 0, 0
	for i, m := range all {
		if !m.called(o.name) {
			continue
		}
		tried++
		verdict, err := try(m, i+1)
		if errors.Is(err, errUnnoticed) {
			unnoticed++
			verdict = "UNNOTICED"
		} else if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		fmt.Fprintf(out, "%-24s %-62s %-20s %s\n", m.file+":"+lines[i], m.name, m.rows, verdict)
	}
	if unnoticed > 0 || tried == 0 {
		return command.Wrong(fmt.Errorf("%d of %d: %w", unnoticed, tried, errUnnoticed))
	}
	return nil
}

// trial returns a function that tries the mutation with a number and returns what was found.
func (o order) trial(ctx context.Context, dir string) (func(m mutation, number int) (string, error), error) {
	if o.explorer {
		return func(_ mutation, number int) (string, error) { return litmus(ctx, dir, number, o.time) }, nil
	}
	binary, err := toolchain.Build(ctx, toolchain.Request{Dir: filepath.Join(dir, "bench"), Package: bench.Program, Cache: filepath.Join(dir, "built")})
	return func(m mutation, number int) (string, error) { return m.try(ctx, binary, dir, number, o.schedules) }, err
}

// copyTree copies the files that the nested module needs.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o600)
	})
}

// A mutation is a change that breaks a guarantee.
type mutation struct {
	name     string // what it breaks
	file     string // of package cache, or below internal
	old, new string // old occurs once in the file
	rows     string // rows of which at least one must turn red
}

// called reports whether the name contains words as whole words, so that M1 does not
// match M10. Every name contains the empty text.
func (m mutation) called(words string) bool {
	return words == "" || regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(words)+`(\W|$)`).MatchString(m.name)
}

// apply returns the text of the file with the change in it.
func (m mutation) apply(text string) (string, error) {
	if n := strings.Count(text, m.old); n != 1 {
		return "", fmt.Errorf("%s has %q %d times, want it once", m.file, m.old, n)
	}
	return strings.Replace(text, m.old, m.new, 1), nil
}

// line returns the number of the changed line.
func (m mutation) line(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, m.file))
	if err != nil {
		return "?"
	}
	before, _, _ := strings.Cut(string(text), m.old)
	// If the old text has several lines, the first one that differs counts.
	same := 0
	for same < min(len(m.old), len(m.new)) && m.old[same] == m.new[same] {
		same++
	}
	return fmt.Sprint(1 + strings.Count(before, "\n") + strings.Count(m.old[:same], "\n"))
}

// try explores the rows with the mutation of that number. It returns the line of the row that turned red.
func (m mutation) try(ctx context.Context, binary, dir string, number, schedules int) (string, error) {
	for _, id := range strings.Fields(m.rows) {
		cmd := exec.CommandContext(ctx, binary, "explored", fmt.Sprint("-schedules=", schedules), id)
		cmd.Env = append(executable.Env(os.Environ(), dir), fmt.Sprint(mutantEnv, "=", number))
		text, err := cmd.Output()
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			// The mutation killed the process that explores, so it was noticed.
			return id + ": the process ends: " + err.Error(), nil
		}
		var v struct {
			Verdict, Kind, Summary string
			Schedules              int
		}
		if err := json.Unmarshal(text, &v); err != nil {
			return "", err
		}
		switch v.Verdict {
		case "violated":
			return fmt.Sprintf("%s: %s after %d schedules", id, v.Kind, v.Schedules), nil
		case "unknown":
			return fmt.Sprintf("%s: %s", id, v.Summary), nil
		}
	}
	return "", errUnnoticed
}
