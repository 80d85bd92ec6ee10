//go:build !unix

package system

// Peered reports whether what a descriptor waits for can only come from a
// task. On this system that is not known.
func Peered(int, func(uintptr) bool) bool { return false }

// ForeignPipe reports whether a descriptor is one end of a pipe whose other end no
// task has.
func ForeignPipe(int, func(uintptr) bool) bool { return false }
