//go:build !unix

package system

// Peered reports whether what a descriptor waits for can only come from a
// task. Nothing is known of that here.
func Peered(int, func(uintptr) bool) bool { return false }

// ForeignPipe reports whether a descriptor is a pipe's of which no task has the
// other end.
func ForeignPipe(int, func(uintptr) bool) bool { return false }
