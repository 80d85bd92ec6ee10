//go:build unix

package explore

import "syscall"

// keepFromChildren keeps a descriptor from the processes that this one starts.
func keepFromChildren(fd int) { syscall.CloseOnExec(fd) }
