package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A build is one of those that are compared.
type build struct {
	name   string
	norace bool
}

var builds = [...]build{{"race detector", false}, {"no race detector", true}}

// unit is that of the figures: nanoseconds of processor time.
const unit = "cpu-ns/op"

// A figure is one result of a benchmark.
type figure struct {
	build, benchmark string
	turns            string // how many were measured
	ns               float64
}

// String is the figure as go test -bench writes it, the build being part of the
// benchmark's name.
func (f figure) String() string {
	return fmt.Sprintf("Benchmark%s/%s \t%s\t%.4g %s", f.benchmark, strings.ReplaceAll(f.build, " ", "_"), f.turns, f.ns, unit)
}

var (
	resultLine = regexp.MustCompile(`(?m)^Benchmark(\w+)\S*\s+(\d+)\s+([0-9.e+]+) ` + unit + `\b`)
	headLine   = regexp.MustCompile(`(?m)^(goos|goarch|pkg|cpu): .*\n`)
)

// read finds the figures in what a benchmark binary writes, and the lines in
// front of them that say on what machine.
func read(text, build string) (head string, all []figure) {
	for _, m := range resultLine.FindAllStringSubmatch(text, -1) {
		ns, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			continue // not a figure
		}
		all = append(all, figure{build: build, benchmark: m[1], turns: m[2], ns: ns})
	}
	return strings.Join(headLine.FindAllString(text, -1), ""), all
}

// rows are the benchmarks in the table, and what they measure.
var rows = [...]struct{ benchmark, what string }{
	{"Pull", "round trip of `iter.Pull`"},
	{"Turnstile", "round trip by two channels"},
	{"Control", "step without the explorer"},
	{"Atomics", "step of an exploration, atomics"},
	{"Channels", "step of an exploration, channels"},
	{"Execution", "execution of a small body"},
}

// table is a page in Markdown of the medians and how they compare with Pull.
func table(all []figure) string {
	var b strings.Builder
	b.WriteString("| median of processor time |")
	for _, build := range builds {
		fmt.Fprintf(&b, " %s | × `iter.Pull` |", build.name)
	}
	b.WriteString("\n|---|" + strings.Repeat("--:|--:|", len(builds)) + "\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s |", row.what)
		for _, build := range builds {
			ns, pull := median(all, build.name, row.benchmark), median(all, build.name, "Pull")
			if row.benchmark == "Execution" {
				fmt.Fprintf(&b, " %.1f µs: %.0f a second | |", ns/1e3, 1e9/ns)
			} else {
				fmt.Fprintf(&b, " %.0f ns | %.2f |", ns, ns/pull)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// median is that of a benchmark's figures in a build; NaN if there are none.
func median(all []figure, build, benchmark string) float64 {
	var ns []float64
	for _, f := range all {
		if f.build == build && f.benchmark == benchmark {
			ns = append(ns, f.ns)
		}
	}
	slices.Sort(ns)
	if n := len(ns); n > 0 {
		return (ns[(n-1)/2] + ns[n/2]) / 2
	}
	return math.NaN()
}
