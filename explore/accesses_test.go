package explore_test

import (
	"fmt"
	"iter"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// stores has no plain memory access, so the compiler gives it no frame notes for the detector.
//
//go:noinline
func stores(n *uint32) { atomic.StoreUint32(n, 1) }

// A race with an atomic access is reported as atomic, at the call that makes the access.
func TestRaceOfAnAtomicOperation(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := races(t, func(t *explore.T) {
		var n uint32
		t.Go("stores", func() { stores(&n) })
		n = 2
		t.Wait()
	})
	if cause, want := r.Failure.Timeline.Cause, `"stores" wrote it atomically at step `; !strings.Contains(cause, want) || strings.Count(cause, " at step ") != 2 {
		t.Errorf("got the cause %q, want %q, and two steps", cause, want)
	}
	for _, s := range r.Failure.Timeline.Steps {
		if place := fmt.Sprintf("atomic write by \"stores\" at %s", s.Where); strings.HasPrefix(s.Op, "Store") && !strings.Contains(r.Failure.Message, place) {
			t.Errorf("got %q, want %q", r.Failure.Message, place)
		}
	}
}

// Of the passes of a line, a race is that of two that nothing orders: in each body, the first passes.
func TestRaceAmongOtherPasses(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, body := range []func(*explore.T){asksAgain, fillsTwice} {
		steps, seen, conflicts := races(t, body).Failure.Timeline.Steps, make(map[int]bool), 0
		for _, s := range steps {
			if s.Op != "read" && s.Op != "write" {
				continue
			}
			conflict := s.Mark&timeline.Conflict != 0
			if conflict {
				conflicts++
			}
			if first := !seen[s.Thread]; first != conflict {
				t.Errorf("got the mark %v at step %d, %s %s %s; want a conflict of the first access of each goroutine", s.Mark, s.Index, s.Op, s.Object, s.Value)
			}
			seen[s.Thread] = true
		}
		if conflicts != 2 {
			t.Errorf("got %d conflicts, want 2", conflicts)
		}
	}
}

// asksAgain races with the first answer; a channel orders the second.
func asksAgain(t *explore.T) {
	n, ask, told := 0, make(chan bool, 1), make(chan int)
	t.Go("answers", func() {
		for range ask {
			told <- n
		}
	})
	ask <- true
	n = 1
	<-told
	ask <- true
	<-told
	close(ask)
	t.Wait()
}

// fillsTwice races at the first element; a lock guards the others.
func fillsTwice(t *explore.T) {
	var a [3]int
	var mu sync.Mutex
	fill := func() {
		for i := range a {
			if i > 0 {
				mu.Lock()
			}
			a[i] = i + 1
			if i > 0 {
				mu.Unlock()
			}
		}
	}
	t.Go("one", fill)
	t.Go("two", fill)
	t.Wait()
}

// An access that the runtime makes for package reflect is reported at the call in package reflect.
func TestRaceOfReflection(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := races(t, func(t *explore.T) {
		n, one := 0, reflect.ValueOf(1)
		v := reflect.ValueOf(&n).Elem()
		t.Go("one", func() { v.Set(one) })
		t.Go("two", func() { v.Set(one) })
		t.Wait()
	})
	if n := strings.Count(r.Failure.Message, " in reflect.Value.Set"); n != 2 {
		t.Errorf("got %q, want both calls of package reflect", r.Failure.Message)
	}
}

// Finalizers and cleanups run in goroutines of the runtime. Their accesses are not attributed
// to a goroutine of the execution that runs meanwhile.
func TestRaceOfACleanup(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	const outside = "a goroutine outside the execution"
	r := run(t, small(t.Name()), func(t *explore.T) {
		n := new(uint32)
		t.Go("drops", func() { runtime.SetFinalizer(new(string), func(*string) { stores(n) }) })
		t.Wait()
		runtime.GC()
		time.Sleep(time.Millisecond)
		*n = 1
	})
	if want := `atomic write by "` + outside + `" at explore/accesses_test.go:`; r.Failure == nil || !strings.Contains(r.Failure.Message, `data race: write by "body" at `) || !strings.Contains(r.Failure.Message, want) {
		t.Errorf("got %v (%s), want a race of the body %s", r.Failure, r.Summary(), want)
	}
	cfg := small(t.Name())
	cfg.Races = explore.RacesNote
	r = run(t, cfg, func(t *explore.T) {
		n := new(int)
		for i := range 2 {
			runtime.AddCleanup(new(*int), func(i int) { *n = i }, i)
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	})
	for _, race := range r.Noted {
		if race.Accesses[0].Goroutine != outside || race.Accesses[1].Goroutine != outside {
			t.Errorf("got %v, want a race of two goroutines outside", race)
		}
	}
}

// A send chosen by a select is described as a send, even if its case is on another line.
func TestRaceOfASelect(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := races(t, func(t *explore.T) {
		c, never := make(chan int, 1), make(chan int)
		t.Go("closes", func() { close(c) })
		t.Go("sends", func() {
			defer func() { _ = recover() }()
			select {
			case <-never:
			case c <- 1:
			}
		})
		t.Wait()
	})
	if cause, want := r.Failure.Timeline.Cause, `"sends" did send c at step `; !strings.Contains(cause, want) {
		t.Errorf("got the cause %q, want %q", cause, want)
	}
}

// A race between overwriting a lock and using it is described as a race on the lock.
func TestRaceOfALock(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := races(t, func(t *explore.T) {
		var mu sync.Mutex
		t.Go("overwrites", func() { mu = sync.Mutex{} })
		t.Go("locks", func() { mu.Lock() })
		t.Wait()
	})
	if cause, want := r.Failure.Timeline.Cause, `"locks" did Lock mu at step `; !strings.Contains(cause, want) {
		t.Errorf("got the cause %q, want %q", cause, want)
	}
	if n := strings.Count(r.Failure.Message, " at explore/accesses_test.go:"); n != 2 {
		t.Errorf("got %q, want both places in this file", r.Failure.Message)
	}
}

// To the race detector a coroutine is another goroutine. A race of its callers is attributed to
// the callers, even if the coroutine itself races in the same step.
func TestRaceBesideACoroutine(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := races(t, func(t *explore.T) {
		next, stop := iter.Pull(func(yield func(int) bool) {
			for yield(1) {
			}
		})
		defer stop()
		t.Go("one", func() { next() })
		t.Go("two", func() { next() })
		t.Wait()
	})
	if m := r.Failure.Message; !strings.Contains(m, `by "one"`) || !strings.Contains(m, `by "two"`) {
		t.Errorf("got %q, want a race of one and two", m)
	}
}
