//go:build !linux

package postgres

import "os/exec"

// dieWithUs does nothing: only Linux ends a process with the one that started it.
func dieWithUs(*exec.Cmd) {}
