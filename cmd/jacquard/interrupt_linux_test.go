package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A running is the command in a process group of its own, as in a terminal.
type running struct {
	*exec.Cmd
	errs *bufio.Scanner
	tmp  string
}

func start(t *testing.T, env []string, args ...string) *running {
	t.Helper()
	r := &running{Cmd: exec.CommandContext(t.Context(), command(t), args...), tmp: t.TempDir()}
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

// waitFor reads progress until it has the text.
func (r *running) waitFor(t *testing.T, text string) {
	t.Helper()
	for r.errs.Scan() {
		if strings.Contains(r.errs.Text(), text) {
			return
		}
	}
	t.Fatalf("it ended without %q", text)
}

// interrupted waits for the end and checks that it is one: the code, the word,
// and that neither a process nor a file is left.
func (r *running) interrupted(t *testing.T) {
	t.Helper()
	var last string
	for r.errs.Scan() {
		last = r.errs.Text()
	}
	var exit *exec.ExitError
	if err := r.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
		t.Errorf("got %v, want exit status %d", err, exitInterrupted)
	}
	if last != "jacquard: interrupted" {
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

// Ctrl-C ends everything: the terminal tells the whole group, kill just one.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct {
		name  string
		group bool
		args  []string
		when  string
	}{
		{"replay from a terminal", true, []string{"replay", "R6/ours"}, "R6/ours"},
		{"replay", false, []string{"replay", "R6/ours"}, "R6/ours"},
		{"races from a terminal", true, []string{"races"}, " of "},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, nil, c.args...)
			r.waitFor(t, c.when)
			pid := r.Process.Pid
			if c.group {
				pid = -pid
			}
			if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			r.interrupted(t)
		})
	}
}

// While it builds, the go command goes too.
func TestInterruptBuild(t *testing.T) {
	gocmd, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	pidPipe := filepath.Join(bin, "pid")
	if err := syscall.Mkfifo(pidPipe, 0o600); err != nil {
		t.Fatal(err)
	}
	// A toolchain from GOMODCACHE would be run by its own path, and not by this one.
	fake := "#!/bin/sh\nif test \"$1\" = env; then '" + gocmd + "' \"$@\" | sed 's/\"GOMODCACHE\": \".*\"/\"GOMODCACHE\": \"\\/nowhere\"/'; exit; fi\necho $$ >'" + pidPipe + "'\nexec sleep 1000\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	r := start(t, []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "JACQUARD_CACHE=" + t.TempDir()}, "races")
	r.waitFor(t, "building")
	pid := read(t, pidPipe)
	if err := r.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	r.interrupted(t)
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the go command: got %v, want %v", err, syscall.ESRCH)
	}
}

// read waits for a number in a pipe.
func read(t *testing.T, pipe string) (n int) {
	t.Helper()
	f, err := os.OpenFile(pipe, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(f).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if n, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
		t.Fatal(err)
	}
	return n
}
