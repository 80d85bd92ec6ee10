//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Spent returns the processor time that this process has used, which excludes other
// processes of the machine. Where the system does not provide it, it is the time since
// the start of the process.
func Spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return sinceStart()
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
