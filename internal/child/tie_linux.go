package child

import "syscall"

// tie makes a process die with the thread that starts it.
func tie(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
