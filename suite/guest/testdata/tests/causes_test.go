package tests

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestTwoChecks(t *testing.T) {
	var n, m atomic.Int64
	pair(func(int) { n.Store(n.Load() + 1); m.Store(m.Load() + 1) })
	if n.Load() != 2 {
		t.Fatalf("lost update of n: %d", n.Load())
	}
	if m.Load() != 2 {
		t.Fatalf("lost update of m: %d", m.Load())
	}
}

func TestCheckAndDeadlock(t *testing.T) {
	var n atomic.Int64
	var mu [2]sync.Mutex
	pair(func(i int) {
		n.Store(n.Load() + 1)
		mu[i].Lock()
		mu[1-i].Lock()
		mu[1-i].Unlock()
		mu[i].Unlock()
	})
	if n.Load() != 2 {
		t.Errorf("lost update: %d", n.Load())
	}
}

func TestCheckAndPanic(t *testing.T) {
	var n, state atomic.Int64
	pair(func(i int) {
		n.Store(n.Load() + 1)
		if i == 0 {
			state.Store(1)
			state.Store(2)
		} else if state.Load() == 1 {
			panic("half done")
		}
	})
	if n.Load() != 2 {
		t.Errorf("lost update: %d", n.Load())
	}
}

// TestOneOfTwoWaits signals once to two goroutines that wait.
func TestOneOfTwoWaits(t *testing.T) {
	var mu sync.Mutex
	closed, over := sync.NewCond(&mu), false
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for !over {
				closed.Wait()
			}
		})
	}
	mu.Lock()
	over = true
	mu.Unlock()
	closed.Signal()
	wg.Wait()
}

func TestSleepersTie(t *testing.T) {
	var mu sync.Mutex
	var order []int
	pair(func(i int) {
		time.Sleep(time.Millisecond)
		mu.Lock()
		order = append(order, i)
		mu.Unlock()
	})
	if order[0] > order[1] {
		t.Errorf("woken %d, then %d", order[0], order[1])
	}
}

// TestOneIsWoken has two of three wait for ever, whichever they are.
func TestOneIsWoken(t *testing.T) {
	var mu sync.Mutex
	cond, open := sync.NewCond(&mu), false
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for !open {
				cond.Wait()
			}
		})
	}
	wg.Go(func() {
		mu.Lock()
		open = true
		mu.Unlock()
		cond.Signal()
	})
	wg.Wait()
}

// TestHandlerLosesVisit needs many preemptions, because clients and a server meet in it.
func TestHandlerLosesVisit(t *testing.T) {
	var visits atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		n := visits.Load()
		visits.Store(n + 1)
	}))
	defer s.Close()
	pair(func(int) {
		r, err := s.Client().Get(s.URL)
		if err != nil {
			t.Error(err)
			return
		}
		r.Body.Close()
	})
	if n := visits.Load(); n != 2 {
		t.Errorf("got %d visits, want 2", n)
	}
}

// TestReadsTooSoon fails in the default schedule, which runs the reader first.
func TestReadsTooSoon(t *testing.T) {
	var v atomic.Int64
	pair(func(i int) {
		if i == 1 {
			v.Store(1)
		} else if v.Load() == 0 {
			t.Error("not yet")
		}
	})
}

// TestReadsTooLate fails if the goroutine has stored before it reads. It stores once more after that.
func TestReadsTooLate(t *testing.T) {
	var v atomic.Int64
	go v.Store(1)
	runtime.Gosched()
	if v.Load() == 1 {
		t.Error("too late")
		v.Store(2)
	}
}

// TestReadsBetween fails if it reads after v was taken away and before it is put back; that it could
// have read before both is the earlier of two turns that decide.
func TestReadsBetween(t *testing.T) {
	var v atomic.Int64
	v.Store(1)
	taken := make(chan bool)
	go func() { <-taken; v.Store(1) }()
	go func() { v.Store(0); close(taken) }()
	runtime.Gosched()
	if v.Load() == 0 {
		t.Error("taken away")
	}
}

// TestReadsOnceSet fails in the default schedule, whoever receives from the closed channel first.
func TestReadsOnceSet(t *testing.T) {
	var v atomic.Int64
	set := make(chan bool)
	close(set)
	go func() { <-set; v.Store(1) }()
	if <-set; v.Load() == 0 {
		t.Error("not yet")
	}
}

// TestPanicsAgain fails if n is set before a deferred call reads it; a channel is closed later.
func TestPanicsAgain(t *testing.T) {
	var n atomic.Int64
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			if recover(); n.Load() == 1 {
				panic("again")
			}
		}()
		panic("first")
	}()
	n.Store(1)
	<-done
}

// TestClosesThePipe fails if the pipe is closed without an error before it is closed with one.
func TestClosesThePipe(t *testing.T) {
	r, w := io.Pipe()
	go w.CloseWithError(io.ErrNoProgress)
	go w.Close()
	if _, err := r.Read(make([]byte, 1)); err != io.ErrNoProgress {
		t.Errorf("got %v", err)
	}
}

// TestClosesTheConn fails if the connection is closed before it is written to.
func TestClosesTheConn(t *testing.T) {
	a, b := net.Pipe()
	go a.Write([]byte{1})
	go a.Close()
	if _, err := b.Read(make([]byte, 1)); err != nil {
		t.Errorf("got %v", err)
	}
	b.Close()
}

// TestLocksAgain fails if it has the lock again before the goroutine that waits for it.
func TestLocksAgain(t *testing.T) {
	var mu sync.Mutex
	n := 0
	mu.Lock()
	go func() { mu.Lock(); n++; mu.Unlock() }()
	time.Sleep(time.Millisecond)
	mu.Unlock()
	mu.Lock()
	if n != 1 {
		t.Errorf("got %d", n)
	}
	mu.Unlock()
}

func callsItself(n int) int { return callsItself(n+1) + 1 }

// TestCallsDeeper never returns from a recursion if a goroutine is told to begin it.
func TestCallsDeeper(t *testing.T) {
	var (
		set atomic.Bool
		wg  sync.WaitGroup
	)
	wg.Go(func() { set.Store(true) })
	wg.Go(func() {
		if set.Load() {
			callsItself(0)
		}
	})
	wg.Wait()
}

// TestCallsTwice fails if one call is over before the other comes.
func TestCallsTwice(t *testing.T) {
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		busy  bool
		calls atomic.Int64
	)
	set := func(to bool) (was bool) {
		mu.Lock()
		defer mu.Unlock()
		was, busy = busy, to
		return was
	}
	for range 2 {
		wg.Go(func() {
			if !set(true) {
				calls.Add(1)
				set(false)
			}
		})
	}
	if wg.Wait(); calls.Load() != 1 {
		t.Errorf("%d calls", calls.Load())
	}
}

// TestReceivesReflected fails if the second of two goroutines sends first.
func TestReceivesReflected(t *testing.T) {
	a, b := make(chan int, 1), make(chan int, 1)
	go func() { a <- 1 }()
	go func() { b <- 1 }()
	cases := []reflect.SelectCase{
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(a)},
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(b)},
	}
	if i, _, _ := reflect.Select(cases); i != 0 {
		t.Errorf("received from case %d", i)
	}
}
