package programs

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// An Operated is a program, usually with one goroutine, and the objects of its
// operations, in order.
type Operated struct {
	Want string
	Run  func(*explore.T)
}

// Operations returns programs with the object of each operation: mutex#1! is a
// change of the first mutex, atomic#2? a read of the second atomic variable,
// rwmutex#1- a release, chan#1> a send, mutex#1( taking a mutex, mutex#1) releasing it.
func Operations() map[string]Operated {
	shared := new([2]atomic.Int64) // outlives this function, and so is on no stack
	return map[string]Operated{
		"locks": {"mutex#1( mutex#2( mutex#2) mutex#1)", func(*explore.T) {
			var a, b sync.Mutex
			a.Lock()
			inAndOut(&b)
			a.Unlock()
		}},
		"read lock": {"rwmutex#1r rwmutex#1u rwmutex#1( rwmutex#1)", func(*explore.T) {
			var a sync.RWMutex
			inAndOut(a.RLocker())
			inAndOut(&a)
		}},
		"atomics": {"atomic#1! atomic#2? atomic#1?", func(*explore.T) {
			shared[0].Store(1)
			shared[1].Load()
			shared[0].Load()
		}},
		"atomics on a stack, which nobody else can work on": {"", func(*explore.T) {
			var own atomic.Int64
			own.Store(1)
			own.Load()
		}},
		"wait group": {"waitgroup#1+ waitgroup#1+ waitgroup#1.", func(*explore.T) {
			var w sync.WaitGroup
			w.Add(1)
			w.Done()
			w.Wait()
		}},
		"once": {"once#1? mutex#1( once#1? once#1! mutex#1) once#1?", func(*explore.T) {
			var o sync.Once
			o.Do(func() {})
			o.Do(func() {})
		}},
		"channels": {"chan#1> chan#2> chan#2!chan#1! chan#2!", func(*explore.T) {
			a, b := make(chan int, 1), make(chan int, 1)
			a <- 1
			b <- 1
			select {
			case <-a:
			case b <- 1:
			}
			close(b)
		}},
		"many channels": {"*", func(*explore.T) {
			var c [17]chan int
			for i := range c {
				c[i] = make(chan int)
			}
			select {
			case <-c[0]:
			case <-c[1]:
			case <-c[2]:
			case <-c[3]:
			case <-c[4]:
			case <-c[5]:
			case <-c[6]:
			case <-c[7]:
			case <-c[8]:
			case <-c[9]:
			case <-c[10]:
			case <-c[11]:
			case <-c[12]:
			case <-c[13]:
			case <-c[14]:
			case <-c[15]:
			case <-c[16]:
			default:
			}
		}},
		"timers": {"chan#1! chan#1! timer#1!", func(*explore.T) {
			a := time.NewTimer(time.Hour)
			a.Stop()
			select {
			case <-a.C:
			default:
			}
			time.AfterFunc(time.Hour, func() {}).Stop()
		}},
		"condition": {"mutex#1( cond#1! mutex#1)cond#1! mutex#1( cond#1! mutex#1) mutex#1( mutex#1)", func(t *explore.T) {
			var mu sync.Mutex
			c := sync.NewCond(&mu)
			mu.Lock()
			t.Go("signals", func() {
				mu.Lock()
				c.Signal()
				mu.Unlock()
			})
			c.Wait()
			mu.Unlock()
		}},
	}
}

// SpinsOnFlag has a goroutine wait for another by reading a flag in a loop.
func SpinsOnFlag(t *explore.T) {
	var flag atomic.Bool
	t.Go("sets", func() { flag.Store(true) })
	for !flag.Load() {
		runtime.Gosched()
	}
	t.Wait()
}

// WritesFiles has two goroutines write one file each.
func WritesFiles(t *explore.T) {
	dir := t.TempDir()
	var n atomic.Int64
	for _, name := range []string{"one", "two"} {
		t.Go(name, func() {
			n.Add(1)
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Error(err)
			}
		})
	}
	t.Wait()
}

// WritesPipes has two goroutines write to one pipe each.
func WritesPipes(t *explore.T) {
	var n atomic.Int64
	for _, name := range []string{"one", "two"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		t.Go(name, func() {
			n.Store(1)
			if _, err := w.WriteString("text"); err != nil {
				t.Error(err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Wait()
}

// inAndOut takes a lock and releases it: it only waits until the lock is free
// for a moment.
func inAndOut(l sync.Locker) {
	l.Lock()
	defer l.Unlock()
}
