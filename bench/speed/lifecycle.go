package speed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/internal/cputime"
	"github.com/jacquard-go/jacquard/internal/postgres"
)

// The plan service is measured on each kind of store. The levels of a read, which are
// compared, are measured in one process, one after the other.
var lifecycle = subject{
	name:    "lifecycle",
	short:   "what the plan service costs on each store, cached and uncached",
	rounds:  21,
	each:    20 * time.Millisecond,
	place:   measure.Place{Begin: "<!-- lifecycle: written by make bench-lifecycle -->", End: "<!-- lifecycle: end -->"},
	prepare: prepareLifecycle,
	table:   lifecycleTable,
}

// lifecycleStores are the stores by the names that the benchmarks give them,
// PostgreSQL last.
var lifecycleStores = [...]struct{ name, title string }{
	{"memory", "memory"},
	{"sqlite_in_memory", "SQLite in memory"},
	{"sqlite_file", "SQLite file"},
	{"postgres", "PostgreSQL"},
}

// prepareLifecycle builds the tests of the service and starts a PostgreSQL
// server, for all rounds, unless there is one.
func prepareLifecycle(ctx context.Context, dir string, progress io.Writer) (p prepared, err error) {
	binary := filepath.Join(dir, "lifecycle.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, "github.com/jacquard-go/jacquard/lifecycle")
	build.Stderr = progress
	if err := build.Run(); err != nil {
		return p, fmt.Errorf("%s: %w", build, err)
	}
	for _, store := range lifecycleStores {
		p.lanes = append(p.lanes, lane{name: store.name, binary: binary, bench: "/^" + store.name + "$"})
	}
	last := len(p.lanes) - 1 // PostgreSQL's
	server, err := postgres.Open(ctx)
	switch {
	case errors.Is(err, postgres.ErrMissing):
		p.lanes, p.note = p.lanes[:last], fmt.Sprintf("PostgreSQL was not measured: %v.\n\n", err)
		return p, nil
	case err != nil:
		return p, err
	case server.Own():
		p.note = "PostgreSQL is a throw-away server on the same machine, over a Unix socket, which does not sync to the disk.\n\n"
	}
	p.done = server.Close
	p.lanes[last].env = []string{postgres.DSN + "=" + server.URL()}
	return p, nil
}

// A read has a figure at each level.
var (
	lifecycleReads = [...]struct{ benchmark, what string }{
		{"GetPlan", "get plan"},
		{"GetPlanTogether", "get plan, 4 goroutines a processor"},
		{"GetAction", "get action"},
		{"ListPlans", "list 100 plans"},
	}
	lifecycleLevels = [...]struct{ name, what string }{
		{"default", "the latest state"},
		{"recent", "`Recent`"},
		{"uncached", "without a cache"},
	}
	lifecycleWrites = [...]struct{ benchmark, what, unit string }{
		{"UseAction", "use action, which makes a plan", "ns/op"},
		{"Transition", "transition", "ns/op"},
		{"TransitionContended", "transition that 4 goroutines a processor want", "ns/transition"},
		{"RecordChange", "record change", "ns/op"},
	}
)

// lifecycleTable returns the medians. A cached read is followed, in brackets, by the ratio
// of its processor time to that of the uncached read.
func lifecycleTable(all figures) string {
	var b strings.Builder
	b.WriteString("| |")
	for _, store := range lifecycleStores {
		fmt.Fprintf(&b, " %s |", store.title)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|", len(lifecycleStores)) + "\n")
	row := func(what string, cell func(store string) string) {
		fmt.Fprintf(&b, "| %s |", what)
		for _, store := range lifecycleStores {
			fmt.Fprintf(&b, " %s |", cell(store.name))
		}
		b.WriteString("\n")
	}
	for _, read := range lifecycleReads {
		for _, level := range lifecycleLevels {
			row(read.what+", "+level.what, func(store string) string { return all.read(store, read.benchmark, level.name) })
		}
	}
	for _, write := range lifecycleWrites {
		row(write.what, func(store string) string { return all.write(store, write.benchmark, write.unit) })
	}
	b.WriteString("\nWhat the cached reads are held to, as median of the rounds' ratios of processor time to the same read without a cache,\nthe worst of each line:\n\n")
	for _, d := range lifecycleDemands {
		b.WriteString(d.verdict(all))
	}
	return b.String()
}

// read returns the cell of a read at a level.
func (all figures) read(store, benchmark, level string) string {
	name := benchmark + "/" + store + "/"
	samples := all.of(store, name+level, "ns/op")
	if len(samples) == 0 {
		return "–"
	}
	cell := duration(measure.Median(samples))
	if ratio := all.ratio(store, benchmark, level); level != "uncached" && !math.IsNaN(ratio) {
		cell += fmt.Sprintf(" (%.2g)", ratio)
	}
	return cell + all.allocations(store, name+level)
}

// ratio returns the processor time of a read at a level divided by that without a
// cache.
func (all figures) ratio(store, benchmark, level string) float64 {
	name := benchmark + "/" + store + "/"
	return measure.Ratio(all.of(store, name+level, cputime.Unit), all.of(store, name+"uncached", cputime.Unit))
}

// write returns the cell of a change.
func (all figures) write(store, benchmark, unit string) string {
	name := benchmark + "/" + store
	samples := all.of(store, name, unit)
	if len(samples) == 0 {
		return "–"
	}
	ns := measure.Median(samples)
	return fmt.Sprintf("%s: %.0f a second%s", duration(ns), 1e9/ns, all.allocations(store, name))
}

func (all figures) allocations(store, name string) string {
	return fmt.Sprintf("; %.0f allocs", measure.Median(all.of(store, name, "allocs/op")))
}

// duration formats nanoseconds with three digits.
func duration(ns float64) string {
	unit := "ns"
	for _, greater := range []string{"µs", "ms", "s"} {
		if ns < 999.5 {
			break
		}
		ns, unit = ns/1e3, greater
	}
	digits := 2
	switch {
	case ns >= 99.95 || unit == "ns":
		digits = 0
	case ns >= 9.995:
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, ns, unit)
}

// A demand is a requirement on the cached reads of a level.
type demand struct {
	text   string
	level  string
	bound  float64
	reads  []string
	stores []string
}

var (
	onSQLite     = []string{"sqlite_in_memory", "sqlite_file"}
	onAny        = append([]string{"postgres"}, onSQLite...)
	ofOne, ofAll = []string{"GetPlan", "GetAction"}, []string{"ListPlans"}
)

var lifecycleDemands = [...]demand{
	{"the latest state of a plan or an action: at most a third, on SQLite", "default", 1. / 3, ofOne, onSQLite},
	{"the latest listing: the same", "default", 1. / 3, ofAll, onSQLite},
	{"`Recent`, a plan or an action: at most a twentieth, on SQLite and PostgreSQL", "recent", 1. / 20, ofOne, onAny},
	{"`Recent`, a listing: the same", "recent", 1. / 20, ofAll, onAny},
}

// verdict says whether the demand is met, on the stores that were measured.
func (d demand) verdict(all figures) string {
	met := true
	var said []string
	for _, store := range d.stores {
		worst := 0.
		for _, read := range d.reads {
			if ratio := all.ratio(store, read, d.level); !math.IsNaN(ratio) {
				worst = max(worst, ratio)
			}
		}
		if worst > 0 {
			said = append(said, fmt.Sprintf("%s %.3f", store, worst))
			met = met && worst <= d.bound
		}
	}
	return measure.Verdict(d.text, met, strings.Join(said, ", "))
}
