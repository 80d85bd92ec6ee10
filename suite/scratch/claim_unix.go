//go:build unix

package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// claim makes a folder for this process only, or takes over one that an ended process has left. Its
// permissions are those of its parent folder, for processes that tests start as another user, such
// as a database server. The error wraps errTaken if another process has the folder.
func claim(dir string) (free func(), err error) {
	around, err := os.Stat(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	switch err := os.Mkdir(dir, 0o700); {
	case err == nil:
		if err := os.Chmod(dir, around.Mode()&(os.ModePerm|os.ModeSticky)); err != nil {
			return nil, err
		}
	case !os.IsExist(err):
		return nil, err
	}
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, errors.Join(errTaken, err) // it was there, or it has been removed
	}
	if !lock(f) {
		return nil, errors.Join(errTaken, f.Close())
	}
	return func() { _ = f.Close() }, nil // it was only read
}

// lock locks a folder of this user, and reports whether the path still names it: its previous owner
// may have removed it meanwhile.
func lock(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != os.Getuid() {
		return false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return false
	}
	now, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(info, now)
}
