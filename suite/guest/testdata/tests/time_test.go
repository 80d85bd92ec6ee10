package tests

import (
	"context"
	"sync"
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

// Who has waited equally long is awake at the same time, although one of them
// began a little later.
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

// The zone of the machine is looked up in package time, which is no concern of
// the test's.
func TestLooksAtTheDate(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 100 {
				_ = time.Now().Weekday()
			}
		})
	}
	wg.Wait()
}

// A context that ends tells its children in an order which is the same when the
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
