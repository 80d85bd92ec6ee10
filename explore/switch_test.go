package explore_test

import (
	"bytes"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// stepUntil steps one goroutine through atomic operations until done is set. The test fails
// if this takes too many steps.
func stepUntil(t *testing.T, done *atomic.Bool) {
	t.Helper()
	const most = 200_000_000 // half a minute or more
	e := control.Start(1)
	var n atomic.Int64
	end := false
	e.Spawn(func() {
		for !end {
			n.Add(1)
		}
	})
	steps := 0
	for ; !done.Load() && steps < most; steps++ {
		e.Step(1, 0)
	}
	end = true
	for e.Task(1).State == control.Runnable {
		e.Step(1, 0)
	}
	e.Finish(false, false)
	if !done.Load() {
		t.Errorf("got nothing done after %d steps", steps)
	}
	if got := e.Task(1).State; got != control.Exited {
		t.Errorf("got state %d, want %d", got, control.Exited)
	}
}

// While goroutines are stepped as fast as possible, other goroutines run too. Their timers
// fire, and they can collect garbage, and profile and trace the process.
func TestOthersGetTheirTurn(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct {
		name string
		work func(t *testing.T)
	}{
		{"timers", func(*testing.T) {
			tick := time.NewTicker(time.Millisecond)
			defer tick.Stop()
			for range 20 {
				<-tick.C
			}
		}},
		{"busy", func(*testing.T) {
			for range 100 {
				runtime.Gosched()
			}
		}},
		{"collector", func(*testing.T) {
			for range 10 {
				runtime.GC()
			}
		}},
		{"goroutine profile", func(t *testing.T) {
			for range 10 {
				if err := pprof.Lookup("goroutine").WriteTo(io.Discard, 0); err != nil {
					t.Error(err)
				}
			}
		}},
		{"processor profile", func(t *testing.T) {
			if err := pprof.StartCPUProfile(io.Discard); err != nil {
				t.Error(err)
			}
			time.Sleep(30 * time.Millisecond)
			pprof.StopCPUProfile()
		}},
		{"trace", func(t *testing.T) {
			var b bytes.Buffer
			if err := trace.Start(&b); err != nil {
				t.Error(err)
			}
			time.Sleep(10 * time.Millisecond)
			trace.Stop()
			if b.Len() == 0 {
				t.Error("got an empty trace, want events")
			}
		}},
		{"stop the world", func(*testing.T) {
			var m runtime.MemStats
			for range 50 {
				runtime.ReadMemStats(&m)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var done atomic.Bool
			var other sync.WaitGroup
			other.Go(func() {
				defer done.Store(true)
				c.work(t)
			})
			stepUntil(t, &done)
			other.Wait()
		})
	}
}

// A goroutine locked to its thread is stepped like any other, and may end while it is
// locked.
func TestLockedToThread(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small("locked"), func(t *explore.T) {
		var n atomic.Int64
		t.Go("locked", func() {
			runtime.LockOSThread()
			n.Add(1)
			runtime.UnlockOSThread()
			n.Add(1)
		})
		t.Go("ends locked", func() {
			runtime.LockOSThread()
			n.Add(1)
		})
		t.Go("free", func() { n.Add(1) })
		t.Wait()
		if n.Load() != 4 {
			t.Errorf("got %d, want 4", n.Load())
		}
	})
	if r.Verdict != explore.Holds {
		t.Errorf("got %v (%s), want %v", r.Verdict, r.Summary(), explore.Holds)
	}
}

// An exploration runs even if its caller is locked to its thread.
func TestLockedController(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if r := run(t, small("locked controller"), programs.Touch); r.Verdict != explore.Holds {
		t.Errorf("got %v (%s), want %v", r.Verdict, r.Summary(), explore.Holds)
	}
}
