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
		{"the table from a terminal", true, nil, " of "},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := tested.Start(t, nil, c.args...)
			r.WaitFor(t, c.when)
			pid := r.Process.Pid
			if c.group {
				pid = -pid
			}
			if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			r.Interrupted(t)
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
	r := tested.Start(t, []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "JACQUARD_CACHE=" + t.TempDir()})
	r.WaitFor(t, "building")
	pid := read(t, pidPipe)
	if err := r.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	r.Interrupted(t)
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
