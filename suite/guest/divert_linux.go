package guest

import (
	"errors"
	"os"
	"syscall"
)

// divert lets the descriptors of the standard output and error mean a file,
// whoever writes to them: the program, the runtime, another process.
func divert(to *os.File) (restore func(), err error) {
	var kept [2]int
	for i := range kept {
		if kept[i], err = syscall.Dup(i + 1); err != nil {
			return nil, err
		}
		syscall.CloseOnExec(kept[i])
	}
	if err := redivert(to); err != nil {
		return nil, err
	}
	return func() {
		for i, fd := range kept {
			_ = syscall.Dup3(fd, i+1, 0) // it was there before
			_ = syscall.Close(fd)
		}
	}, nil
}

// redivert does so again where a test has closed the descriptors.
func redivert(to *os.File) error {
	return errors.Join(syscall.Dup3(int(to.Fd()), 1, 0), syscall.Dup3(int(to.Fd()), 2, 0))
}
