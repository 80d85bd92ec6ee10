package finals

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// Timers returns programs whose final state depends on whether a goroutine is held up
// until a timer fires.
func Timers() []Final {
	const ms = time.Millisecond
	return []Final{
		{"a sleep beside work", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup // a return from T.Wait is no step of its own
			var n atomic.Int32
			var seen int32
			say(func() string { return fmt.Sprint(seen, n.Load()) })
			wg.Go(func() { n.Add(1); n.Add(1) })
			time.Sleep(5 * ms)
			seen = n.Load()
			wg.Wait()
		}},
		{"AfterFunc beside two workers", func(t *explore.T, say func(func() string)) {
			var n atomic.Int32
			say(func() string { return fmt.Sprint(n.Load()) })
			time.AfterFunc(ms, func() { n.Store(10 * n.Load()) })
			t.Go("one", func() { n.Add(1) })
			t.Go("two", func() { n.Add(1) })
			t.Wait()
		}},
		{"a send beside a timer", func(t *explore.T, say func(func() string)) {
			got, alone := "", false
			say(func() string { return fmt.Sprint(got, " ", alone) })
			c := make(chan int)
			t.Go("sender", func() {
				select {
				case c <- 1:
				default:
					alone = true
				}
			})
			select {
			case <-c:
				got = "sent"
			case <-time.After(2 * ms):
				got = "late"
			}
			t.Wait()
		}},
		{"two sleepers", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup // a return from T.Wait is no step of its own
			var l trail
			say(l.String)
			wg.Go(func() { time.Sleep(ms); l.add("early") })
			wg.Go(func() { time.Sleep(2 * ms); l.add("late") })
			wg.Wait()
		}},
		{"a timer that is stopped", func(t *explore.T, say func(func() string)) {
			var n atomic.Int32
			stopped := false
			say(func() string { return fmt.Sprint(stopped, n.Load()) })
			timer := time.AfterFunc(3*ms, func() { n.Add(1) })
			t.Go("other", func() { n.Add(2) })
			stopped = timer.Stop()
			t.Wait()
		}},
		{"a timer that is stopped by one of two", func(t *explore.T, say func(func() string)) {
			var n atomic.Int32
			var x, y bool
			say(func() string { return fmt.Sprint(x, y, n.Load()) })
			timer := time.AfterFunc(3*ms, func() { n.Add(1) })
			t.Go("x", func() { x = timer.Stop() })
			t.Go("y", func() { n.Add(2) })
			t.Wait()
		}},
		{"a timer that is reset", func(t *explore.T, say func(func() string)) {
			var n atomic.Int32
			was := false
			say(func() string { return fmt.Sprint(was, n.Load()) })
			timer := time.AfterFunc(4*ms, func() { n.Add(1) })
			n.Add(10)
			was = timer.Reset(7 * ms)
			time.Sleep(20 * ms)
		}},
		{"two channels of timers", func(t *explore.T, say func(func() string)) {
			var n atomic.Int32
			got := ""
			say(func() string { return got })
			early, late := time.After(ms), time.After(3*ms)
			n.Load()
			select {
			case <-early:
				got = "early"
			case <-late:
				got = "late"
			}
		}},
		{"a deadline and a worker", func(t *explore.T, say func(func() string)) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*ms)
			defer cancel()
			result, got := make(chan int, 1), ""
			say(func() string { return got })
			t.Go("worker", func() { result <- 1 })
			select {
			case <-result:
				got = "result"
			case <-ctx.Done():
				got = "deadline"
			}
			t.Wait()
		}},
		{"more time than anybody may be held up for", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup // a return from T.Wait is no step of its own
			var n atomic.Int32
			got := ""
			say(func() string { return got })
			wg.Go(func() { n.Add(1) })
			for range 3 {
				time.Sleep(4 * ms)
				got += fmt.Sprint(n.Load())
			}
			wg.Wait()
		}},
		{"the time at which it is done", func(_ *explore.T, say func(func() string)) {
			var wg sync.WaitGroup // a return from T.Wait is no step of its own
			begin := time.Now()
			var took time.Duration
			var mu sync.Mutex
			say(func() string { return fmt.Sprint(took) })
			wg.Go(func() { mu.Lock(); took = time.Since(begin); mu.Unlock() })
			time.Sleep(ms)
			mu.Lock()
			time.Sleep(2 * ms)
			mu.Unlock()
			wg.Wait()
		}},
		{"a timer that is far off", func(t *explore.T, say func(func() string)) {
			var n atomic.Int32
			var seen int32
			say(func() string { return fmt.Sprint(seen) })
			t.Go("one", func() { n.Add(1) })
			t.Go("two", func() { n.Add(1) })
			time.Sleep(time.Second)
			seen = n.Load()
			t.Wait()
		}},
	}
}
