package tests

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pair runs f in two goroutines, so that there is something to explore.
func pair(f func(i int)) {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

func TestSubtests(t *testing.T) {
	for _, name := range []string{"a", "b", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Run("deep", func(t *testing.T) {
				var mu sync.Mutex
				n := 0
				pair(func(int) { mu.Lock(); n++; mu.Unlock() })
				if n != 2 {
					t.Fatalf("n = %d", n)
				}
			})
		})
	}
	if t.Name() != "TestSubtests" {
		t.Error(t.Name())
	}
}

func TestParallelSubtests(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]bool{}
	t.Run("group", func(t *testing.T) {
		for _, name := range []string{"a", "b", "c"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				mu.Lock()
				defer mu.Unlock()
				seen[t.Name()] = true
			})
		}
	})
	if len(seen) != 3 {
		t.Errorf("got %v", seen)
	}
}

func TestParallelTop(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
}

// Two of these tests would find a wrong environment if they saw what another test
// had left.
func TestEnvironment(t *testing.T) {
	if v := os.Getenv("GUEST_LEFT"); v != "" {
		t.Fatalf("got %q from before", v)
	}
	if dir, _ := os.Getwd(); filepath.Base(dir) != "tests" {
		t.Fatalf("in %s", dir)
	}
	os.Setenv("GUEST_LEFT", "1") // and not put back
	t.Setenv("GUEST_SET", "1")
	t.Chdir(t.TempDir())
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
	if os.Getenv("GUEST_SET") != "1" {
		t.Error("Setenv has not set it")
	}
	os.Chdir("/")
}

func TestTempDir(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	if dirs[0] == dirs[1] {
		t.Fatal(dirs)
	}
	pair(func(i int) {
		if err := os.WriteFile(filepath.Join(dirs[i], "f"), []byte("x"), 0o600); err != nil {
			t.Error(err)
		}
	})
	left, err := os.ReadDir(filepath.Dir(dirs[0]))
	if err != nil || len(left) != 2 {
		t.Errorf("got %v, %v", left, err)
	}
}

// made is set once in a process. All later executions use it.
var made = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "made")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "file")
	return file, os.WriteFile(file, []byte("weft"), 0o600)
})

// Later schedules see what the first schedule has left, and nothing else.
func TestTempStays(t *testing.T) {
	file, err := made()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); string(text) != "weft" || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	if left, err := os.ReadDir(filepath.Dir(filepath.Dir(file))); len(left) > 2 || err != nil {
		t.Errorf("got %v, %v", left, err)
	}
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
	f, err := os.CreateTemp("", "left-behind")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

func TestTempStaysForOthers(t *testing.T) {
	if _, err := made(); err != nil {
		t.Fatal(err)
	}
	TestTempStays(t)
}

func TestBubble(t *testing.T) {
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
	synctest.Test(t, func(t *testing.T) {
		began, slept := time.Now(), false
		go func() { time.Sleep(time.Hour); slept = true }()
		time.Sleep(time.Hour)
		synctest.Wait()
		if !slept || time.Since(began) != time.Hour {
			t.Errorf("%v after %v", slept, time.Since(began))
		}
	})
}

func TestAllocations(t *testing.T) {
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
	if n := testing.AllocsPerRun(10, func() { mu.Lock(); mu.Unlock() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestCleanupOrder(t *testing.T) {
	var did []string
	t.Cleanup(func() {
		if got := strings.Join(did, " "); got != "body sub subclean second first" {
			t.Errorf("got %q", got)
		}
	})
	t.Cleanup(func() { did = append(did, "first") })
	t.Cleanup(func() { did = append(did, "second") })
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
	did = append(did, "body")
	t.Run("sub", func(t *testing.T) {
		t.Cleanup(func() { did = append(did, "subclean") })
		did = append(did, "sub")
	})
}

func TestContext(t *testing.T) {
	ended := make(chan error, 1)
	t.Run("sub", func(t *testing.T) {
		go func() {
			<-t.Context().Done()
			ended <- context.Cause(t.Context())
		}()
	})
	if err := <-ended; err != context.Canceled {
		t.Error(err)
	}
}

func TestDeadline(t *testing.T) {
	d, ok := t.Deadline()
	if ok && time.Until(d) > time.Hour {
		t.Errorf("%v to go", time.Until(d))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	<-ctx.Done()
	if ok {
		if now, _ := t.Deadline(); now != d {
			t.Error("it has moved")
		}
	}
}

func TestTimers(t *testing.T) {
	began := time.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	n := 0
	for done := time.After(10*time.Second + time.Millisecond); ; {
		select {
		case <-tick.C:
			n++
			continue
		case <-done:
		}
		break
	}
	time.Sleep(time.Hour)
	const want = time.Hour + 10*time.Second + time.Millisecond
	if got := time.Since(began); n != 10 || got < want || got > want+time.Millisecond { // timers are a little late
		t.Errorf("%d ticks in %v", n, got)
	}
}

// TestSelectsAreFair expects that a select with two ready cases takes each of them sometimes.
func TestSelectsAreFair(t *testing.T) {
	const rounds = 100
	a, b := make(chan int, 2*rounds), make(chan int, 2*rounds)
	pair(func(int) {
		for range rounds {
			a <- 1
			b <- 1
		}
	})
	var first, second [2]int
	for range rounds {
		select {
		case <-a:
			first[0]++
		case <-b:
			first[1]++
		}
		select {
		case <-a:
			second[0]++
		case <-b:
			second[1]++
		}
	}
	if least := min(first[0], first[1], second[0], second[1]); least < rounds/10 {
		t.Errorf("a case was taken %d times of %d", least, rounds)
	}
}
