package guest

import (
	"errors"
	"os"
)

// streams are what package os calls the standard input, output and error.
type streams struct{ in, out, errs *os.File }

func currentStreams() streams { return streams{os.Stdin, os.Stdout, os.Stderr} }

// put makes them be that again, whatever a test has put in their place.
func (s streams) put() { os.Stdin, os.Stdout, os.Stderr = s.in, s.out, s.errs }

// whole reports whether one can write to them: a test may have closed them.
func (s streams) whole() bool { return opened(s.out) == nil && opened(s.errs) == nil }

// renewed are streams with new names for those descriptors whose names in package
// os are closed for good.
func (s streams) renewed() streams {
	if errors.Is(opened(s.out), os.ErrClosed) {
		s.out = os.NewFile(1, "/dev/stdout")
	}
	if errors.Is(opened(s.errs), os.ErrClosed) {
		s.errs = os.NewFile(2, "/dev/stderr")
	}
	return s
}

// opened is why one cannot write to a file. Where there is none, that is how the
// program wants it.
func opened(f *os.File) error {
	if f == nil {
		return nil
	}
	_, err := f.Stat()
	return err
}
