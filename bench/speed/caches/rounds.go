package caches

import (
	"context"
	"errors"
	"runtime"

	"github.com/jacquard-go/jacquard/bench/measure"
	"github.com/jacquard-go/jacquard/bench/peers"
)

// A lane is one peer in a row.
type lane struct {
	peer peers.Name
	// turn does the work of one round and returns the figure and, if needed, a note.
	turn func(round int) (float64, string, error)
}

// interleave gives each lane a turn in each round.
func interleave(ctx context.Context, rounds int, lanes []lane) ([]Result, error) {
	results := make([]Result, len(lanes))
	return results, measure.Interleave(ctx, rounds, len(lanes), func(round, i int) error {
		v, note, err := lanes[i].turn(round)
		r := &results[i]
		r.Peer, r.Note = lanes[i].peer, note
		r.Samples = append(r.Samples, v)
		return err
	})
}

// lanesFor returns a lane for each peer that supports such keys.
func lanesFor[K comparable](turn func(peers.Name) func(round int) (float64, string, error)) []lane {
	var lanes []lane
	for _, name := range peers.All() {
		if able[K](name) {
			lanes = append(lanes, lane{name, turn(name)})
		}
	}
	return lanes
}

func able[K comparable](name peers.Name) bool {
	c, err := peers.Open[K, int](name, 1)
	shut(c)
	return !errors.Is(err, peers.ErrKeys)
}

// open returns an empty cache of a peer, without room reserved. Only peers that evict get the number of entries.
func open[K comparable, V any](name peers.Name, n int) (peers.Cache[K, V], error) {
	switch name {
	case peers.TheineName, peers.SturdycName:
		return peers.Open[K, V](name, n)
	}
	return peers.Open[K, V](name, 0)
}

// shut closes a cache that can be closed.
func shut(c any) {
	if c, ok := c.(peers.Closer); ok {
		_ = c.Close()
	}
}

// mallocs returns the number of allocations so far. It stops the world.
func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
