//go:build !unix

package explore

// peered reports whether what a descriptor waits for can only come from a
// member. Nothing is known of that here.
func peered(int, func(uintptr) bool) bool { return false }

// foreignPipe reports whether a descriptor is a pipe's of which no member has the
// other end.
func foreignPipe(int, func(uintptr) bool) bool { return false }
