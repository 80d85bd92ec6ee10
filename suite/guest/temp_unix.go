//go:build unix

package guest

import (
	"os"
	"syscall"
)

// claim makes a folder that is this process's alone, or takes over one that a
// process has left that is no more. Processes that tests start as somebody else,
// such as a database's server, can find their files below it.
func claim(dir string) (free func(), err error) {
	if err := os.Mkdir(dir, 0o755); err != nil && !os.IsExist(err) {
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
