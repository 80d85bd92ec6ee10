package speed

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/jacquard-go/jacquard/bench"
	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/bench/speed/caches"
	"github.com/jacquard-go/jacquard/internal/command"
)

// A caching holds the options of the command cache.
type caching struct {
	cfg  caches.Config
	rows string
	page measure.Page
}

// cacheCommand measures the cache and its peers; see package caches.
func cacheCommand() *cobra.Command {
	var o caching
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "what the cache and its peers cost",
		Args:  command.Arguments(0, 0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().IntVar(&o.cfg.Rounds, "rounds", 31, "have each peer take `n` turns in each row")
	cmd.Flags().IntVar(&o.cfg.Large, "large", 1<<20, "put `n` keys into the large caches")
	cmd.Flags().IntVar(&o.cfg.Turn, "turn", 1<<17, "make `n` calls in a turn")
	cmd.Flags().IntVar(&o.cfg.Slow, "slow", 100, "let the slow creation take `n` ms")
	cmd.Flags().StringVar(&o.rows, "rows", "", "measure only the rows with this `part` in their name")
	o.page.Flags(cmd)
	return cmd
}

func (o caching) run(ctx context.Context, out, progress io.Writer) error {
	var rows []caches.Measured
	for _, row := range caches.Rows() {
		if !strings.Contains(row.Name, o.rows) {
			continue
		}
		start := time.Now()
		results, err := row.Measure(ctx, o.cfg)
		if err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
		rows = append(rows, caches.Measured{Row: row, Results: results})
		fmt.Fprintf(progress, "%s: %v\n", row.Name, time.Since(start).Round(time.Millisecond))
	}
	if len(rows) == 0 {
		return fmt.Errorf("no row has %q in its name", o.rows)
	}
	text, err := o.text(ctx, rows)
	if err != nil {
		return err
	}
	return o.page.WriteInto(place, out, text)
}

// place is the place of the table in BENCHMARKS.md.
var place = measure.Place{Begin: "<!-- cache: written by make bench-cache -->", End: "<!-- cache: end -->"}

// text returns the table, and where and how it was measured, without which it is worthless.
func (o caching) text(ctx context.Context, rows []caches.Measured) (string, error) {
	var b bytes.Buffer
	b.WriteString("\n" + o.page.Made(ctx, measure.Load()))
	b.WriteString(versions() + "\n\n")
	if err := caches.WriteTable(&b, rows); err != nil {
		return "", err
	}
	b.WriteString("\nWhat the cache is held to, as median of the rounds' ratios, row by row:\n\n")
	for _, d := range caches.Demands() {
		if said, ok := d.Met(rows); said != "" {
			b.WriteString(measure.Verdict(d.Text, ok, said))
		}
	}
	b.WriteString("\n")
	return b.String(), nil
}

// versions lists the libraries with their versions.
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
