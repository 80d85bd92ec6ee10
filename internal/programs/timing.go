package programs

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// A Timing is a program whose outcome depends on how long something takes.
type Timing struct {
	Name  string
	Stall time.Duration // the shortest time for which a goroutine must be held up to fail
	Held  string        // the name of that goroutine
	Run   func(*explore.T)
}

// Timings returns programs that fail only if a goroutine is held up for a few
// milliseconds: they rely on time for order.
func Timings() []Timing {
	const ms = time.Millisecond
	return []Timing{
		{"a sleep in place of waiting", 10 * ms, "worker", func(t *explore.T) {
			var done atomic.Bool
			t.Go("worker", func() { done.Store(true) })
			time.Sleep(10 * ms)
			if !done.Load() {
				t.Error("not done after 10 ms")
			}
		}},
		{"AfterFunc beside work", ms, "body", func(t *explore.T) {
			var state atomic.Int32
			time.AfterFunc(ms, func() { state.CompareAndSwap(0, 2) })
			state.Add(1)
			if got := state.Load(); got != 1 {
				t.Errorf("state is %d, want 1", got)
			}
		}},
		{"a short sleep against a longer one", ms, "first", func(t *explore.T) {
			var order atomic.Int32
			t.Go("first", func() {
				time.Sleep(ms)
				order.CompareAndSwap(0, 1)
			})
			t.Go("second", func() {
				time.Sleep(2 * ms)
				order.CompareAndSwap(0, 2)
			})
			t.Wait()
			if got := order.Load(); got != 1 {
				t.Errorf("number %d came first", got)
			}
		}},
		{"two timers in a select", 2 * ms, "body", func(t *explore.T) {
			var turns atomic.Int32
			early, late := time.After(ms), time.After(2*ms)
			turns.Add(1)
			select {
			case <-early:
			case <-late:
				t.Error("the later one was taken")
			}
		}},
		{"a context's deadline beside work", 5 * ms, "body", func(t *explore.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*ms)
			defer cancel()
			var stock atomic.Int32
			stock.Add(3)
			stock.Add(-1)
			if err := ctx.Err(); err != nil {
				t.Errorf("nothing takes long here: %v", err)
			}
		}},
		{"a worker with a short deadline", 2 * ms, "worker", func(t *explore.T) {
			result := make(chan int, 1)
			t.Go("worker", func() { result <- 1 })
			select {
			case <-result:
			case <-time.After(2 * ms):
				t.Error("no result")
			}
		}},
		{"a ticker that counts for somebody", 2 * ms, "body", func(t *explore.T) {
			var ticks atomic.Int32
			tick := time.NewTicker(3 * ms)
			stop := make(chan struct{})
			t.Go("counter", func() {
				for {
					select {
					case <-tick.C:
						ticks.Add(1)
					case <-stop:
						return
					}
				}
			})
			time.Sleep(7 * ms)
			tick.Stop()
			close(stop)
			t.Wait()
			if n := ticks.Load(); n != 2 {
				t.Errorf("%d ticks in 7 ms, want 2", n)
			}
		}},
		{"a timer that is stopped in time", 4 * ms, "body", func(t *explore.T) {
			var fired atomic.Bool
			timer := time.AfterFunc(4*ms, func() { fired.Store(true) })
			fired.Load()
			if !timer.Stop() {
				t.Error("it has fired")
			}
		}},
		{"a timer that is reset in time", 4 * ms, "body", func(t *explore.T) {
			var late atomic.Bool
			watchdog := time.AfterFunc(4*ms, func() { late.Store(true) })
			defer watchdog.Stop()
			for range 3 {
				late.Load()
				watchdog.Reset(4 * ms)
			}
			if late.Load() {
				t.Error("the watchdog barked")
			}
		}},
		{"a poll until a deadline", 10 * ms, "worker", func(t *explore.T) {
			var ready atomic.Bool
			t.Go("worker", func() { ready.Store(true) })
			for deadline := time.Now().Add(10 * ms); !ready.Load(); time.Sleep(2 * ms) {
				if !time.Now().Before(deadline) {
					t.Error("not ready in 10 ms")
					return
				}
			}
		}},
		{"a condition with a timeout", 3 * ms, "worker", func(t *explore.T) {
			var mu sync.Mutex
			var done, gone bool
			cond := sync.NewCond(&mu)
			timer := time.AfterFunc(3*ms, func() {
				mu.Lock()
				gone = true
				mu.Unlock()
				cond.Broadcast()
			})
			defer timer.Stop()
			t.Go("worker", func() {
				mu.Lock()
				done = true
				mu.Unlock()
				cond.Broadcast()
			})
			mu.Lock()
			for !done && !gone {
				cond.Wait()
			}
			if !done {
				t.Error("it was given up")
			}
			mu.Unlock()
		}},
		{"a retry that gives up", 7 * ms, "server", func(t *explore.T) {
			var up atomic.Bool
			t.Go("server", func() { up.Store(true) })
			for pause := ms; !up.Load(); pause *= 2 {
				if pause > 4*ms {
					t.Error("no server after three tries")
					return
				}
				time.Sleep(pause)
			}
		}},
		{"an expiry that is read twice", 5 * ms, "body", func(t *explore.T) {
			var value atomic.Int32
			value.Store(1)
			time.AfterFunc(5*ms, func() { value.Store(0) })
			if value.Load() != 0 {
				if value.Load() == 0 {
					t.Error("expired between two looks")
				}
			}
		}},
	}
}

// Timed returns programs with timers that are correct however long a step takes, up
// to seconds.
func Timed() []Program {
	const ms = time.Millisecond
	return []Program{
		{"a guard of 5 s", explore.Holds, "", guarded(5 * time.Second)},
		{"a guard of 30 s", explore.Holds, "", guarded(30 * time.Second)},
		{"a ticker that is stopped in order", explore.Holds, "", func(t *explore.T) {
			tick := time.NewTicker(4 * ms)
			stop := make(chan struct{})
			var n atomic.Int32
			t.Go("ticking", func() {
				defer tick.Stop()
				for {
					select {
					case <-tick.C:
						n.Add(1)
					case <-stop:
						return
					}
				}
			})
			n.Load()
			close(stop)
			t.Wait()
		}},
		{"a timeout that is an answer", explore.Holds, "", func(t *explore.T) {
			answer := make(chan int, 1)
			t.Go("worker", func() { answer <- 1 })
			ctx, cancel := context.WithTimeout(t.Context(), 5*ms)
			defer cancel()
			select {
			case n := <-answer:
				if n != 1 {
					t.Errorf("got %d", n)
				}
			case <-ctx.Done():
				if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
					t.Errorf("got %v", ctx.Err())
				}
			}
		}},
		{"a heartbeat", explore.Holds, "", func(t *explore.T) {
			var beats atomic.Int32
			ctx, cancel := context.WithCancel(t.Context())
			t.Go("heart", func() {
				for ctx.Err() == nil {
					beats.Add(1)
					select {
					case <-time.After(5 * ms):
					case <-ctx.Done():
					}
				}
			})
			time.Sleep(time.Second)
			if beats.Load() == 0 {
				t.Error("no beat in a second")
			}
			cancel()
			t.Wait()
		}},
		{"a timer whose Stop is believed", explore.Holds, "", func(t *explore.T) {
			fired := make(chan struct{})
			timer := time.AfterFunc(3*ms, func() { close(fired) })
			if !timer.Stop() {
				<-fired
			}
		}},
	}
}

// guarded waits for a worker, but at most for guard.
func guarded(guard time.Duration) func(*explore.T) {
	return func(t *explore.T) {
		done := make(chan struct{})
		var n atomic.Int32
		t.Go("worker", func() {
			n.Add(1)
			close(done)
		})
		n.Add(1)
		select {
		case <-done:
		case <-time.After(guard):
			t.Errorf("not done in %v", guard)
		}
	}
}
