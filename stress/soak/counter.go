package soak

import "slices"

// counter is a number that only grows, one at a time, while others look at it: a plan's version, say. From what they saw, and when,
// follows between which moments it can have had each value, if there is an order of all operations that agrees with the time.
//
// It is exact enough: for each value taken alone nothing can be excluded that is not, but what two values exclude together may be
// missed.
type counter struct {
	from    []int64 // by value: it was not reached earlier
	until   []int64 // by value: it was reached at the latest then
	calls   []int64 // of those that made it grow
	returns []int64 // of the same
	sealed  bool
}

const always int64 = -1 << 63

func (c *counter) grow(n int) {
	for len(c.from) <= n {
		c.from, c.until = append(c.from, always), append(c.until, never)
	}
}

// saw says that the counter was n at some moment between two.
func (c *counter) saw(n int, from, until int64) {
	c.grow(n + 1)
	c.until[n] = min(c.until[n], until)
	c.from[n+1] = max(c.from[n+1], from)
}

// reached says that it became n, which is positive, at some moment between two.
func (c *counter) reached(n int, from, until int64) {
	c.saw(n-1, from, never)
	c.saw(n, always, until)
}

// grew says that it became more by one at some moment between two.
func (c *counter) grew(from, until int64) {
	c.calls, c.returns = append(c.calls, from), append(c.returns, until)
}

// seal draws the conclusions: the counter cannot have been n before n operations had begun that make it grow, must have been once n of
// them had returned, and passes through all values in their order.
func (c *counter) seal() {
	if c.sealed {
		return
	}
	c.sealed = true
	slices.Sort(c.calls)
	slices.Sort(c.returns)
	c.grow(len(c.calls) + 1)
	for i, at := range c.calls {
		c.from[i+1] = max(c.from[i+1], at)
	}
	for i, at := range c.returns {
		c.until[i+1] = min(c.until[i+1], at)
	}
	c.from[0], c.until[0] = always, always
	for n := 1; n < len(c.from); n++ {
		c.from[n] = max(c.from[n], c.from[n-1])
	}
	for n := len(c.until) - 2; n >= 0; n-- {
		c.until[n] = min(c.until[n], c.until[n+1])
	}
}

// window returns between which moments the counter can have been n.
func (c *counter) window(n int) (from, until int64) {
	c.seal()
	if n >= len(c.from) {
		return never, always // never, as far as anybody knows
	}
	until = never
	if n+1 < len(c.until) {
		until = c.until[n+1]
	}
	return c.from[n], until
}
