package guest

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// descriptors returns the open descriptors of this process, with their targets.
func descriptors() map[int]string {
	const fds = "/proc/self/fd"
	all := make(map[int]string)
	entries, err := os.ReadDir(fds)
	if err != nil {
		return all // nothing is known
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if what, err := os.Readlink(filepath.Join(fds, e.Name())); err == nil {
			all[fd] = what
		}
	}
	return all
}

// letGo releases what other processes may need of the descriptors opened since known was recorded:
// it stops listening on sockets, and unlocks files. The descriptors stay open, as the program
// expects. It reports whether a socket was listening, which can no longer be reached.
func letGo(known map[int]string) (hungUp bool, err error) {
	nobody, err := os.Open(os.DevNull)
	if err != nil {
		return false, err
	}
	defer nobody.Close()
	for fd, what := range descriptors() {
		if known[fd] == what {
			continue
		}
		_ = syscall.Flock(fd, syscall.LOCK_UN) // no effect unless it is a locked file
		if on, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN); err != nil || on == 0 {
			continue
		}
		if err := syscall.Dup3(int(nobody.Fd()), fd, syscall.O_CLOEXEC); err != nil {
			return hungUp, os.NewSyscallError("dup3", err)
		}
		hungUp = true
	}
	return hungUp, nil
}
