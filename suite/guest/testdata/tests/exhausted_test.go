package tests

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) withdraw(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.balance < n {
		return false
	}
	a.balance -= n
	return true
}

func TestSmall(t *testing.T) {
	a := account{balance: 10}
	pair(func(int) { a.withdraw(7) })
	if a.balance != 3 {
		t.Errorf("balance %d", a.balance)
	}
}

func TestSmallSubtests(t *testing.T) {
	for i := range 2 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var n atomic.Int32
			done := make(chan bool)
			go func() { n.Add(1); close(done) }()
			n.Add(1)
			<-done
		})
	}
}

func TestSmallParallel(t *testing.T) {
	var n atomic.Int32
	for range 2 {
		t.Run("sub", func(t *testing.T) {
			t.Parallel()
			n.Add(1)
		})
	}
}

func TestSmallLogs(t *testing.T) {
	pair(func(i int) {
		t.Helper()
		t.Log(i)
	})
}

func TestSmallPrints(t *testing.T) {
	done := make(chan bool)
	go func() {
		fmt.Println("they")
		close(done)
	}()
	log.Println("we")
	<-done
}

func TestSmallCleanup(t *testing.T) {
	var n atomic.Int32
	t.Cleanup(func() {
		done := make(chan bool)
		go func() { n.CompareAndSwap(0, 1); close(done) }()
		n.CompareAndSwap(0, 2)
		<-done
	})
}

func TestSmallContext(t *testing.T) {
	ctx, done := t.Context(), make(chan bool)
	t.Cleanup(func() { <-done })
	go func() {
		<-ctx.Done()
		close(done)
	}()
}

func TestSmallFiles(t *testing.T) {
	dir := t.TempDir()
	pair(func(i int) {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600); err != nil {
			t.Error(err)
		}
	})
}

// Nothing is locked to make a directory: only the calls tell of it.
func TestSmallDirectory(t *testing.T) {
	dir := filepath.Join(os.TempDir(), "exhausted")
	defer os.Remove(dir)
	pair(func(i int) { _ = os.Mkdir(dir, 0o700) })
}

func TestSmallEnvironment(t *testing.T) {
	t.Setenv("EXHAUSTED", "a")
	done := make(chan bool)
	go func() { os.Setenv("EXHAUSTED", "b"); close(done) }()
	_ = os.Getenv("EXHAUSTED")
	<-done
}
