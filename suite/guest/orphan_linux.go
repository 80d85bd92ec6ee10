package guest

import (
	"os/exec"
	"runtime"
	"syscall"
)

// tie has cmd die if this process is killed before it has called untie. What counts
// is the thread that starts cmd, which therefore stays this goroutine's until then.
func tie(cmd *exec.Cmd) (untie func()) {
	runtime.LockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return runtime.UnlockOSThread
}
