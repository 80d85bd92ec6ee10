package system

import (
	"fmt"
	"os/exec"
	"syscall"
	"testing"
)

// A stopped process does not handle signals that are sent to it.
func TestSignalUnderWay(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	process := fmt.Sprint(cmd.Process.Pid)
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if _, err := syscall.Wait4(cmd.Process.Pid, nil, syscall.WUNTRACED, nil); err != nil {
		t.Fatal(err)
	}
	if signalUnderWay(process) {
		t.Error("before it: got a signal under way, want none")
	}
	if err := cmd.Process.Signal(syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	if !signalUnderWay(process) {
		t.Error("got no signal under way, want one")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}
