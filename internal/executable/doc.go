// Package executable is about binaries that were built to be controlled: [Env] is
// the environment in which one must run, [Fingerprint] tells what program is in
// it. How they are built is the question of package
// github.com/jacquard-go/jacquard/internal/toolchain.
package executable
