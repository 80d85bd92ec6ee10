package postgres

import (
	"os/exec"
	"syscall"
)

// dieWithUs has the system end a server at once when the thread that has started
// it ends: when this process does, if that thread belongs to a goroutine that waits
// for the server. It comes after [owner.run].
func dieWithUs(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT }
