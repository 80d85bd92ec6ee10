//go:build unix

package toolchain

import (
	"os/exec"
	"syscall"
)

// Apart puts cmd into its own process group, so that it does not receive signals that a
// terminal sends to its foreground group, such as an interrupt.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// ownGroup makes cmd the head of a process group of its own, which is killed as a whole
// when cmd's context ends.
func ownGroup(cmd *exec.Cmd) {
	Apart(cmd)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
