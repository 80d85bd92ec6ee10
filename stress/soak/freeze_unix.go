//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package soak

import "syscall"

// freeze stops a process as it stands, and thaw lets it go on. One that has ended is left.
func (p *process) freeze() { _ = syscall.Kill(p.Pid(), syscall.SIGSTOP) }
func (p *process) thaw()   { _ = syscall.Kill(p.Pid(), syscall.SIGCONT) }
