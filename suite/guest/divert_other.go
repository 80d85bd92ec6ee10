//go:build !linux

package guest

import "os"

// divert redirects os.Stdout and os.Stderr to a file, for code that uses these variables.
func divert(to *os.File, _ bool) (restore func(), err error) {
	stdout, stderr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = to, to
	return func() { os.Stdout, os.Stderr = stdout, stderr }, nil
}

// redivert does nothing: a test has closed the file itself.
func redivert(*os.File) error { return nil }
