package search

import (
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// met records what the executions so far have shown for the first time.
type met struct {
	seen    map[uint64]bool // orders of conflicting operations, as sums
	samples novelty
	pairs   schedule.Pairs // reused
	renewed int            // the last stage that met new points; strategies from before it have been reset
	last    int            // the number of schedules at which samples after a complete search end; see mostBeyond
}

// novelty records which samples have met which pairs. Checkpoints store it.
type novelty struct {
	Owners map[uint64][2]int32 // by pair of places: the first two samples that have it; 0 is none, -1 for the first is more than two
	Own    []int32             // by sample: how many pairs only it has
	Shared map[[2]int32]int32  // by two samples: how many pairs only they have
	Twos   int                 // number of nonzero entries of Shared
	Alone  int                 // number of nonzero entries of Own
}

// add records the pairs of one more sample.
func (n *novelty) add(pairs []uint64) {
	if n.Owners == nil {
		n.Owners, n.Shared = make(map[uint64][2]int32), make(map[[2]int32]int32)
	}
	n.Own = append(n.Own, 0)
	now := int32(len(n.Own))
	for _, p := range pairs {
		of := n.Owners[p]
		switch {
		case of[0] == 0:
			n.Owners[p] = [2]int32{now, 0}
			n.own(now, 1)
		case of[0] < 0:
		case of[1] == 0:
			n.Owners[p] = [2]int32{of[0], now}
			n.own(of[0], -1)
			n.share([2]int32{of[0], now}, 1)
		default:
			n.Owners[p] = [2]int32{-1, 0}
			n.share(of, -1)
		}
	}
}

func (n *novelty) own(sample, more int32) {
	was := n.Own[sample-1]
	n.Own[sample-1] += more
	n.Alone += change(was, was+more)
}

func (n *novelty) share(two [2]int32, more int32) {
	was := n.Shared[two]
	n.Shared[two] += more
	n.Twos += change(was, was+more)
	if was+more == 0 {
		delete(n.Shared, two)
	}
}

// change returns the change in the number of nonzero entries.
func change(was, is int32) int { return min(int(is), 1) - min(int(was), 1) }

func (n *novelty) sum() verdict.Novelty {
	return verdict.Novelty{Samples: len(n.Own), Alone: n.Alone, Twos: n.Twos, All: len(n.Owners)}
}
