package speed

import (
	"strings"

	"github.com/jacquard-go/jacquard/bench/measure"
)

// A figure is one result of a benchmark.
type figure struct {
	lane string
	measure.Figure
}

// String is the figure as go test -bench writes it, the lane being part of the
// benchmark's name.
func (f figure) String() string {
	lane := strings.ReplaceAll(f.lane, " ", "_")
	if !strings.Contains(f.Benchmark, "/"+lane) {
		f.Benchmark += "/" + lane
	}
	return f.Figure.String()
}

type figures []figure

// of returns the numbers of a benchmark of a lane in a unit, one for each round.
func (all figures) of(lane, benchmark, unit string) (samples []float64) {
	for _, f := range all {
		if f.lane != lane || f.Benchmark != benchmark {
			continue
		}
		if n, ok := f.In(unit); ok {
			samples = append(samples, n)
		}
	}
	return samples
}
