// Package toolchain finds the go command and builds binaries whose goroutines can be
// controlled: with the build tag jacquard, with the overlay of package
// github.com/jacquard-go/jacquard/internal/overlay, and with the race detector unless
// the request disables it.
//
// [Build] returns an up-to-date binary. Package
// github.com/jacquard-go/jacquard/internal/executable says how to run it.
//
// Binaries are kept in a cache directory, below the overlay with which they were
// built. Asking for a binary whose sources look unchanged only stats these; otherwise
// the go command decides whether it is up to date. Binaries and overlays that were
// not used for five days are removed, as the go command does with its cache; so are
// the least recently used ones while there are more than 8 GiB. Nothing is removed
// within a day of its last use, so a path that Build has returned is valid for at
// least that long. The whole cache directory may be deleted at any time when no build
// runs.
//
// The go command must be installed and, on systems other than macOS, a C
// compiler too, which the race detector needs. Cross-compilation is not
// supported.
package toolchain
