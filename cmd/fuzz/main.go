// Command fuzz runs the fuzz targets of package fuzz under control, one after the other, each from an empty corpus, and ends in a table:
// what each has run, what of it was new, how many interleavings that differ it came through, what it found and how to replay that.
//
//	go run ./cmd/fuzz -time 60s -run 'R.Reported'
//
// The specimens are there to be found: the table says of each whether it was. What is found in anything else goes into the corpus and
// makes the exit status 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/races"
)

// errFound says that something was found that must not be there.
var errFound = errors.New("found in what must hold")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	pkg, time, minimise string
	pattern             *regexp.Regexp
	parallel            int
	keep                bool
	verbose             bool
}

func run(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	flags.StringVar(&o.pkg, "package", "./fuzz", "the package with the targets")
	flags.StringVar(&o.time, "time", "60s", "how long each target is fuzzed, or how many inputs it gets, as 500x")
	flags.StringVar(&o.minimise, "minimise", "50x", "how long a failing input is made shorter, or in how many tries, as 100x")
	pattern := flags.String("run", "", "a regular expression: the targets to fuzz")
	flags.IntVar(&o.parallel, "parallel", runtime.GOMAXPROCS(0), "how many processes fuzz a target")
	flags.BoolVar(&o.keep, "keep", false, "put the failing inputs of specimens, too, into the corpus in testdata of the package")
	flags.BoolVar(&o.verbose, "v", false, "show what the targets write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if o.pattern, err = regexp.Compile(*pattern); err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	binary, err := toolchain.Build(ctx, toolchain.Request{Package: o.pkg, Test: true, Fuzz: true, Progress: func(line string) { fmt.Fprintln(os.Stderr, line) }})
	if err != nil {
		return err
	}
	targets, err := list(ctx, binary, o.pattern)
	if err != nil {
		return err
	}
	var rows []row
	var failed error
	for _, target := range targets {
		if ctx.Err() != nil {
			break // what is done is told
		}
		began := time.Now()
		r, err := fuzz(ctx, o, binary, target)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", target, err))
			continue
		}
		rows = append(rows, r)
		fmt.Fprintf(os.Stderr, "%-18s %s after %v\n", target, r.verdict(), time.Since(began).Round(time.Second))
	}
	fmt.Print(table(rows))
	if slices.ContainsFunc(rows, row.wrong) {
		return errors.Join(failed, errFound)
	}
	return failed
}

// list names the targets of a test binary.
func list(ctx context.Context, binary string, pattern *regexp.Regexp) ([]string, error) {
	out, err := exec.CommandContext(ctx, binary, "-test.list=^Fuzz").Output()
	if err != nil {
		return nil, fmt.Errorf("list the targets: %w", err)
	}
	var targets []string
	for _, target := range strings.Fields(string(out)) {
		if pattern.MatchString(target) {
			targets = append(targets, target)
		}
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("no target matches %q", pattern)
	}
	return targets, nil
}

var cellName = regexp.MustCompile(`^Fuzz([A-Z]\d+)([A-Z]\w+)$`)

// wanted is what must come of a target. Those named after a cell of the catalogue must come to what the cell must; all others must hold.
func wanted(target string) races.Want {
	if name := cellName.FindStringSubmatch(target); name != nil {
		if _, cell, err := races.Find(name[1] + "/" + name[2]); err == nil {
			return cell.Want
		}
	}
	return races.Holds
}
