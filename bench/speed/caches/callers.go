package caches

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/bench/peers"
)

const coldKeys = "64 cold keys at once, 1 ms each: time per key"

func callerRows() []Row {
	return []Row{
		{Name: coldKeys, Unit: "µs", Digits: 1, measure: cold(bound)},
		{Name: coldKeys + leaving, Unit: "µs", Digits: 1, measure: cold(free)},
		{Name: "stampede, 256 callers of one key, 1 ms: time for all", Unit: "µs", measure: stampede},
	}
}

// cold measures how much creations of different keys delay each other: without delay, 64 take as long as one. Each is
// asked for by a goroutine that has done nothing else.
func cold(by caller) func(context.Context, Config) ([]Result, error) {
	const keys = 64
	return func(ctx context.Context, cfg Config) ([]Result, error) {
		as, done := by()
		defer done()
		return interleave(ctx, cfg.Rounds, lanesFor[int](func(name peers.Name) func(int) (float64, string, error) {
			return func(int) (float64, string, error) {
				took, _, err := atOnce(as, name, keys, func(i int) int { return i })
				return took / keys, "", err
			}
		}))
	}
}

func stampede(ctx context.Context, cfg Config) ([]Result, error) {
	return interleave(ctx, cfg.Rounds, lanesFor[int](func(name peers.Name) func(int) (float64, string, error) {
		worst := int64(0)
		return func(int) (float64, string, error) {
			took, creations, err := atOnce(ctx, name, 256, func(int) int { return 0 })
			worst = max(worst, creations)
			note := "1 creation"
			if worst != 1 {
				note = fmt.Sprint("up to ", worst, " creations")
			}
			return took, note, err
		}
	}))
}

// atOnce lets callers ask at the same time, each for its key, and returns the time until all had their values, in µs, and
// the number of creations.
func atOnce(ctx context.Context, name peers.Name, callers int, key func(int) int) (float64, int64, error) {
	c, err := open[int, int](name, callers)
	if err != nil {
		return 0, 0, err
	}
	defer shut(c)
	var creations atomic.Int64
	var failed atomic.Pointer[error]
	start := make(chan struct{})
	var ready, all sync.WaitGroup
	ready.Add(callers)
	for i := range callers {
		all.Go(func() {
			ready.Done()
			<-start
			_, err := c.GetOrCreate(ctx, key(i), func(context.Context) (int, error) {
				creations.Add(1)
				time.Sleep(time.Millisecond)
				return 1, nil
			})
			if err != nil {
				failed.Store(&err)
			}
		})
	}
	ready.Wait()
	began := time.Now()
	close(start)
	all.Wait()
	took := time.Since(began)
	if err := failed.Load(); err != nil {
		return 0, 0, *err
	}
	return float64(took.Nanoseconds()) / 1e3, creations.Load(), nil
}
