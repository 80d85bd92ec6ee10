package system

import (
	"fmt"
	"os"
	"syscall"
)

// tempFD is the file descriptor under which a process keeps its directory of
// temporary files: high enough to be free, and the same in every process.
const tempFD = 900

// memoryFiles is where Linux keeps files in memory.
const memoryFiles = "/dev/shm"

// TempBase returns the folder for temporary files: in memory unless TMPDIR is
// set, because an execution's files live for milliseconds, and a database would
// wait for the disk at every commit.
func TempBase() string {
	if os.Getenv("TMPDIR") != "" {
		return ""
	}
	dir, err := os.MkdirTemp(memoryFiles, "jacquard-")
	if err != nil {
		return ""
	}
	_ = os.Remove(dir) // empty; it was made only to check that this is possible
	return memoryFiles
}

// samePath returns a path to dir that is the same in every process.
func samePath(dir string) (path string, closed func()) {
	fd, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return dir, func() {}
	}
	defer func() { _ = syscall.Close(fd) }() // opened for reading only
	if err := syscall.Dup3(fd, tempFD, 0); err != nil {
		return dir, func() {}
	}
	return fmt.Sprintf("/proc/self/fd/%d", tempFD), func() { _ = syscall.Close(tempFD) }
}
