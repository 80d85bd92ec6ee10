package explore_test

import (
	"iter"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/internal/bodies"
)

// BenchmarkStep is the cost of one scheduling decision and the switch that
// follows. Compare with BenchmarkPull, a switch of the runtime's own.
func BenchmarkStep(b *testing.B) {
	if !explore.Controlled() {
		b.Skip("not under control; see make bench-explore")
	}
	// The body is run four times: three of them to see that it is repeatable.
	cfg := explore.Config{Name: b.Name(), MaxSteps: 1 << 30, Plan: []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 1}}}
	_, err := explore.Run(b.Context(), cfg, func(t *explore.T) { bodies.Steps(t, b.N/8+1) })
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkPull(b *testing.B) {
	next, stop := iter.Pull(func(yield func(int) bool) {
		for yield(1) {
		}
	})
	defer stop()
	for b.Loop() {
		next()
	}
}
