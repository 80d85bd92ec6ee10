package tests

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain stops the server that tests have started. Environment variables ask it to
// remove its own argument and change the folder, to fail though no test has failed or if
// another process of these tests runs, or to exit with 0 whatever has failed.
func TestMain(m *testing.M) {
	if moved := os.Getenv("WANT_MOVED"); moved != "" {
		last := len(os.Args) - 1
		if os.Args[last] != "weft" {
			panic("it was not told of the weft")
		}
		os.Args = os.Args[:last]
		if err := os.Chdir(".."); err != nil {
			panic(err)
		}
		os.Setenv("WANT_MOVED", moved+" once")
	}
	if lock := os.Getenv("WANT_ALONE"); lock != "" {
		if err := os.Mkdir(lock, 0o700); err != nil {
			os.Exit(7)
		}
	}
	if name := os.Getenv("WANT_FILE"); name != "" {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if served != nil {
		served.Process.Kill()
		if err := <-ended; err == nil {
			code = 9
		}
	}
	if os.Getenv("WANT_ALL") != "" && code == 0 {
		os.Stdout.WriteString("not all tests have run\n")
		code = 8
	}
	if os.Getenv("WANT_NOTHING") != "" {
		code = 0
	}
	os.Exit(code)
}

// TestMoved expects to run without control, after TestMain has run once.
func TestMoved(t *testing.T) {
	if os.Getenv("GOMAXPROCS") != "" {
		t.Fatal("under control")
	}
	dir, err := os.Getwd()
	if moved := os.Getenv("WANT_MOVED"); moved != "asked once" || filepath.Base(dir) != "testdata" {
		t.Fatalf("%q in %s, %v", moved, dir, err)
	}
}

// TestServerProcess is a process that serves until it is killed.
func TestServerProcess(t *testing.T) {
	address := os.Getenv("WANT_SERVER")
	if address == "" {
		return
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		time.Sleep(300 * time.Millisecond)
		os.Exit(3)
	}()
	l, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, "hello")
		c.Close()
	}
}

var (
	served *exec.Cmd
	ended  = make(chan error, 1)
)

// server is started once. A goroutine of its own waits for it.
var server = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "served")
	if err != nil {
		return "", err
	}
	address := filepath.Join(dir, "s")
	served = exec.Command(os.Args[0], "-test.run=^TestServerProcess$")
	served.Env = append(os.Environ(), "WANT_SERVER="+address)
	served.Stdout = new(bytes.Buffer) // a goroutine that Wait waits for writes to it
	if err := served.Start(); err != nil {
		return "", err
	}
	go func() { ended <- served.Wait() }()
	return address, nil
})

// TestServer asks a process that lives as long as the tests.
func TestServer(t *testing.T) {
	address, err := server()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(address); err == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	pair(func(int) {
		c, err := net.Dial("unix", address)
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		if text, err := io.ReadAll(c); string(text) != "hello" || err != nil {
			t.Errorf("got %q, %v", text, err)
		}
	})
}

func TestServerAgain(t *testing.T) { TestServer(t) }

// TestServerStops stops the server that an earlier test has started. The server needs
// a moment to stop.
func TestServerStops(t *testing.T) {
	if _, err := server(); err != nil {
		t.Fatal(err)
	}
	_ = served.Process.Signal(os.Interrupt)
	select {
	case err := <-ended:
		ended <- err // TestMain receives it
	case <-time.After(time.Minute):
		t.Error("the server has not stopped")
	}
}

// TestFeedsProcess writes to a process for longer than the explorer waits for a task.
func TestFeedsProcess(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 2; cat")
	cmd.Stdin = strings.NewReader(strings.Repeat("weft", 1<<16))
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil || out.Len() != 4<<16 {
		t.Errorf("%v after %d bytes", err, out.Len())
	}
}

// TestLeavesSlowly gives a process a minute to end, of which it needs a moment. It ends at once if the
// pattern LEAVES_AT_ONCE matches its number or, in all but the first process that runs this test,
// "other". The file LEFT lists the processes.
func TestLeavesSlowly(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	const leave = `echo $PPID >>$LEFT; n=$(wc -l <$LEFT); [ $PPID = $(head -n 1 $LEFT) ] || n=other
		if echo $n | grep -qxE "$LEAVES_AT_ONCE"; then mkdir $0; else (sleep 2; mkdir $0) & fi`
	if err := exec.Command("sh", "-c", leave, gone).Run(); err != nil {
		t.Fatal(err)
	}
	pair(func(int) {})
	for waited := time.Duration(0); ; waited += time.Second {
		if _, err := os.Stat(gone); err == nil {
			return
		}
		if waited > time.Minute {
			t.Fatal("it is still there")
		}
		time.Sleep(time.Second)
	}
}
