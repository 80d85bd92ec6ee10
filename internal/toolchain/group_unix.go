//go:build unix

package toolchain

import (
	"os/exec"
	"syscall"
)

// Apart keeps from cmd what a terminal sends to all of its foreground, such as an
// interrupt.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// ownGroup makes cmd the head of a process group of its own, which dies as a
// whole when cmd's context ends.
func ownGroup(cmd *exec.Cmd) {
	Apart(cmd)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
