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
// The overlay works with the race detector only: that is where sync/atomic
// operations and plain memory accesses become visible to the runtime.
package overlay
