package measure

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Figure is the result of one run of a benchmark of package testing.
type Figure struct {
	Benchmark string // without the word Benchmark and without GOMAXPROCS: GetPlan/memory
	Turns     int
	Values    []Value
}

// A Value is a number in some unit, such as ns/op.
type Value struct {
	Number float64
	Unit   string
}

// In returns the number that the figure has in a unit.
func (f Figure) In(unit string) (number float64, ok bool) {
	for _, v := range f.Values {
		if v.Unit == unit {
			return v.Number, true
		}
	}
	return 0, false
}

// String returns the figure as go test -bench writes it, for benchstat.
func (f Figure) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Benchmark%s \t%d", f.Benchmark, f.Turns)
	for _, v := range f.Values {
		fmt.Fprintf(&b, "\t%.4g %s", v.Number, v.Unit)
	}
	return b.String()
}

var (
	resultLine = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?\s+(\d+)\s+(\S.*)$`)
	headLine   = regexp.MustCompile(`(?m)^(goos|goarch|pkg|cpu): .*\n`)
)

// Figures finds the figures in the output of a test binary, and the lines before
// them that describe the machine.
func Figures(text string) (head string, all []Figure) {
	for _, m := range resultLine.FindAllStringSubmatch(text, -1) {
		turns, err := strconv.Atoi(m[2])
		if err != nil {
			continue // more turns than any benchmark makes
		}
		if values, ok := values(strings.Fields(m[3])); ok {
			all = append(all, Figure{m[1], turns, values})
		}
	}
	return strings.Join(headLine.FindAllString(text, -1), ""), all
}

// values reads numbers with their units.
func values(words []string) (all []Value, ok bool) {
	for ; len(words) > 1; words = words[2:] {
		number, err := strconv.ParseFloat(words[0], 64)
		if err != nil {
			return nil, false
		}
		all = append(all, Value{number, words[1]})
	}
	return all, len(words) == 0
}
