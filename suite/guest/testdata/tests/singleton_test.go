package tests

import (
	"net"
	"sync"
	"testing"
)

// A worker for the whole process. The first goroutine that needs it starts it.
var worker = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		for f := range work {
			f()
		}
	}()
	return work
})

func TestSingleton(t *testing.T) {
	var mu sync.Mutex
	n := 0
	pair(func(int) {
		done := make(chan bool)
		worker() <- func() { mu.Lock(); n++; mu.Unlock(); close(done) }
		<-done
	})
	if n != 2 {
		t.Errorf("n = %d", n)
	}
}

var registered = map[string]bool{}

// TestOnlyOnce fails when it is run again, as go test -count=2 shows.
func TestOnlyOnce(t *testing.T) {
	if registered["it"] {
		t.Fatal("it is registered already")
	}
	registered["it"] = true
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
}

var runs int

// TestWearsOut fails after it has been run several times.
func TestWearsOut(t *testing.T) {
	if runs++; runs > 7 {
		t.Fatal("worn out")
	}
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
}

var kept net.Listener

// TestTakesPort leaves a listener open after it has been run several times. What runs next, in
// this process or another, cannot have the port.
func TestTakesPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:39471")
	if err != nil {
		t.Fatal(err)
	}
	if runs++; runs == 7 {
		kept = l
	} else {
		defer l.Close()
	}
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
}

var counted int

// TestCountsBefore leaves a count for the test after it.
func TestCountsBefore(t *testing.T) { counted++ }

// TestCountsOnce passes by itself, and fails after the test before it.
func TestCountsOnce(t *testing.T) {
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
	if counted > 0 {
		t.Errorf("counted %d", counted)
	}
}

// TestFailsOrLeaves leaves a goroutine behind in each schedule in which it does not fail.
func TestFailsOrLeaves(t *testing.T) {
	first := make(chan int, 2)
	pair(func(i int) { first <- i })
	if <-first != 0 {
		t.Fatal("the second came first")
	}
	go func() { <-make(chan int) }()
}

var tokens = make(chan int, 2)

// TestTakesTwo has two goroutines that want two tokens each. Once each has one, the tokens stay
// taken in all later schedules.
func TestTakesTwo(t *testing.T) {
	pair(func(int) {
		tokens <- 1
		tokens <- 1
		<-tokens
		<-tokens
	})
}

// TestSaysFull fails with the text of a full disk's error, and writes no file.
func TestSaysFull(t *testing.T) {
	first := make(chan int, 2)
	pair(func(i int) { first <- i })
	if <-first != 0 {
		t.Fatal("no space left on device")
	}
}
