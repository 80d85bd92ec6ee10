//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package soak

// clock is not available on this system.
func clock() int64 { return 0 }

const shared = false
