// Command mutations breaks the cache in one line at a time and says which guarantee turns red under the explorer: a
// guarantee whose key line can be broken unnoticed is not checked.
//
//	go run ./cmd/mutations                  all of them, some minutes
//	go run ./cmd/mutations -schedules 9000 publish
//
// It works on a copy of the tree. The exit status is 0 only if every mutation is found.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "mutations:", err)
		os.Exit(1)
	}
}

// errUnnoticed: no row turned red.
var errUnnoticed = errors.New("unnoticed")

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	f := flag.NewFlagSet("mutations", flag.ContinueOnError)
	f.SetOutput(errs)
	tree := f.String("tree", "../..", "the root of the repository")
	schedules := f.Int("schedules", 3000, "schedules for each row")
	if err := f.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "jacquard-mutations-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := copyTree(dir, *tree); err != nil {
		return err
	}
	lines := make([]string, len(mutations))
	for i, m := range mutations {
		lines[i] = m.line(dir)
	}
	if err := mutate(filepath.Join(dir, "cache"), mutations); err != nil {
		return err
	}
	binary, err := toolchain.Build(ctx, toolchain.Request{Dir: filepath.Join(dir, "cache", "bench"), Package: "./cmd/explored", Cache: filepath.Join(dir, "built")})
	if err != nil {
		return err
	}
	unnoticed, tried := 0, 0
	for i, m := range mutations {
		if !strings.Contains(m.name, strings.Join(f.Args(), " ")) {
			continue
		}
		tried++
		verdict, err := m.try(ctx, binary, dir, i+1, *schedules)
		if errors.Is(err, errUnnoticed) {
			unnoticed++
			verdict = "UNNOTICED"
		} else if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		fmt.Fprintf(out, "%-14s %-62s %-20s %s\n", m.file+":"+lines[i], m.name, m.rows, verdict)
	}
	if unnoticed > 0 || tried == 0 {
		return fmt.Errorf("%d of %d: %w", unnoticed, tried, errUnnoticed)
	}
	return nil
}

// copyTree copies what the nested module is built of.
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
	file     string // of package cache
	old, new string // text that occurs once
	rows     string // that must turn red, or one of them
}

// apply returns the text of the file with the change in it.
func (m mutation) apply(text string) (string, error) {
	if n := strings.Count(text, m.old); n != 1 {
		return "", fmt.Errorf("cache/%s has %q %d times, want it once", m.file, m.old, n)
	}
	return strings.Replace(text, m.old, m.new, 1), nil
}

// line is the number of the line that is changed.
func (m mutation) line(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "cache", m.file))
	if err != nil {
		return "?"
	}
	before, _, _ := strings.Cut(string(text), m.old)
	// Where several lines say which place is meant, the first one that differs counts.
	same := 0
	for same < min(len(m.old), len(m.new)) && m.old[same] == m.new[same] {
		same++
	}
	return fmt.Sprint(1 + strings.Count(before, "\n") + strings.Count(m.old[:same], "\n"))
}

// try explores the rows with the mutation of that number. It returns the line of the row that turned red.
func (m mutation) try(ctx context.Context, binary, dir string, number, schedules int) (string, error) {
	for _, id := range strings.Fields(m.rows) {
		cmd := exec.CommandContext(ctx, binary, fmt.Sprint("-schedules=", schedules), id)
		cmd.Env = append(executable.Env(os.Environ(), dir), fmt.Sprint(mutantEnv, "=", number))
		text, err := cmd.Output()
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			// The process that explores died of it, which is a way to notice.
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
