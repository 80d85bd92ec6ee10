//go:build !linux

package suite

import "os/exec"

func tie(*exec.Cmd) {}
