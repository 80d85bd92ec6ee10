package toolchain

// intrinsics are the packages, as patterns of import paths, that keep the compiler's
// intrinsic functions in a build without the race detector. The compiler replaces
// calls of sync/atomic by instructions, at which no task can be stopped. This can be
// disabled only for all intrinsics, not for these alone. The packages here do not
// use sync/atomic, or only for internal purposes, and are much slower without
// intrinsics.
var intrinsics = [...]string{"runtime/...", "internal/...", "math/...", "crypto/...", "hash/..."}

// intrinsicFlags returns the go command's flags that turn the operations of sync/atomic
// into calls. The last flag that matches a package counts.
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
	// Package sync is built on internal/sync; internal/poll locks files, which
	// distinguishes writes to standard output and error from other system calls.
	return append(flags, "-gcflags=internal/sync"+off, "-gcflags=internal/poll"+off)
}

// covering is the compiler flag for the branch counters of Go's fuzzer. go test -fuzz
// also instruments the harness, whose branches are irrelevant for an input.
const covering = "-d=libfuzzer"

// fuzzFlags returns the flags for a build with the race detector, before [raceFlags].
func fuzzFlags(fuzz bool) []string {
	if !fuzz {
		return nil
	}
	return []string{"-gcflags=all=" + covering, "-gcflags=std="}
}
