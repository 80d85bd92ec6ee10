// Package jumping is the clock of the processes of a soak, by which nobody should go.
package jumping

import (
	"math/rand/v2"
	"sync"
	"time"
)

// farthest is how far the clock of a process is from the machine's, at most; it goes ahead and behind.
const farthest = 12 * time.Hour

// Clock is the clock of one life of a process: the machine's, off by hours, and by others every so often. No process should
// heed it in who has what. By how much it is off comes from the seed.
//
// It is safe for any number of goroutines.
type Clock struct {
	mu    sync.Mutex
	rng   *rand.Rand
	every time.Duration
	off   time.Duration // guarded by mu
	until time.Time     // when it jumps next; guarded by mu
	jumps int64         // guarded by mu
}

// New returns a clock that jumps at least every so often.
func New(rng *rand.Rand, every time.Duration) *Clock { return &Clock{rng: rng, every: every} }

// Now tells its time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if !now.Before(c.until) {
		c.off = time.Duration(c.rng.Int64N(2*int64(farthest))) - farthest
		c.until = now.Add(time.Duration(c.rng.Int64N(int64(c.every))))
		c.jumps++
	}
	return now.Add(c.off)
}

// Count returns how often it has jumped.
func (c *Clock) Count() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.jumps
}
