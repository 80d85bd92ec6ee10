package suite

import (
	"os/exec"
	"syscall"
)

// tie has cmd die when this process dies, by whatever cause: nobody else would
// ever end a test that hangs. It dies with the thread that starts it, to be exact;
// those of a program that does not lock goroutines to threads live as long as it.
func tie(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
