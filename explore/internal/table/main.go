// Command table measures how many schedules each strategy needs to find known
// bugs: the explorer's canaries, the classic bugs, and the documented races. It
// writes a page in Markdown, and on it which order of strategies the figures
// speak for.
//
//	go run ./explore/internal/table -o docs/strategies.md
//
// The seeds are 1, 2, 3 …, so the same program gives the same page. What it
// cannot tell is how often bugs of these sorts occur: each counts the same.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// program is the package that is built under control: this one.
const program = "github.com/jacquard-go/jacquard/explore/internal/table"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

// An order is what the command line asks for.
type order struct {
	seeds  int    // for each program and strategy
	limit  int    // schedules, for each of them
	commit string // that is measured
	file   string // for the page; empty is standard output
}

// run measures if it is under control, and else builds itself so that it is.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	o, err := parse(args, errs)
	if err != nil {
		return err
	}
	if !explore.Controlled() {
		return o.underControl(ctx, out, errs)
	}
	rows, err := measure(ctx, programs(), o.seeds, o.limit, errs)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, page(o, rows))
	return err
}

func parse(args []string, errs io.Writer) (o order, err error) {
	f := flag.NewFlagSet("table", flag.ContinueOnError)
	f.SetOutput(errs)
	f.IntVar(&o.seeds, "seeds", 20, "seeds for each program and strategy")
	f.IntVar(&o.limit, "limit", 1000, "schedules for each seed")
	f.StringVar(&o.commit, "commit", "", "the commit that is measured (default: what git says)")
	f.StringVar(&o.file, "o", "", "the file to write (default: standard output)")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.seeds < 1 || o.limit < 1 || f.NArg() > 0 {
		return o, fmt.Errorf("got %d seeds, limit %d and arguments %q, want at least 1, at least 1 and none", o.seeds, o.limit, f.Args())
	}
	return o, nil
}

// underControl runs this program, built anew under control, and writes its page.
func (o order) underControl(ctx context.Context, out, errs io.Writer) error {
	binary, err := toolchain.Build(ctx, toolchain.Request{Package: program})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "jacquard-table-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.commit == "" {
		o.commit = commit(ctx)
	}
	var written bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, fmt.Sprint("-seeds=", o.seeds), fmt.Sprint("-limit=", o.limit), "-commit="+o.commit, "-o="+o.file)
	cmd.Env = append(toolchain.Env(os.Environ(), dir), "TMPDIR="+dir)
	cmd.Stdout, cmd.Stderr = &written, errs
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("under control: %w", err)
	}
	if o.file == "" {
		_, err = out.Write(written.Bytes())
		return err
	}
	return os.WriteFile(o.file, written.Bytes(), 0o644)
}

// commit names the source, as well as git can.
func commit(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty= with uncommitted changes").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}
