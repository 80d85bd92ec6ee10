package caches

import (
	"context"
	"runtime"

	"github.com/jacquard-go/jacquard/bench/peers"
)

func bytesRows() []Row {
	return []Row{
		{Name: "bytes an entry, 1M int keys", Unit: "B", measure: footprint(number)},
		{Name: "bytes an entry, 1M string keys, without the strings' own", Unit: "B", measure: footprint(text)},
	}
}

// footprint measures the heap that a cache uses when it has grown to its size. It measures once: the figure does not vary.
func footprint[K comparable](key func(int) K) func(context.Context, Config) ([]Result, error) {
	return func(ctx context.Context, cfg Config) ([]Result, error) {
		keys := make([]K, cfg.Large)
		for i := range keys {
			keys[i] = key(i)
		}
		return interleave(ctx, 1, lanesFor[K](func(name peers.Name) func(int) (float64, string, error) {
			return func(int) (float64, string, error) {
				before := inUse()
				c, err := open[K, int](name, len(keys))
				if err != nil {
					return 0, "", err
				}
				fill(c, keys)
				after := inUse()
				runtime.KeepAlive(keys)
				shut(c)
				return (after - before) / float64(len(keys)), "", nil
			}
		}))
	}
}

func inUse() float64 {
	runtime.GC()
	runtime.GC() // the first collection may have left finalizers
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
