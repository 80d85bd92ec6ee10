package stress

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// together runs f on n goroutines that start at one moment, each after its delay, and waits for all. Goroutines that are
// ready spin, because one that has to be woken comes too late to meet another in the few nanoseconds that some races last.
func together(n int, delays stagger, f func(i int)) {
	var missing atomic.Int64
	missing.Store(int64(n))
	var ended sync.WaitGroup
	for i := range n {
		delay := delays.next()
		ended.Go(func() {
			missing.Add(-1)
			for missing.Load() > 0 {
				runtime.Gosched()
			}
			spin(delay)
			f(i)
		})
	}
	ended.Wait()
}

// spin busy-waits for about n nanoseconds.
func spin(n int) {
	x := uint64(n)
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	runtime.KeepAlive(x)
}

// stagger draws how long goroutines are delayed after the start: not at all in one round of two, otherwise up to some
// microseconds, on a different scale for each round, because the width of a race's window is unknown.
type stagger struct {
	rng   *rand.Rand
	scale int
}

func newStagger(rng *rand.Rand) stagger {
	s := stagger{rng: rng, scale: 1}
	if rng.IntN(2) == 1 {
		s.scale = 1 << rng.IntN(14)
	}
	return s
}

func (s stagger) next() int { return s.rng.IntN(s.scale) }

// generator returns the random numbers of one lane of a campaign.
func generator(seed uint64, lane int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(lane))) }
