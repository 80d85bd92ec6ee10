//go:build unix && !linux

package child

import "syscall"

func tie(*syscall.SysProcAttr) {}
