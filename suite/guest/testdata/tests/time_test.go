package tests

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Two halves of a second take a second, and a little.
func TestTimePasses(t *testing.T) {
	began := time.Now()
	over := began.Add(time.Second)
	var wg sync.WaitGroup
	wg.Go(func() { time.Sleep(500 * time.Millisecond) })
	time.Sleep(500 * time.Millisecond)
	time.Sleep(500 * time.Millisecond)
	wg.Wait()
	if now := time.Now(); !now.After(over) {
		t.Errorf("%v have passed", now.Sub(began))
	}
	first, second := time.Now(), time.Now()
	if !second.After(first) {
		t.Errorf("%v, and then %v", first, second)
	}
	if midnight := began.UTC().Truncate(24 * time.Hour); began.Sub(midnight) < time.Hour {
		t.Errorf("%v is close to midnight", began)
	}
}

// Goroutines that wait for the same duration wake at the same time, although one of
// them began a little later.
func TestTimersMeet(t *testing.T) {
	late := 0
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range 2 {
		wg.Go(func() {
			<-time.After(time.Second)
			mu.Lock()
			defer mu.Unlock()
			if late == 1 && i == 0 {
				t.Error("the first came second")
			}
			late++
		})
	}
	wg.Wait()
}

// Package time looks up the machine's time zone. The test must not see the steps of
// that.
func TestLooksAtTheDate(t *testing.T) {
	var wg sync.WaitGroup
	now := time.Now()
	for range 2 {
		wg.Go(func() {
			for range 100 {
				_ = now.Weekday()
			}
		})
	}
	wg.Wait()
}

// A context that ends cancels its children in an order that is the same when the
// schedule is run again.
func TestManyChildren(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	var mu sync.Mutex
	told := 0
	for i := range 40 {
		child, stop := context.WithCancel(parent)
		defer stop()
		wg.Add(1)
		context.AfterFunc(child, func() {
			defer wg.Done()
			if i%2 == 0 {
				mu.Lock()
				defer mu.Unlock()
				told++
			}
		})
	}
	cancel()
	wg.Wait()
}

// TestLeavesTicker leaves a goroutine that has much to do every second.
func TestLeavesTicker(t *testing.T) {
	var locks [1000]sync.Mutex
	go func() {
		for range time.Tick(time.Second) {
			for i := range locks {
				locks[i].Lock()
				locks[i].Unlock()
			}
		}
	}()
	locks[0].Lock()
	defer locks[0].Unlock()
	pair(func(int) {})
}

// TestManyTicks and TestVeryManyTicks use a ticker for a long time, and end.
func TestManyTicks(t *testing.T)     { ticks(30_000) }
func TestVeryManyTicks(t *testing.T) { ticks(150_000) }

func ticks(n int) {
	tick := time.NewTicker(time.Microsecond)
	defer tick.Stop()
	done := make(chan bool)
	go func() {
		for range n {
			<-tick.C
		}
		close(done)
	}()
	<-done
}

// TestSleepsBesideTicks sleeps, and waits for a timer and for a deadline, while another goroutine
// uses a ticker.
func TestSleepsBesideTicks(t *testing.T) {
	tick, stop := time.NewTicker(100*time.Microsecond), make(chan bool)
	defer tick.Stop()
	go func() {
		for {
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	}()
	time.Sleep(2 * time.Second)
	select {
	case <-make(chan bool):
	case <-time.After(2 * time.Second):
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	<-ctx.Done()
	close(stop)
}

// TestLosesWakeUp waits up to a second for a message that is lost if nobody receives yet.
func TestLosesWakeUp(t *testing.T) {
	var ready atomic.Bool
	wake := make(chan bool)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	go func() {
		ready.Store(true)
		select {
		case wake <- true:
		default:
		}
	}()
	for !ready.Load() {
		select {
		case <-wake:
		case <-tick.C:
		}
	}
}

// TestWaitsForTimeout takes two seconds in every schedule.
func TestWaitsForTimeout(t *testing.T) {
	var n atomic.Int32
	pair(func(int) { n.Add(1); time.Sleep(2 * time.Second) })
}

var prepared sync.Once

// TestPreparesAndLoses starts goroutines only in its first execution, and waits for one for 5 ms.
func TestPreparesAndLoses(t *testing.T) {
	prepared.Do(func() { pair(func(int) {}) })
	done := make(chan bool)
	go func() { close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Millisecond):
		t.Error("too late")
	}
}

// TestCountsAndIsLate fails only where a goroutine is held up, and has many schedules without that.
func TestCountsAndIsLate(t *testing.T) {
	var n atomic.Int64
	pair(func(int) {
		for range 5 {
			n.Store(n.Load() + 1)
		}
	})
	done := make(chan bool)
	go func() { close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Millisecond):
		t.Errorf("too late after %d", n.Load())
	}
}
