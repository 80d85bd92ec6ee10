package caches

import (
	"context"
	"slices"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/bench/peers"
)

// Config says how much is measured. The zero value is what `make bench-cache` runs: a few minutes.
type Config struct {
	Rounds int // turns of each peer in a row; 0 means 31
	Large  int // keys of the large caches; 0 means 1 << 20
	Turn   int // calls in a turn of what takes nanoseconds; 0 means 1 << 17
	Slow   int // duration of the slow creation in ms; 0 means 100
}

func (c Config) filled() Config {
	fill := func(n *int, otherwise int) {
		if *n <= 0 {
			*n = otherwise
		}
	}
	fill(&c.Rounds, 31)
	fill(&c.Large, 1<<20)
	fill(&c.Turn, 1<<17)
	fill(&c.Slow, 100)
	return c
}

// small is the number of keys that fit into the nearest caches of the CPU.
const small = 1 << 10

// Row is a line of the table.
type Row struct {
	Name string
	Unit string
	// Digits are the digits behind the point.
	Digits  int
	measure func(context.Context, Config) ([]Result, error)
}

// Result is one peer's figure.
type Result struct {
	Peer    peers.Name
	Samples []float64 // one for each round, in the row's unit; less is better
	Note    string
}

// Value is the median of the samples.
func (r Result) Value() float64 { return measure.Median(r.Samples) }

// Measure measures the row. The error wraps ctx's if that ended first, or is of the library that failed.
func (r Row) Measure(ctx context.Context, cfg Config) ([]Result, error) {
	return r.measure(ctx, cfg.filled())
}

// Rows returns all rows, in the order of the table.
func Rows() []Row {
	return slices.Concat(hitRows(), mixedRows(), missRows(), callerRows(), latencyRows(), bytesRows())
}
