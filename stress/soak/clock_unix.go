//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package soak

import "golang.org/x/sys/unix"

// clock returns nanoseconds of the system's monotonic clock, which all processes of a machine share and which is never
// set. Its readings can be compared between processes: an earlier reading is never greater than a later one. Equal
// readings are taken as simultaneous.
func clock() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic("soak: the monotonic clock: " + err.Error()) // all of these systems have it
	}
	return t.Nano()
}

// shared says that the readings of clock can be compared between processes.
const shared = true
