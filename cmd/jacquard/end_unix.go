//go:build unix

package main

import (
	"os"
	"syscall"
)

// askToEnd has a worker end what it does, and itself.
func askToEnd(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
