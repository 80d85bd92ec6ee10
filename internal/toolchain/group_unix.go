//go:build unix

package toolchain

import (
	"os/exec"
	"syscall"
)

// ownGroup makes cmd the head of a process group of its own, which dies as a
// whole when cmd's context ends.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
