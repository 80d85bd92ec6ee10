// Package overlay derives, from the user's own Go installation, the few files
// of the standard library that put goroutines under control, and describes
// them to the go command as a build overlay (go build -overlay FILE).
//
// Nothing of Go's source is kept in this repository. Each edit names the file,
// a piece of its text (the anchor) and what to put there; an anchor that is
// missing, or is there more often than expected, is an [AnchorError] naming the
// Go version, and nothing is written. The code that the edits call is in
// runtime/*.go.txt and is added to package runtime.
//
// The overlay works with the race detector and without it. With it the detector's
// own calls make sync/atomic operations and plain memory accesses visible to
// the runtime. Without it only the former are, and only in packages that were
// compiled without the compiler's intrinsic functions.
package overlay
