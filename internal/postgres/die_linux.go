package postgres

import (
	"os/exec"
	"syscall"
)

// dieWithUs makes the system end a server at once when the thread that started
// it ends. If that thread is locked to a goroutine that waits for the server, that is
// when this process ends. Call it after [owner.run].
func dieWithUs(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT }
