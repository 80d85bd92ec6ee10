//go:build !unix

package toolchain

import "os/exec"

// ownGroup does nothing where there are no process groups: only the go command
// itself dies when its context ends, and its children end by themselves.
func ownGroup(*exec.Cmd) {}
