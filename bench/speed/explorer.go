package speed

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/internal/cputime"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// The explorer's steps are compared with a round trip of iter.Pull, which is
// Go's cheapest switch between goroutines: the explorer's benchmarks, built under
// control, with the race detector and without. Figures are processor time.
var explorer = subject{
	name:    "explore",
	short:   "what a scheduling step costs",
	rounds:  10,
	each:    200 * time.Millisecond,
	place:   measure.Place{Begin: "<!-- explorer: written by make bench-explore -->", End: "<!-- explorer: end -->"},
	prepare: prepareExplorer,
	table:   explorerTable,
}

var builds = [...]string{"race detector", "no race detector"}

func prepareExplorer(ctx context.Context, dir string, progress io.Writer) (p prepared, err error) {
	for i, name := range builds {
		l := lane{name: name, bench: ".", env: executable.Env(nil, dir)}
		l.binary, err = toolchain.Build(ctx, toolchain.Request{
			Package: "github.com/jacquard-go/jacquard/explore", Test: true, NoRace: i == 1,
			Progress: func(line string) { fmt.Fprintln(progress, line) },
		})
		if err != nil {
			return p, err
		}
		p.lanes = append(p.lanes, l)
	}
	return p, nil
}

// explorerRows are the benchmarks in the table, and what they measure.
var explorerRows = [...]struct{ benchmark, what string }{
	{"Pull", "round trip of `iter.Pull`"},
	{"Turnstile", "round trip by two channels"},
	{"Control", "step without the explorer"},
	{"Atomics", "step of an exploration, atomics"},
	{"Channels", "step of an exploration, channels"},
	{"Execution", "execution of a small body"},
}

// explorerTable returns the medians, and their ratios to Pull.
func explorerTable(all figures) string {
	var b strings.Builder
	b.WriteString("| median of processor time |")
	for _, build := range builds {
		fmt.Fprintf(&b, " %s | × `iter.Pull` |", build)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|--:|", len(builds)) + "\n")
	for _, row := range explorerRows {
		fmt.Fprintf(&b, "| %s |", row.what)
		for _, build := range builds {
			samples, pull := all.of(build, row.benchmark, cputime.Unit), all.of(build, "Pull", cputime.Unit)
			ns := measure.Median(samples)
			if row.benchmark == "Execution" {
				fmt.Fprintf(&b, " %.1f µs: %.0f a second | |", ns/1e3, 1e9/ns)
			} else {
				fmt.Fprintf(&b, " %.0f ns | %.2f |", ns, measure.Ratio(samples, pull))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
