// Package steady is the clock for everything that package lifecycle, and the packages below it,
// keep in memory for a limited time.
package steady

import "time"

// Clock advances steadily, even if the machine's clock is set. It is safe for concurrent use.
type Clock struct{ began time.Time } // with its monotonic reading

// New returns a clock that starts at the machine's time.
func New() Clock { return Clock{time.Now()} }

// Now returns the time in UTC, to the microsecond, the precision of the databases.
func (c Clock) Now() time.Time {
	return c.began.Add(time.Since(c.began)).UTC().Truncate(time.Microsecond)
}
