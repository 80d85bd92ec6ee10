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
)

// Who is killed leaves no test behind that hangs.
func TestKilledHost(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
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
	both, log := open(os.O_RDWR), open(os.O_RDONLY)
	if err := log.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
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
	_ = both.Close() // now the test is the only one that can write
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = host.Wait() // it was killed
	if _, err := lines.ReadByte(); err != io.EOF {
		t.Errorf("got %v, want %v: the test's process is alive", err, io.EOF)
	}
}
