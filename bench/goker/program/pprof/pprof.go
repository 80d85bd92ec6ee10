// Package pprof replaces runtime/pprof in the kernels, which write a profile
// of leaked goroutines when they are done. The explorer reports the leaked goroutines,
// and the profile's garbage collection would stop the execution.
package pprof

import "io"

// A Profile is empty.
type Profile struct{}

// Lookup returns an empty profile, whatever its name.
func Lookup(string) *Profile { return &Profile{} }

// WriteTo writes nothing.
func (*Profile) WriteTo(io.Writer, int) error { return nil }
