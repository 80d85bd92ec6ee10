// Package executable deals with binaries that were built to be controlled: [Env] is
// the environment in which one must run, [Fingerprint] identifies the program in
// it. Package github.com/jacquard-go/jacquard/internal/toolchain builds
// them.
package executable
