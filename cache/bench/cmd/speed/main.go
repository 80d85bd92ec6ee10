// Command speed measures what the cache and its peers cost and prints a table; see package speed.
//
//	go run ./cmd/speed                         a few minutes
//	go run ./cmd/speed -rows miss -rounds 9    only the rows with that in their name
//	go run ./cmd/speed -o ../../BENCHMARKS.md  put the table into its place there
//
// The exit status is 1 only if something could not be measured: whether the cache is as fast as it is meant to be is
// printed, and is for who reads it to judge, who knows what else the machine was doing.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/cache/bench"
	"github.com/jacquard-go/jacquard/cache/bench/speed"
	"github.com/jacquard-go/jacquard/internal/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		stop()
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	f := flag.NewFlagSet("speed", flag.ContinueOnError)
	f.SetOutput(progress)
	var cfg speed.Config
	f.IntVar(&cfg.Rounds, "rounds", 31, "turns of each peer in each row")
	f.IntVar(&cfg.Large, "large", 1<<20, "keys of the large caches")
	f.IntVar(&cfg.Turn, "turn", 1<<17, "calls in a turn")
	f.IntVar(&cfg.Slow, "slow", 100, "duration of the slow creation, in ms")
	named := f.String("rows", "", "measure only the rows with this in their name")
	document := f.String("o", "", "Markdown document with a place for the table")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("got arguments %q, want none", f.Args())
	}
	var rows []speed.Measured
	for _, row := range speed.Rows() {
		if !strings.Contains(row.Name, *named) {
			continue
		}
		start := time.Now()
		results, err := row.Measure(ctx, cfg)
		if err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
		rows = append(rows, speed.Measured{Row: row, Results: results})
		fmt.Fprintf(progress, "%s: %v\n", row.Name, time.Since(start).Round(time.Millisecond))
	}
	if len(rows) == 0 {
		return fmt.Errorf("no row has %q in its name", *named)
	}
	section, err := section(ctx, rows, args)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(out, section); err != nil || *document == "" {
		return err
	}
	return place.Write(*document, section)
}

// place is where the table belongs.
var place = measure.Place{Begin: "<!-- cache: written by make bench-cache -->", End: "<!-- cache: end -->"}

// section is the table with what it is worth nothing without: where it was measured, and how.
func section(ctx context.Context, rows []speed.Measured, args []string) (string, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n%s, by\n\n    cd cache/bench && go run ./cmd/speed %s\n\n", measure.Setting(ctx), strings.Join(args, " "))
	b.WriteString(versions() + "\n\n")
	if err := speed.WriteTable(&b, rows); err != nil {
		return "", err
	}
	b.WriteString("\nWhat the cache is held to, as median of the rounds' ratios, row by row:\n\n")
	for _, d := range speed.Demands() {
		if said, ok := d.Met(rows); said != "" {
			b.WriteString(measure.Verdict(d.Text, ok, said))
		}
	}
	b.WriteString("\n")
	return b.String(), nil
}

// versions names the libraries.
func versions() string {
	var all []string
	for _, module := range []string{
		"github.com/maypok86/otter/v2", "github.com/Yiling-J/theine-go", "github.com/jellydator/ttlcache/v3",
		"github.com/viccon/sturdyc", "github.com/puzpuzpuz/xsync/v3", "golang.org/x/sync",
	} {
		all = append(all, strings.TrimPrefix(module, "github.com/")+" "+bench.Version(module))
	}
	return "Libraries: " + strings.Join(all, ", ") + "."
}
