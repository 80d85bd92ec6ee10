package tests

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// epoch is the time at which the clock of every bubble starts.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A deadline passes as soon as all in the bubble are blocked, and not before.
func TestBubbleDeadline(t *testing.T) {
	time.Sleep(time.Millisecond) // the clock outside of the bubble
	synctest.Test(t, func(t *testing.T) {
		const timeout = 5 * time.Second
		if now := time.Now(); !now.Equal(epoch) {
			t.Fatalf("it begins at %v", now)
		}
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		pair(func(int) { time.Sleep(timeout - time.Nanosecond) })
		synctest.Wait()
		if err := ctx.Err(); err != nil {
			t.Fatalf("before the timeout: %v", err)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if err := ctx.Err(); err != context.DeadlineExceeded {
			t.Fatalf("after the timeout: got %v", err)
		}
		if got := time.Since(epoch); got != timeout {
			t.Errorf("it took %v", got)
		}
	})
}

// What a goroutine did before it blocked or ended happens before the return of Wait.
func TestBubbleWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plain, release := [2]int{}, make(chan struct{})
		var wg sync.WaitGroup
		for i := range plain {
			wg.Go(func() {
				plain[i] = 1
				if i > 0 {
					<-release
				}
			})
		}
		synctest.Wait()
		if plain != [2]int{1, 1} {
			t.Errorf("got %v", plain)
		}
		close(release)
		wg.Wait()
	})
}

// Without Wait either goroutine may come first.
func TestBubbleWaitMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var called atomic.Bool
		ctx, cancel := context.WithCancel(t.Context())
		context.AfterFunc(ctx, func() { called.Store(true) })
		cancel()
		if !called.Load() {
			t.Error("the function was not called")
		}
	})
}

// The same with a plain variable is a data race.
func TestBubbleRace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		go func() { n = 1 }()
		time.Sleep(time.Second) // a sleep orders nothing
		if n != 1 {
			t.Error(n)
		}
	})
}

// Goroutines that wake at the same time overwrite one another's value in some schedules.
func TestBubbleLostUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int32
		for range 2 {
			go func() {
				time.Sleep(time.Minute)
				n.Store(n.Load() + 1)
			}()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n.Load() != 2 {
			t.Errorf("n = %d, want 2", n.Load())
		}
	})
}

func TestBubbleDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := make(chan int), make(chan int)
		go func() {
			<-b
			a <- 1
		}()
		<-a
	})
}

// The goroutine that holds the lock sleeps. The clock stands still while another waits for
// the lock.
func TestBubbleStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		pair(func(int) {
			mu.Lock()
			defer mu.Unlock()
			time.Sleep(time.Second)
		})
	})
}

func TestBubbleLeaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan int)
		go func() { <-never }()
	})
}

// The sender is leaked if it comes too late.
func TestBubbleLeaksSometimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer, stop := make(chan int), make(chan struct{})
		go func() { answer <- 1 }()
		go func() { close(stop) }()
		select {
		case <-answer:
		case <-stop:
		}
	})
}

// Timers fire in the order of their times, whenever they were started. Timers with the
// same time fire in any order.
func TestBubbleTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var fired []string
		note := func(name string) func() {
			return func() { mu.Lock(); fired = append(fired, name); mu.Unlock() }
		}
		time.AfterFunc(3*time.Second, note("c"))
		time.AfterFunc(time.Second, note("a"))
		stopped := time.AfterFunc(time.Second, note("x"))
		reset := time.AfterFunc(time.Hour, note("b"))
		stopped.Stop()
		reset.Reset(2 * time.Second)
		tick := time.NewTicker(1500 * time.Millisecond)
		for range 2 {
			<-tick.C
		}
		tick.Stop()
		synctest.Wait()
		if got := strings.Join(fired, ""); got != "abc" || time.Since(epoch) != 3*time.Second {
			t.Errorf("got %s after %v", got, time.Since(epoch))
		}
		time.Sleep(time.Hour)
	})
}

// Either of two timers with the same time may fire first.
func TestBubbleTimersOfOneTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := make(chan string, 2)
		time.AfterFunc(time.Second, func() { first <- "one" })
		time.AfterFunc(time.Second, func() { first <- "two" })
		if got := <-first; got != "one" {
			t.Errorf("%s came first", got)
		}
	})
}

// Each bubble has its own clock.
func TestBubblesInParallel(t *testing.T) {
	for i := range 2 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			synctest.Test(t, func(t *testing.T) {
				var slept atomic.Int32
				for range 2 {
					go func() { time.Sleep(time.Duration(1+i) * time.Hour); slept.Add(1) }()
				}
				time.Sleep(time.Duration(1+i) * time.Hour)
				synctest.Wait()
				if slept.Load() != 2 || time.Since(epoch) != time.Duration(1+i)*time.Hour {
					t.Errorf("%d slept for %v", slept.Load(), time.Since(epoch))
				}
			})
			if d := time.Since(began); d >= time.Hour {
				t.Errorf("%v have passed outside", d)
			}
		})
	}
}

// One bubble follows the other. Their clean-ups run inside them, after the context is
// cancelled.
func TestBubbleCleanup(t *testing.T) {
	outside := time.Now()
	for range 2 {
		var did []string
		synctest.Test(t, func(t *testing.T) {
			over := make(chan error, 1)
			go func() { <-t.Context().Done(); over <- t.Context().Err() }()
			t.Cleanup(func() {
				if err := <-over; err != context.Canceled {
					t.Error(err)
				}
				time.Sleep(time.Minute)
				t.Cleanup(func() { did = append(did, fmt.Sprint(time.Since(epoch))) })
			})
			t.Cleanup(func() { did = append(did, "first") })
		})
		if got := strings.Join(did, " "); got != "first 1m0s" {
			t.Errorf("got %s", got)
		}
	}
	if d := time.Since(outside); d >= time.Minute {
		t.Errorf("%v have passed outside", d)
	}
}

// What package testing refuses in a bubble is refused under control too.
func TestBubbleRefuses(t *testing.T) {
	refused := func(want string, f func()) {
		defer func() {
			if r := fmt.Sprint(recover()); !strings.Contains(r, want) {
				t.Errorf("got %s, want %s", r, want)
			}
		}()
		f()
	}
	synctest.Test(t, func(t *testing.T) {
		refused("t.Run", func() { t.Run("sub", func(*testing.T) {}) })
		refused("t.Parallel", func() { t.Parallel() })
		refused("t.Deadline", func() { t.Deadline() })
		refused("called from within a synctest bubble", func() { synctest.Test(t, func(*testing.T) {}) })
		var both atomic.Int32
		pair(func(int) {
			defer func() {
				if recover() != nil {
					both.Add(1)
				}
			}()
			synctest.Wait()
		})
		if both.Load() != 1 {
			t.Errorf("%d of two calls of Wait at the same time were refused", both.Load())
		}
	})
	refused("not in a bubble", synctest.Wait)
}

// Only goroutines of the bubble may use a channel that was made in it.
func TestBubbleMisuse(t *testing.T) {
	var c chan int
	synctest.Test(t, func(t *testing.T) { c = make(chan int, 1) })
	c <- 1
}
