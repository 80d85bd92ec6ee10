//go:build unix

package suite

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes cmd the head of a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// dump has a Go process write the stacks of its goroutines and end.
func dump(p *os.Process) { _ = p.Signal(syscall.SIGQUIT) } // it may be over

// killGroup kills the process and what it has started.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) } // all may be over

// makePipe makes a pipe that has a path.
func makePipe(path string) (*os.File, error) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return nil, &os.PathError{Op: "mkfifo", Path: path, Err: err}
	}
	return os.OpenFile(path, os.O_RDWR, 0) // both, so as not to wait for the other side
}
