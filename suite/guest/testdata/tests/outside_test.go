package tests

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestRunsItself(t *testing.T) {
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelperProcess$")
	cmd.Env = append(os.Environ(), "WANT_HELPER=1")
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 3 || !strings.Contains(string(out), "I am the helper") {
		t.Errorf("got %q, %v", out, err)
	}
}

// TestTimesAProcess expects that a process takes as long as it sleeps.
func TestTimesAProcess(t *testing.T) {
	var mu sync.Mutex
	began := time.Now()
	pair(func(int) { mu.Lock(); mu.Unlock() })
	if err := exec.Command("sleep", "0.05").Run(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < 50*time.Millisecond {
		t.Errorf("it took %v", took)
	}
}

// TestRunsItselfWithARequest starts its own binary with a request, as jacquard does. The
// process would fail if it took this request for its own.
func TestRunsItselfWithARequest(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestHelperProcess$")
	cmd.Env = append(os.Environ(), "JACQUARD_SUITE=/there/is/none")
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "jacquard") {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestServes(t *testing.T) {
	var mu sync.Mutex
	served := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		served++
		mu.Unlock()
		io.WriteString(w, "hello")
	}))
	defer s.Close()
	pair(func(int) {
		resp, err := http.Get(s.URL)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		if body, err := io.ReadAll(resp.Body); string(body) != "hello" || err != nil {
			t.Errorf("got %q, %v", body, err)
		}
	})
	if served != 2 {
		t.Errorf("served %d", served)
	}
}

func TestPipes(t *testing.T) {
	a, b := net.Pipe()
	go func() { io.WriteString(a, "x"); a.Close() }()
	if got, err := io.ReadAll(b); string(got) != "x" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// A test sees the same facts about its process in each schedule.
func TestCounts(t *testing.T) {
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
	runtime.Gosched()
	if n := runtime.NumGoroutine(); n != 2 {
		t.Errorf("%d goroutines", n)
	}
	if n := runtime.GOMAXPROCS(0); n != 4 || n != runtime.NumCPU() {
		t.Errorf("%d processors of %d", n, runtime.NumCPU())
	}
	stacks := make([]byte, 1<<16)
	stacks = stacks[:runtime.Stack(stacks, true)]
	if n := strings.Count(string(stacks), "\ngoroutine "); n != 1 {
		t.Errorf("%d others:\n%s", n, stacks)
	}
}
