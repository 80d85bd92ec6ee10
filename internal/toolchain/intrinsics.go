package toolchain

// intrinsics are the packages, as patterns of import paths, that keep the
// compiler's intrinsic functions in a build without the race detector. The
// compiler replaces calls of sync/atomic by instructions, which nothing can
// stop at; it can be told to leave all such replacements, not these alone. The
// packages here do not use sync/atomic, or do so for purposes of their own, and
// are much slower without intrinsics.
var intrinsics = [...]string{"runtime/...", "internal/...", "math/...", "crypto/...", "hash/..."}

// intrinsicFlags are the go command's flags that make the operations of
// sync/atomic calls. The last flag that matches a package is the one that counts.
func intrinsicFlags() []string {
	const off = "=-d=ssa/intrinsics/off"
	flags := []string{"-gcflags=all" + off}
	for _, pattern := range intrinsics {
		flags = append(flags, "-gcflags="+pattern+"=")
	}
	return append(flags, "-gcflags=internal/sync"+off) // what package sync is made of
}
