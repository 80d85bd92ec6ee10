//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package soak

import "golang.org/x/sys/unix"

// clock returns nanoseconds by the system's monotonic clock, which all processes of a machine share and no time setting moves. What
// two processes read of it can be compared: if one has read before the other, its reading is not the greater one. Readings that are
// equal are taken as simultaneous.
func clock() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic("soak: the monotonic clock: " + err.Error()) // there is one on all of these systems
	}
	return t.Nano()
}

// shared says that clock can be compared between processes.
const shared = true
