package soak

import (
	"math/rand/v2"
	"sync"
	"time"
)

// farthest is how far the clock of a process is from the machine's, at most; it goes ahead and behind.
const farthest = 12 * time.Hour

// jumpingClock is the clock of one life of a process: the machine's, off by hours, and by others every so often. No process should
// heed it in who has what. By how much it is off comes from the seed.
//
// It is safe for any number of goroutines.
type jumpingClock struct {
	mu    sync.Mutex
	rng   *rand.Rand
	off   time.Duration // guarded by mu
	until time.Time     // when it jumps next; guarded by mu
	jumps int64         // guarded by mu
}

func newJumpingClock(rng *rand.Rand) *jumpingClock { return &jumpingClock{rng: rng} }

// Now tells its time.
func (c *jumpingClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if !now.Before(c.until) {
		c.off = time.Duration(c.rng.Int64N(2*int64(farthest))) - farthest
		c.until = now.Add(time.Duration(c.rng.Int64N(int64(10 * lease))))
		c.jumps++
	}
	return now.Add(c.off)
}

// count returns how often it has jumped.
func (c *jumpingClock) count() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.jumps
}
