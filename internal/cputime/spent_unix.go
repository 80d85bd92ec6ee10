//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Spent is the processor time that this process has used, in which other
// processes of the machine do not count. Where the system does not tell it, it
// is what the clock says.
func Spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return sinceStart()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
