package caches

import (
	"context"

	"github.com/maypok86/otter/v2"

	"github.com/jacquard-go/jacquard/bench/peers"
)

// loops is a filled cache of one library, with loops that call it directly: a call through an interface would cost as
// much as some of the hits. Each loop returns how many keys were missing.
type loops[K comparable] struct {
	get, obtain func(keys []K) (missed int)
	end         func()
}

// looper opens the loops of one peer.
type looper[K comparable] struct {
	peer peers.Name
	open func(keys []K) (loops[K], error)
}

func loopers[K comparable]() []looper[K] {
	all := []looper[K]{
		{peers.Ours, ourLoops[K]},
		{peers.OtterName, otterLoops[K]},
		{peers.TheineName, theineLoops[K]},
		{peers.TTLCacheName, ttlcacheLoops[K]},
		{peers.SyncMapName, syncMapLoops[K]},
		{peers.XsyncName, xsyncLoops[K]},
		{peers.FlightName, flightLoops[K]},
	}
	if sturdyc, ok := any(looper[string]{peers.SturdycName, sturdycLoops}).(looper[K]); ok {
		all = append(all, sturdyc)
	}
	return all
}

// fill sets all keys to their number.
func fill[K comparable](c peers.Cache[K, int], keys []K) {
	for i, k := range keys {
		c.Set(k, i)
	}
}

// zero is the creator that is never called.
func zero(context.Context) (int, error) { return 0, nil }

// count returns 1 for a missing key, and 0 otherwise.
func count(there bool) int {
	if there {
		return 0
	}
	return 1
}

func ourLoops[K comparable](keys []K) (loops[K], error) {
	p, err := peers.NewJacquard[K, int](0)
	if err != nil {
		return loops[K]{}, err
	}
	fill(p, keys)
	c, ctx := p.Cache, context.Background()
	return loops[K]{
		get: func(keys []K) (missed int) {
			for _, k := range keys {
				_, ok := c.Get(k)
				missed += count(ok)
			}
			return missed
		},
		obtain: func(keys []K) (missed int) {
			for _, k := range keys {
				_, err := c.GetOrCreate(ctx, k, zero)
				missed += count(err == nil)
			}
			return missed
		},
		end: func() { shut(c) },
	}, nil
}

func otterLoops[K comparable](keys []K) (loops[K], error) {
	p, err := peers.NewOtter[K, int](0)
	if err != nil {
		return loops[K]{}, err
	}
	fill(p, keys)
	c, ctx := p.Cache, context.Background()
	load := otter.LoaderFunc[K, int](func(context.Context, K) (int, error) { return 0, nil })
	return loops[K]{
		get: func(keys []K) (missed int) {
			for _, k := range keys {
				_, ok := c.GetIfPresent(k)
				missed += count(ok)
			}
			return missed
		},
		obtain: func(keys []K) (missed int) {
			for _, k := range keys {
				_, err := c.Get(ctx, k, load)
				missed += count(err == nil)
			}
			return missed
		},
		end: func() {},
	}, nil
}

func xsyncLoops[K comparable](keys []K) (loops[K], error) {
	p := peers.NewXsync[K, int](0)
	fill(p, keys)
	c := p.MapOf
	load := func(keys []K) (missed int) {
		for _, k := range keys {
			_, ok := c.Load(k)
			missed += count(ok)
		}
		return missed
	}
	// The fastest get-or-create is a Load, followed by LoadOrCompute after a miss: for a hit, Load is all.
	return loops[K]{get: load, obtain: load, end: func() {}}, nil
}

func flightLoops[K comparable](keys []K) (loops[K], error) {
	c := peers.NewSingleflight[K, int](0)
	fill(c, keys)
	return adapted(c), nil
}

func syncMapLoops[K comparable](keys []K) (loops[K], error) {
	c := &peers.SyncMap[K, int]{}
	fill(c, keys)
	return adapted(c), nil
}

func theineLoops[K comparable](keys []K) (loops[K], error) {
	c, err := peers.NewTheine[K, int](len(keys))
	if err != nil {
		return loops[K]{}, err
	}
	fill(c, keys)
	return adapted(c), nil
}

func ttlcacheLoops[K comparable](keys []K) (loops[K], error) {
	c := peers.NewTTLCache[K, int]()
	fill(c, keys)
	return adapted(c), nil
}

func sturdycLoops(keys []string) (loops[string], error) {
	c := peers.NewSturdyc[int](len(keys))
	fill(c, keys)
	return adapted(c), nil
}

// adapted returns loops through the adapter, for libraries whose calls take much longer than a call through an interface.
func adapted[K comparable](c peers.Cache[K, int]) loops[K] {
	ctx := context.Background()
	return loops[K]{
		get: func(keys []K) (missed int) {
			for _, k := range keys {
				_, ok := c.Get(k)
				missed += count(ok)
			}
			return missed
		},
		obtain: func(keys []K) (missed int) {
			for _, k := range keys {
				_, err := c.GetOrCreate(ctx, k, zero)
				missed += count(err == nil)
			}
			return missed
		},
		end: func() { shut(c) },
	}
}
