package main

import (
	"syscall"
	"testing"
)

// Whoever interrupts a soak is left with no process, no server and no file,
// whether the processes are told too or not.
func TestInterruptSoak(t *testing.T) {
	for name, group := range map[string]bool{"from a terminal": true, "by kill": false} {
		t.Run(name, func(t *testing.T) {
			r := tested.Start(t, nil, "soak", "-time", "1h", "-databases", "sqlite", "-kill-every", "100ms", "-relaxed")
			r.WaitFor(t, " kills")
			pid := r.Process.Pid
			if group {
				pid = -pid
			}
			if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			r.Interrupted(t)
		})
	}
}
