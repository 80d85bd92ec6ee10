package explored

import "sync/atomic"

// A counter counts for any number of goroutines.
type counter struct{ n atomic.Int32 }

// add returns the how manieth call it is.
func (c *counter) add() int { return int(c.n.Add(1)) }

func (c *counter) get() int { return int(c.n.Load()) }
