package soak

import "slices"

// counter is a number that only grows, by one at a time, while others read it, such as a plan's version. From the readings and their
// times it derives between which moments the counter can have had each value, if some order of all operations agrees with the times.
//
// The windows are sound, and for each value taken alone they are exact. Two values together may exclude more than the windows say.
type counter struct {
	from    []int64 // by value: the counter did not reach it before this time
	until   []int64 // by value: the counter reached it by this time
	calls   []int64 // the times of the calls that raised it
	returns []int64 // the times of their returns
	sealed  bool
}

const always int64 = -1 << 63

func (c *counter) grow(n int) {
	for len(c.from) <= n {
		c.from, c.until = append(c.from, always), append(c.until, never)
	}
}

// saw records that the counter was n at some moment in an interval.
func (c *counter) saw(n int, from, until int64) {
	c.grow(n + 1)
	c.until[n] = min(c.until[n], until)
	c.from[n+1] = max(c.from[n+1], from)
}

// reached records that it became n, which is positive, at some moment in an interval.
func (c *counter) reached(n int, from, until int64) {
	c.saw(n-1, from, never)
	c.saw(n, always, until)
}

// grew records that it grew by one at some moment in an interval.
func (c *counter) grew(from, until int64) {
	c.calls, c.returns = append(c.calls, from), append(c.returns, until)
}

// seal computes the windows: the counter cannot have been n before n operations that raise it had begun, must have
// reached n once n of them had returned, and passes through all values in order.
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

// window returns the interval in which the counter can have been n.
func (c *counter) window(n int) (from, until int64) {
	c.seal()
	if n >= len(c.from) {
		return never, always // as far as is known, the counter was never n
	}
	until = never
	if n+1 < len(c.until) {
		until = c.until[n+1]
	}
	return c.from[n], until
}
