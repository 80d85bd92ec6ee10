package suite_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite"
)

// Who is killed leaves no test behind that hangs.
func TestKilledHost(t *testing.T) {
	pipe, others, log := held(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	host := exec.CommandContext(t.Context(), self)
	host.Env = append(os.Environ(), hostVar+"=yes", fakeTests+"="+names("TestHolds"), fakeLog+"="+pipe, "JACQUARD_CACHE="+t.TempDir(), "TMPDIR="+t.TempDir())
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(log)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	_ = others.Close() // now the test is the only one that can write
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = host.Wait() // it was killed
	if _, err := lines.ReadByte(); err != io.EOF {
		t.Errorf("got %v, want %v: the test's process is alive", err, io.EOF)
	}
}

// What a test has left running ends with its process, and keeps nobody waiting.
func TestLeavesChild(t *testing.T) {
	pipe, others, log := held(t)
	t.Setenv(fakeLog, pipe)
	runs(t, suite.Config{}, "TestLeavesChild").want(t, true, "ok  \t"+here+"\t0.02s\t1 test\n")
	_ = others.Close() // now the child is the only one that can write
	if _, err := bufio.NewReader(log).ReadByte(); err != io.EOF {
		t.Errorf("got %v, want %v: the child is alive", err, io.EOF)
	}
}

// held is a pipe that tells whether somebody holds it: once others is closed, log
// ends when nobody does.
func held(t *testing.T) (pipe string, others, log *os.File) {
	t.Helper()
	pipe = filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(mode int) *os.File {
		f, err := os.OpenFile(pipe, mode|syscall.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	others, log = open(os.O_RDWR), open(os.O_RDONLY)
	if err := log.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return pipe, others, log
}
