package explored

import "sync/atomic"

// A counter counts for any number of goroutines.
type counter struct{ n atomic.Int32 }

// add returns the number of calls so far, this one included.
func (c *counter) add() int { return int(c.n.Add(1)) }

func (c *counter) get() int { return int(c.n.Load()) }
