// Command speed measures what a scheduling step costs, against a round trip of
// iter.Pull, which is the cheapest switch between goroutines that Go has.
//
//	go run ./cmd/speed
//
// It builds the explorer's tests under control, with the race detector and
// without it, and runs their benchmarks, one build after the other in each of
// several rounds, so that what else the machine does falls on both. It writes
// each figure as go test -bench does, for benchstat, and then a table of the
// medians. Figures are processor time.
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// measured is the package whose benchmarks are run.
const measured = "github.com/jacquard-go/jacquard/explore"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

// An order is what the command line asks for.
type order struct {
	rounds int
	time   time.Duration // for each benchmark of a round
}

func parse(args []string, errs io.Writer) (o order, err error) {
	f := flag.NewFlagSet("speed", flag.ContinueOnError)
	f.SetOutput(errs)
	f.IntVar(&o.rounds, "rounds", 10, "how often each benchmark is run in each build")
	f.DurationVar(&o.time, "time", 200*time.Millisecond, "for each benchmark of a round")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.rounds < 1 || o.time <= 0 || f.NArg() > 0 {
		return o, fmt.Errorf("got %d rounds of %v and arguments %q, want at least 1, more than 0 and none", o.rounds, o.time, f.Args())
	}
	return o, nil
}

// run measures both builds and writes what it finds.
func run(ctx context.Context, args []string, out, errs io.Writer) error {
	o, err := parse(args, errs)
	if err != nil {
		return err
	}
	binaries := make([]string, len(builds))
	for i, b := range builds {
		request := toolchain.Request{Package: measured, Test: true, NoRace: b.norace, Progress: func(line string) { fmt.Fprintln(errs, line) }}
		if binaries[i], err = toolchain.Build(ctx, request); err != nil {
			return err
		}
	}
	var all []figure
	for round := range o.rounds {
		for i, b := range builds {
			text, err := bench(ctx, binaries[i], o.time)
			if err != nil {
				return fmt.Errorf("%s: %w", b.name, err)
			}
			head, figures := read(text, b.name)
			if len(figures) == 0 {
				return fmt.Errorf("%s: got no figures from\n%s", b.name, text)
			}
			if round == 0 && i == 0 {
				fmt.Fprint(out, head)
			}
			for _, f := range figures {
				fmt.Fprintln(out, f)
			}
			all = append(all, figures...)
		}
	}
	_, err = fmt.Fprint(out, "\n", table(all))
	return err
}

// bench runs the benchmarks once.
func bench(ctx context.Context, binary string, each time.Duration) (string, error) {
	dir, err := os.MkdirTemp("", "jacquard-speed-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.bench=.", "-test.benchtime="+each.String())
	cmd.Dir = dir
	cmd.Env = executable.Env(os.Environ(), dir)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%w\n%s", cmp.Or(context.Cause(ctx), err), strings.TrimSpace(text.String()))
	}
	return text.String(), nil
}
