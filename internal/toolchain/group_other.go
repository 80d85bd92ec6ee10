//go:build !unix

package toolchain

import "os/exec"

// Apart does nothing where there are no process groups.
func Apart(*exec.Cmd) {}

// ownGroup does nothing where there are no process groups: only the go command itself
// dies when its context ends, and its children end by themselves.
func ownGroup(*exec.Cmd) {}
