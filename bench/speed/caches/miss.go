package caches

import (
	"context"
	"runtime"
	"time"

	"github.com/jacquard-go/jacquard/bench/peers"
)

// leaving ends the names of rows of callers whose context can end. Peers that create on the caller's goroutine do not let it
// leave even then, so only demands that say so compare ours with their time.
const leaving = " by callers that can leave"

// A caller makes the context of a call.
type caller func() (context.Context, context.CancelFunc)

func bound() (context.Context, context.CancelFunc) { return context.Background(), func() {} }

func free() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) }

func missRows() []Row {
	return []Row{
		{Name: "miss", Unit: "ns", measure: misses(bound)},
		{Name: "miss" + leaving, Unit: "ns", measure: misses(free)},
	}
}

// misses measures a creation by a creator that does nothing, in a cache that starts empty and grows. It goes through the
// whole of Turn/2 keys, so the growing and the garbage are in the figure.
func misses(by caller) func(context.Context, Config) ([]Result, error) {
	return func(ctx context.Context, cfg Config) ([]Result, error) {
		n := max(1, cfg.Turn/2)
		as, done := by()
		defer done()
		return interleave(ctx, cfg.Rounds, lanesFor[int](func(name peers.Name) func(int) (float64, string, error) {
			return func(int) (float64, string, error) { return missAll(as, name, n) }
		}))
	}
}

func missAll(ctx context.Context, name peers.Name, n int) (float64, string, error) {
	runtime.GC() // collects the garbage of the previous peer
	c, err := open[int, int](name, n)
	if err != nil {
		return 0, "", err
	}
	defer shut(c)
	before := mallocs()
	start := time.Now()
	for k := range n {
		if _, err := c.GetOrCreate(ctx, k, zero); err != nil {
			return 0, "", err
		}
	}
	took := time.Since(start)
	return float64(took.Nanoseconds()) / float64(n), allocations(mallocs()-before, n), nil
}
