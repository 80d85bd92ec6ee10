package programs

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"weak"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"github.com/jacquard-go/jacquard/explore"
)

// Standard returns programs that use common packages of the standard library.
func Standard() []Program {
	return []Program{
		{"errgroup", explore.Holds, "", errGroup},
		{"singleflight", explore.Holds, "", singleFlight},
		{"sync.Pool", explore.Holds, "", pool},
		{"context.AfterFunc", explore.Holds, "", afterFunc},
		{"timers", explore.Holds, "", timers},
		{"iter.Pull", explore.Holds, "", pull},
		{"locked to a thread", explore.Holds, "", func(t *explore.T) {
			var n atomic.Int32
			for range 2 {
				t.Go("locked", func() {
					runtime.LockOSThread()
					defer runtime.UnlockOSThread()
					n.Add(1)
				})
			}
			t.Wait()
			if n.Load() != 2 {
				t.Errorf("got %d", n.Load())
			}
		}},
		{"finalizers", explore.Holds, "", finalizers},
		{"clean-ups", explore.Violated, explore.KindCheck, cleanups},
		{"subtests", explore.Violated, explore.KindCheck, subtests},
		{"subtests that are right", explore.Holds, "", func(t *explore.T) {
			var n atomic.Int32
			for _, name := range []string{"a", "b"} {
				if !t.Run(name, func(t *explore.T) {
					t.Go("one", func() { n.Add(1) })
					t.Go("two", func() { n.Add(1) })
					t.Wait()
				}) {
					t.Errorf("%s failed", name)
				}
			}
			if n.Load() != 4 {
				t.Errorf("got %d, want 4", n.Load())
			}
		}},
		{"a signal handler", explore.Holds, "", func(t *explore.T) {
			c := make(chan os.Signal, 1)
			signal.Notify(c, syscall.SIGUSR1)
			defer signal.Stop(c)
			t.Go("one", func() {})
			t.Wait()
		}},
		{"Setenv", explore.Violated, explore.KindPanic, func(t *explore.T) { t.Setenv("A", "b") }},
		{"Chdir", explore.Violated, explore.KindPanic, func(t *explore.T) { t.Chdir("/") }},
	}
}

var errFirst = errors.New("first")

func errGroup(t *explore.T) {
	g, ctx := errgroup.WithContext(t.Context())
	g.SetLimit(2)
	g.Go(func() error { return errFirst })
	g.Go(func() error { <-ctx.Done(); return ctx.Err() })
	if err := g.Wait(); !errors.Is(err, errFirst) {
		t.Errorf("got %v", err)
	}
}

func singleFlight(t *explore.T) {
	var g singleflight.Group
	var calls atomic.Int32
	for range 2 {
		t.Go("caller", func() {
			v, _, _ := g.Do("key", func() (any, error) { calls.Add(1); return 7, nil })
			if v != 7 {
				t.Errorf("got %v", v)
			}
		})
	}
	t.Wait()
	if n := calls.Load(); n < 1 || n > 2 {
		t.Errorf("%d calls", n)
	}
}

func pool(t *explore.T) {
	var made atomic.Int32
	p := sync.Pool{New: func() any { made.Add(1); return new(int) }}
	for range 2 {
		t.Go("user", func() { v := p.Get().(*int); *v++; p.Put(v) })
	}
	t.Wait()
	if n := made.Load(); n < 1 || n > 2 {
		t.Errorf("made %d", n)
	}
}

func afterFunc(t *explore.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	var called atomic.Bool
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { called.Store(true); close(done) })
	t.Go("sleeper", func() { time.Sleep(time.Minute) })
	t.Wait()
	if called.Load() || !stop() {
		t.Errorf("called before its time")
	}
	context.AfterFunc(ctx, func() { close(done) })
	<-done
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		t.Errorf("got %v", ctx.Err())
	}
}

func timers(t *explore.T) {
	began := time.Now()
	timer := time.NewTimer(time.Hour)
	t.Go("resets", func() { timer.Reset(time.Minute) })
	t.Wait()
	<-timer.C
	select {
	case <-time.After(time.Second):
	case <-timer.C:
		t.Errorf("fired again")
	}
	fired := make(chan struct{})
	time.AfterFunc(time.Second, func() { close(fired) })
	<-fired
	if d := time.Since(began); d != time.Minute+2*time.Second {
		t.Errorf("took %v", d)
	}
}

func pull(t *explore.T) {
	var n atomic.Int32
	t.Go("other", func() { n.Add(1) })
	next, stop := iter.Pull(slices.Values([]int{1, 2, 3}))
	defer stop()
	for want := 1; ; want++ {
		v, ok := next()
		if !ok {
			break
		}
		if n.Add(1); v != want {
			t.Errorf("got %d, want %d", v, want)
		}
	}
	t.Wait()
}

// finalizers makes objects with finalizers, and does not wait for their collection.
func finalizers(t *explore.T) {
	type thing struct{ other *thing }
	x := &thing{}
	w := weak.Make(x)
	runtime.AddCleanup(x, func(int) {}, 1)
	runtime.SetFinalizer(&thing{other: x}, func(*thing) {})
	t.Go("collects", func() { runtime.GC() })
	t.Go("keeps", func() { runtime.KeepAlive(x) })
	t.Wait()
	if w.Value() != nil && w.Value() != x {
		t.Errorf("got another")
	}
	runtime.KeepAlive(x)
}

// cleanups fails after the body, in the clean-up that was registered first.
func cleanups(t *explore.T) {
	var order []string
	t.Cleanup(func() {
		if got := fmt.Sprint(order); got != "[c b]" {
			t.Errorf("a is called after %s", got)
		}
		t.Errorf("in the last one")
	})
	t.Cleanup(func() {
		order = append(order, "b")
		if _, err := os.Stat(t.TempDir()); err != nil {
			t.Errorf("no directory: %v", err)
		}
	})
	t.Cleanup(func() { order = append(order, "c") })
	t.Go("other", func() {})
	t.Wait()
}

// subtests has one subtest that fails and does not stop the others.
func subtests(t *explore.T) {
	var order []string
	bad := t.Run("bad", func(t *explore.T) {
		t.Cleanup(func() { order = append(order, "cleaned") })
		t.Go("other", func() {})
		t.Wait()
		t.Fatal(t.Name())
	})
	good := t.Run("good", func(t *explore.T) { t.Skip() })
	if bad || !good || len(order) != 1 || !t.Failed() {
		panic(fmt.Sprint(bad, good, order))
	}
}

// Signalled is woken by a signal that the kernel sends to its process.
func Signalled(t *explore.T) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	defer signal.Stop(c)
	t.Go("other", func() {})
	_, _, _ = syscall.Syscall(syscall.SYS_KILL, uintptr(syscall.Getpid()), uintptr(syscall.SIGUSR1), 0)
	<-c
	t.Wait()
}
