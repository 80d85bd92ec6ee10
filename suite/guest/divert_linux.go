package guest

import (
	"errors"
	"os"
	"runtime/debug"
	"syscall"
)

// divert lets the descriptors of the standard output and error mean a file,
// whoever writes to them: the program, the runtime, another process. With death,
// what the runtime says when the process dies still goes to the standard error,
// too.
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
			_ = syscall.Dup3(fd, i+1, 0) // it was there before
		}
		_ = syscall.Close(kept[0])
		_ = stderr.Close()
	}, nil
}

// redivert does so again where a test has closed the descriptors.
func redivert(to *os.File) error {
	return errors.Join(syscall.Dup3(int(to.Fd()), 1, 0), syscall.Dup3(int(to.Fd()), 2, 0))
}
