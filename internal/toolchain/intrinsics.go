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
func intrinsicFlags(fuzz bool) []string {
	const off = "=-d=ssa/intrinsics/off"
	flags := []string{"-gcflags=all" + off}
	if fuzz {
		flags = []string{"-gcflags=all" + off + " " + covering, "-gcflags=std" + off}
		for _, pattern := range uninstrumented {
			flags = append(flags, "-gcflags="+pattern+off)
		}
	}
	for _, pattern := range intrinsics {
		flags = append(flags, "-gcflags="+pattern+"=")
	}
	// What package sync is made of; and what locks files: by that, what is written to
	// the standard output is told from other system calls.
	return append(flags, "-gcflags=internal/sync"+off, "-gcflags=internal/poll"+off)
}

// covering is the compiler's flag for what Go's fuzzer counts branches in. go test
// -fuzz gives it to the harness too, whose branches tell nothing of an input.
const covering = "-d=libfuzzer"

// fuzzFlags are the flags for a build with the race detector, before [raceFlags].
func fuzzFlags(fuzz bool) []string {
	if !fuzz {
		return nil
	}
	return []string{"-gcflags=all=" + covering, "-gcflags=std="}
}
