//go:build unix

package commandtest

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/jacquard-go/jacquard/internal/command"
)

// A Running is a running command in a process group of its own, as in a terminal.
type Running struct {
	*exec.Cmd
	errs *bufio.Scanner
	tmp  string
	name string
}

// Start starts the command. Its folder for temporary files is empty.
func (c Command) Start(t *testing.T, env []string, args ...string) *Running {
	t.Helper()
	r := &Running{Cmd: exec.CommandContext(t.Context(), c.Path(t), args...), tmp: t.TempDir(), name: c.Name}
	r.Env = append(append(os.Environ(), "TMPDIR="+r.tmp), env...)
	r.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	errs, err := r.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.errs = bufio.NewScanner(errs)
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// WaitFor reads progress until it contains the text.
func (r *Running) WaitFor(t *testing.T, text string) {
	t.Helper()
	for r.errs.Scan() {
		if strings.Contains(r.errs.Text(), text) {
			return
		}
	}
	t.Fatalf("it ended without %q", text)
}

// Interrupted waits for the end and checks that it is an interrupt: the exit code, the message, and
// that neither a process nor a file is left.
func (r *Running) Interrupted(t *testing.T) {
	t.Helper()
	var last string
	for r.errs.Scan() {
		last = r.errs.Text()
	}
	var exit *exec.ExitError
	if err := r.Wait(); !errors.As(err, &exit) || exit.ExitCode() != command.ExitInterrupted {
		t.Errorf("got %v, want exit status %d", err, command.ExitInterrupted)
	}
	if last != r.name+": interrupted" {
		t.Errorf("got %q as the last line", last)
	}
	if err := syscall.Kill(-r.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("its process group: got %v, want %v", err, syscall.ESRCH)
	}
	left, err := os.ReadDir(r.tmp)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("it left %v behind", left)
	}
}
