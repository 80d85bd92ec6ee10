// Package jumping provides a clock that jumps by hours, for processes of a soak that must not depend on the time.
package jumping

import (
	"math/rand/v2"
	"sync"
	"time"
)

// farthest is the greatest offset from the machine's clock, ahead or behind.
const farthest = 12 * time.Hour

// Clock is the clock of one life of a process: the machine's with an offset of hours, which changes from time to time. Ownership
// must not depend on it. The seed decides the offsets.
//
// It is safe for concurrent use.
type Clock struct {
	mu    sync.Mutex
	rng   *rand.Rand
	every time.Duration
	off   time.Duration // guarded by mu
	until time.Time     // when it jumps next; guarded by mu
	jumps int64         // guarded by mu
}

// New returns a clock that jumps at intervals of at most every.
func New(rng *rand.Rand, every time.Duration) *Clock { return &Clock{rng: rng, every: every} }

// Now returns the time with the present offset.
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
