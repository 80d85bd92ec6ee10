package guest

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// listeners are the sockets on which this process listens, by their descriptors.
func listeners() map[int]string {
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
		if on, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN); err != nil || on == 0 {
			continue
		}
		if socket, err := os.Readlink(filepath.Join(fds, e.Name())); err == nil {
			all[fd] = socket
		}
	}
	return all
}

// hangUp stops listening on all sockets but those that are known. Their
// descriptors stay what the program takes them for: open.
func hangUp(known map[int]string) error {
	nobody, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer nobody.Close()
	for fd, socket := range listeners() {
		if known[fd] == socket {
			continue
		}
		if err := syscall.Dup3(int(nobody.Fd()), fd, syscall.O_CLOEXEC); err != nil {
			return os.NewSyscallError("dup3", err)
		}
	}
	return nil
}
