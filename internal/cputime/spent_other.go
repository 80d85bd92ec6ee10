//go:build !unix

package cputime

import "time"

// Spent is the processor time that this process has used, in which other
// processes of the machine do not count. Where the system does not tell it, it
// is what the clock says.
func Spent() time.Duration { return sinceStart() }
