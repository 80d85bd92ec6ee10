// Package toolchain finds the go command and builds binaries in which
// goroutines can be put under control: with the build tag jacquard, with the
// overlay of package github.com/jacquard-go/jacquard/internal/overlay, and with
// the race detector unless the request says otherwise.
//
// [Build] gives an up-to-date binary. Package
// github.com/jacquard-go/jacquard/internal/executable says how to run it.
//
// Binaries are kept in a cache directory, below the overlay that they were
// built under, and the go command decides whether one is up to date; asking
// for one that is costs as much as a go build that finds nothing to do.
// Binaries and overlays that were not used for five days are removed, as the go
// command does with its cache, and so are those used longest ago while there are
// more than 8 GiB. Nothing is removed within a day of its last use, so a path that
// Build has returned is good for at least that long. All of the cache directory can
// be deleted at any time when no build runs.
//
// The go command has to be installed, and on systems other than macOS a C
// compiler too, which the race detector needs. A binary for another machine
// than this one cannot be built.
package toolchain
