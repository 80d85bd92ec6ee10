//go:build unix

package child

import (
	"os"
	"os/exec"
	"syscall"
)

// place makes cmd the head of a process group, and has it die with the thread that
// starts it as far as the system sees to that.
func place(cmd *exec.Cmd, head, tied bool) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Setpgid = head
	if tied {
		tie(cmd.SysProcAttr)
	}
}

// makePipe makes a pipe that has a path, and opens it at both ends so as not to
// wait for the other side.
func makePipe(path string) (*os.File, error) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return nil, &os.PathError{Op: "mkfifo", Path: path, Err: err}
	}
	return os.OpenFile(path, os.O_RDWR, 0)
}

// killGroup kills a process and what it has started.
func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }

// keepFromChildren keeps a descriptor from the processes that this one starts.
func keepFromChildren(fd int) { syscall.CloseOnExec(fd) }
