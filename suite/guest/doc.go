// Package guest is what runs in a test binary whose module knows nothing of
// Jacquard. Nobody imports it: a copy of it is built into the binary, with the
// explorer, by the overlay that puts goroutines under control.
package guest
