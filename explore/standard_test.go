package explore_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// The commonly used parts of the standard library work under control.
func TestStandard(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Standard() {
		t.Run(b.Name, func(t *testing.T) { judge(t, small(b.Name), b) })
	}
}

// A failure in a part of the body has the part's name.
func TestSubtestSays(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Standard() {
		if b.Name != "subtests" {
			continue
		}
		r := run(t, small("body"), b.Run)
		if r.Failure == nil || r.Failure.Message != "body/bad" {
			t.Errorf("got %s, want body/bad", r.Summary())
		}
	}
}

// A goroutine woken by a signal from the kernel depends on the outside world.
func TestSignal(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Watchdog = time.Second
	if r := run(t, cfg, programs.Signalled); r.Verdict != explore.Unknown {
		t.Errorf("got %v (%s), want unknown", r.Verdict, r.Summary())
	}
}

// The work of the process's other goroutines, and what they leave behind, neither disturbs
// the execution nor is reported.
func TestBesideOthers(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	alone := run(t, small("beside"), programs.CASLoop)
	stop := others(t)
	beside := run(t, small("beside"), programs.CASLoop)
	leak := run(t, small("leak"), programs.Leaky)
	stop()
	if alone.Verdict != explore.Holds || alone.Summary() != beside.Summary() {
		t.Errorf("got %s alone and %s beside others, want the same", alone.Summary(), beside.Summary())
	}
	if leak.Failure == nil || !strings.Contains(leak.Failure.Message, "\" never ended, at internal/programs/odd_stuck.go:") {
		t.Errorf("got %s, want the one leak", leak.Summary())
	}
}

// others starts goroutines that exchange values, sleep, allocate and leak.
func others(t *testing.T) (stop func()) {
	t.Helper()
	done, ping := make(chan struct{}), make(chan []byte)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case ping <- make([]byte, 1<<16):
			case <-done:
				return
			}
		}
	})
	wg.Go(func() {
		for {
			select {
			case <-ping:
			case <-time.After(time.Millisecond):
			case <-done:
				return
			}
		}
	})
	leak := make(chan int)
	wg.Go(func() { <-leak })
	return func() {
		close(done)
		close(leak)
		wg.Wait()
	}
}

// Parallel tests explore one after the other.
func TestParallel(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			explore.Test(t, explore.Config{}, programs.Touch)
		})
	}
}

// A wake-up from outside the execution makes the result unknown.
func TestWokenFromOutside(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	c, done := make(chan int), make(chan struct{})
	go func() {
		defer close(done)
		for range c {
		}
	}()
	cfg := small(t.Name())
	cfg.Watchdog = time.Second
	r := run(t, cfg, func(t *explore.T) {
		programs.Touch(t)
		c <- 1
	})
	close(c)
	<-done
	if r.Verdict != explore.Unknown || !strings.Contains(r.Reason, "outside the execution") {
		t.Errorf("got %v (%s), want unknown", r.Verdict, r.Summary())
	}
}

// A lock that the standard library takes twice for its own use is not the cause of a failed
// check, because the program reads nothing under it.
func TestLocksOfTheStandardLibraryAreNoCause(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		mux := http.NewServeMux()
		handle := func(path string) { mux.Handle(path, http.NotFoundHandler()) }
		t.Go("other", func() { handle("/c") })
		handle("/a")
		t.Wait()
		handle("/b")
		t.Errorf("to be shown")
	})
	if cause := r.Failure.Timeline.Cause; strings.Contains(cause, "what was seen under the first hold") {
		t.Errorf("got the cause %q, want none with a lock of the standard library", cause)
	}
}
