package programs

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jacquard-go/jacquard/explore"
)

// Bubble runs f in a bubble of testing/synctest.
func Bubble(f func()) { synctest.Test(new(testing.T), func(*testing.T) { f() }) }

// Bubbles returns programs that use testing/synctest.
func Bubbles() []Program {
	return []Program{
		{"timeouts in a bubble", explore.Holds, "", bubbleTimeouts},
		{"two bubbles at the same time", explore.Holds, "", twoBubbles},
		{"many timers in a bubble", explore.Holds, "", func(t *explore.T) {
			Bubble(func() {
				var n atomic.Int32
				for i := range 200 {
					time.AfterFunc(time.Duration(i)*time.Second, func() { n.Add(1) })
				}
				time.Sleep(time.Hour)
				synctest.Wait()
				if n.Load() != 200 {
					t.Errorf("%d have fired", n.Load())
				}
			})
		}},
		{"T.Go in a bubble", explore.Holds, "", func(t *explore.T) {
			Bubble(func() {
				var n atomic.Int32
				t.Go("one", func() { time.Sleep(time.Second); n.Add(1) })
				t.Go("two", func() { time.Sleep(time.Hour); n.Add(1) })
				t.Wait()
				if n.Load() != 2 {
					t.Errorf("got %d", n.Load())
				}
			})
		}},
		{"Wait and what it orders", explore.Holds, "", bubbleWaits},
		{"Wait left out", explore.Violated, explore.KindCheck, func(t *explore.T) {
			Bubble(func() {
				var called atomic.Bool
				go func() { called.Store(true) }()
				if !called.Load() {
					t.Errorf("it was not called")
				}
			})
		}},
		{"sleep in the place of Wait", explore.Violated, explore.KindRace, func(t *explore.T) {
			Bubble(func() {
				n := 0
				go func() { n = 1 }()
				time.Sleep(time.Second)
				if n != 1 {
					t.Errorf("got %d", n)
				}
			})
		}},
		{"all in the bubble are blocked", explore.Violated, explore.KindDeadlock, func(*explore.T) {
			Bubble(func() {
				a, b := make(chan int), make(chan int)
				go func() { <-a; b <- 1 }()
				<-b
			})
		}},
		{"left behind in a bubble", explore.Violated, explore.KindDeadlock, func(*explore.T) {
			Bubble(func() {
				result, stop := make(chan int), make(chan struct{})
				go func() { result <- 1 }()
				go func() { close(stop) }()
				select {
				case <-result:
				case <-stop:
				}
			})
		}},
		{"a deadlock that is recovered", explore.Violated, explore.KindLeak, func(t *explore.T) {
			defer func() {
				if recover() == nil {
					t.Errorf("it has not panicked")
				}
			}()
			Bubble(func() {
				never := make(chan int)
				<-never
			})
		}},
		{"asleep with a lock in a bubble", explore.Violated, explore.KindDeadlock, func(*explore.T) {
			Bubble(func() {
				var mu sync.Mutex
				for range 2 {
					go func() { mu.Lock(); defer mu.Unlock(); time.Sleep(time.Second) }()
				}
			})
		}},
		{"a lock that somebody outside the bubble has", explore.Holds, "", func(t *explore.T) {
			var mu sync.Mutex
			t.Go("outside", func() { mu.Lock(); defer mu.Unlock(); time.Sleep(time.Second) })
			Bubble(func() {
				began := time.Now()
				mu.Lock()
				defer mu.Unlock()
				if d := time.Since(began); d != 0 {
					t.Errorf("%v have passed inside", d)
				}
			})
			t.Wait()
		}},
		{"a wait group inside and outside", explore.Violated, explore.KindFatal, func(t *explore.T) {
			var wg sync.WaitGroup
			wg.Go(func() { time.Sleep(time.Second) })
			Bubble(func() { wg.Go(func() {}) })
			wg.Wait()
		}},
		{"timers inside and outside", explore.Holds, "", timersBothSides},
	}
}

func bubbleTimeouts(t *explore.T) {
	outside := time.Now()
	Bubble(func() {
		epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			select {
			case <-ctx.Done():
			case <-time.After(90 * time.Minute):
				t.Errorf("the context came too late")
			}
		})
		wg.Go(func() { time.Sleep(time.Hour - 1); synctest.Wait(); t.Log(ctx.Err()) })
		wg.Wait()
		if d := time.Since(epoch); d != time.Hour {
			t.Errorf("it took %v", d)
		}
	})
	if d := time.Since(outside); d >= time.Minute {
		t.Errorf("%v have passed outside", d)
	}
}

func twoBubbles(t *explore.T) {
	for i := range 2 {
		t.Go("root", func() {
			Bubble(func() {
				began, tick := time.Now(), time.NewTicker(time.Second)
				defer tick.Stop()
				for range 1 + i {
					<-tick.C
				}
				if d := time.Since(began); d != time.Duration(1+i)*time.Second {
					t.Errorf("bubble %d: %v", i, d)
				}
			})
		})
	}
	t.Wait()
}

func bubbleWaits(t *explore.T) {
	Bubble(func() {
		n, m, release := 0, 0, make(chan struct{})
		go func() { n = 1 }()
		go func() { m = 1; <-release }()
		synctest.Wait()
		if n != 1 || m != 1 {
			t.Errorf("got %d and %d", n, m)
		}
		close(release)
	})
}

// timersBothSides uses a timer from outside a bubble inside it. The timer uses the
// clock outside.
func timersBothSides(t *explore.T) {
	timer := time.NewTimer(time.Second)
	began := time.Now()
	Bubble(func() {
		inside := time.Now()
		<-timer.C
		if d := time.Since(inside); d != 0 {
			t.Errorf("%v have passed inside", d)
		}
		time.Sleep(time.Minute)
	})
	if d := time.Since(began); d < time.Second || d >= time.Minute {
		t.Errorf("%v have passed outside", d)
	}
}
