//go:build unix

package guest

import (
	"os"
	"syscall"
)

// claim makes a folder that is this process's alone, or takes over one that a
// process has left that is no more.
func claim(dir string) (free func(), err error) {
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return nil, err
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close() // it was only read
		return nil, os.ErrExist
	}
	return func() { _ = f.Close() }, nil
}
