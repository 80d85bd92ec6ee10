//go:build !unix

package cputime

import "time"

// Spent returns the processor time that this process has used, which excludes other
// processes of the machine. Where the system does not provide it, it is the time since
// the start of the process.
func Spent() time.Duration { return sinceStart() }
