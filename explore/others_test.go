package explore_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// goroutines returns the number of goroutines that the caller sees, and their stacks.
func goroutines() (count int, stacks string) {
	buf := make([]byte, 1<<20)
	return runtime.NumGoroutine(), string(buf[:runtime.Stack(buf, true)])
}

// A body sees only the goroutines of its own execution, as leak tests need it. Code outside
// sees no goroutine of any execution, even if it can never end.
func TestOthers(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	stop := make(chan struct{})
	defer close(stop)
	go func() { <-stop }() // no goroutine of the body
	before, _ := goroutines()
	cfg := explore.Config{Name: "others", Cards: explore.NoCards, Leaks: explore.LeaksIgnore, Workers: 1}
	r, err := explore.Run(context.Background(), cfg, func(t *explore.T) {
		if n, stacks := goroutines(); n != 1 || strings.Count("\n"+stacks, "\ngoroutine ") != 1 {
			t.Errorf("alone: got %d goroutines, want 1:\n%s", n, stacks)
		}
		var mu sync.Mutex
		mu.Lock()
		var ready sync.WaitGroup
		ready.Add(1)
		go func() {
			ready.Done()
			sync.NewCond(&mu).Wait() // waits for ever
		}()
		ready.Wait()
		if n, stacks := goroutines(); n != 2 || strings.Count("\n"+stacks, "\ngoroutine ") != 2 || !strings.Contains(stacks, "explore_test.TestOthers.func") {
			t.Errorf("with one other: got %d goroutines, want 2:\n%s", n, stacks)
		}
		done := make(chan struct{})
		go close(done)
		<-done
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure != nil {
		t.Error(r.Failure.Message)
	}
	if n, stacks := goroutines(); n != before || strings.Contains(stacks, "sync.(*Cond).Wait") {
		t.Errorf("afterwards: got %d goroutines, want the same %d as before:\n%s", n, before, stacks)
	}
}
