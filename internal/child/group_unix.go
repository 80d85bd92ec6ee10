//go:build unix

package child

import (
	"os"
	"os/exec"
	"syscall"
)

// place makes cmd the head of a process group if head is set, and makes it die with the
// thread that starts it if tied is set and the system supports that.
func place(cmd *exec.Cmd, head, tied bool) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Setpgid = head
	if tied {
		tie(cmd.SysProcAttr)
	}
}

// makePipe makes a named pipe, and opens both ends so that it need not wait for the
// other side.
func makePipe(path string) (*os.File, error) {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return nil, &os.PathError{Op: "mkfifo", Path: path, Err: err}
	}
	return os.OpenFile(path, os.O_RDWR, 0)
}

// killGroup kills a process and its process group.
func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }

// keepFromChildren prevents processes that this one starts from inheriting a descriptor.
func keepFromChildren(fd int) { syscall.CloseOnExec(fd) }
