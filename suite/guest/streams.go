package guest

import (
	"errors"
	"os"
)

// streams are the values of os.Stdin, os.Stdout and os.Stderr.
type streams struct{ in, out, errs *os.File }

func currentStreams() streams { return streams{os.Stdin, os.Stdout, os.Stderr} }

// put restores them, whatever a test has set.
func (s streams) put() { os.Stdin, os.Stdout, os.Stderr = s.in, s.out, s.errs }

// whole reports whether the output streams can be written: a test may have closed them.
func (s streams) whole() bool { return opened(s.out) == nil && opened(s.errs) == nil }

// renewed returns streams with new files for the descriptors whose os.File was closed.
func (s streams) renewed() streams {
	if errors.Is(opened(s.out), os.ErrClosed) {
		s.out = os.NewFile(1, "/dev/stdout")
	}
	if errors.Is(opened(s.errs), os.ErrClosed) {
		s.errs = os.NewFile(2, "/dev/stderr")
	}
	return s
}

// opened returns the error of writing to a file. A nil file is how the program wants it.
func opened(f *os.File) error {
	if f == nil {
		return nil
	}
	_, err := f.Stat()
	return err
}
