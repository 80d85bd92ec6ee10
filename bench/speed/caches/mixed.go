package caches

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/bench/peers"
)

func mixedRows() []Row {
	return []Row{{Name: "90 % get-or-create, 9 % set, 1 % delete, 64K keys, Zipf, all processors", Unit: "ns", measure: mixed}}
}

// mixed measures the calls of a mixture that all processors make at the same time. A deleted key is created again by the next
// call that asks for it.
func mixed(ctx context.Context, cfg Config) ([]Result, error) {
	n := min(1<<16, cfg.Large)
	keys := make([]string, n)
	for i := range keys {
		keys[i] = text(i)
	}
	procs := runtime.GOMAXPROCS(0)
	calls := max(1, cfg.Turn/4)
	order := drawn(keys, procs*calls, true)
	caches := map[peers.Name]peers.Cache[string, int]{}
	for _, name := range peers.All() {
		c, err := open[string, int](name, n)
		if err != nil {
			return nil, err
		}
		defer shut(c)
		fill(c, keys)
		caches[name] = c
	}
	runtime.GC()
	return interleave(ctx, cfg.Rounds, lanesFor[string](func(name peers.Name) func(int) (float64, string, error) {
		return func(round int) (float64, string, error) {
			var all sync.WaitGroup
			start := time.Now()
			for p := range procs {
				dice := rand.New(rand.NewPCG(uint64(round), uint64(p)))
				all.Go(func() { mix(ctx, caches[name], order[p*calls:(p+1)*calls], dice) })
			}
			all.Wait()
			return float64(time.Since(start).Nanoseconds()) / float64(calls), "", nil
		}
	}))
}

func mix(ctx context.Context, c peers.Cache[string, int], keys []string, dice *rand.Rand) {
	for _, k := range keys {
		switch roll := dice.Uint64N(100); {
		case roll < 90:
			_, _ = c.GetOrCreate(ctx, k, zero)
		case roll < 99:
			c.Set(k, 1)
		default:
			c.Delete(k)
		}
	}
}
