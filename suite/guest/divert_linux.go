package guest

import (
	"errors"
	"os"
	"runtime/debug"
	"syscall"
)

// divert redirects the descriptors of the standard output and error to a file, for all writers: the
// program, the runtime, other processes. With death, what the runtime writes when the process dies
// still goes to the standard error, too.
func divert(to *os.File, death bool) (restore func(), err error) {
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
	stderr := os.NewFile(uintptr(kept[1]), "stderr")
	if death {
		if err := debug.SetCrashOutput(stderr, debug.CrashOptions{}); err != nil {
			return nil, err
		}
	}
	return func() {
		if death {
			_ = debug.SetCrashOutput(nil, debug.CrashOptions{}) // it cannot fail
		}
		for i, fd := range kept {
			_ = syscall.Dup3(fd, i+1, 0) // the descriptor exists
		}
		_ = syscall.Close(kept[0])
		_ = stderr.Close()
	}, nil
}

// redivert redirects again after a test has closed the descriptors.
func redivert(to *os.File) error {
	return errors.Join(syscall.Dup3(int(to.Fd()), 1, 0), syscall.Dup3(int(to.Fd()), 2, 0))
}
