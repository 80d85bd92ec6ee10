// Package overlay derives, from the user's own Go installation, the few files of the
// standard library that put goroutines under control, and describes them to the go
// command as a build overlay (go build -overlay FILE).
//
// This repository contains no source code of Go. Each edit names the file, a piece of
// its text (the anchor) and the replacement. An anchor that is missing, or occurs more
// often than expected, is an [AnchorError] that names the Go version, and nothing is
// written. The code that the edits call is in runtime/*.go.txt and similar files, and
// is added to the standard library's packages.
//
// The overlay works with and without the race detector. With it, the detector's own
// calls make sync/atomic operations and plain memory accesses visible to the runtime.
// Without it, only sync/atomic operations are visible, and only in packages that were
// compiled without the compiler's intrinsic functions.
package overlay
