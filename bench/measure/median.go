package measure

import (
	"context"
	"math"
	"slices"
)

// Median returns the median of the samples, NaN if there are none.
func Median(samples []float64) float64 {
	n := len(samples)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(samples))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Ratio returns the median over the rounds of a's sample divided by b's in the
// same round, NaN if there is no round in which both have one.
func Ratio(a, b []float64) float64 {
	var ratios []float64
	for i := range min(len(a), len(b)) {
		ratios = append(ratios, a[i]/b[i])
	}
	return Median(ratios)
}

// Interleave gives each lane a turn in each round, in an order that shifts from
// round to round. It ends with the first error, or with ctx's between two turns.
func Interleave(ctx context.Context, rounds, lanes int, turn func(round, lane int) error) error {
	for round := range rounds {
		for i := range lanes {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := turn(round, (i+round)%lanes); err != nil {
				return err
			}
		}
	}
	return nil
}
