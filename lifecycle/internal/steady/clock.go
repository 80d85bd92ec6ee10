// Package steady is the clock of what package lifecycle, and the packages beneath it,
// keep in memory for a time.
package steady

import "time"

// Clock goes on evenly, whatever becomes of the machine's clock. It is safe for any
// number of goroutines.
type Clock struct{ began time.Time } // with its monotonic reading

// New returns a clock that begins at the time of the machine.
func New() Clock { return Clock{time.Now()} }

// Now returns the time in UTC, to the microsecond, as databases keep it.
func (c Clock) Now() time.Time {
	return c.began.Add(time.Since(c.began)).UTC().Truncate(time.Microsecond)
}
