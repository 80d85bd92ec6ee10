//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package soak

import "syscall"

// freeze stops a process, and thaw lets it continue. A process that has ended is not affected.
func (p *process) freeze() { _ = syscall.Kill(p.Pid(), syscall.SIGSTOP) }
func (p *process) thaw()   { _ = syscall.Kill(p.Pid(), syscall.SIGCONT) }
