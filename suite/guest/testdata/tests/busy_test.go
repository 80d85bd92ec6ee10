package tests

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// A process that is told a file adds a line to it.
func init() {
	if path := os.Getenv("TESTS_PROCESSES"); path != "" {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString("another process\n")
		}
		if err = errors.Join(err, f.Close()); err != nil {
			panic(err)
		}
	}
}

// compute takes a processor some time.
func compute(n int) (sum int) {
	for i := range n {
		sum = sum*31 + i
	}
	return sum
}

// busy is the order in which some goroutines came, each of which has much to do.
func busy() (order []int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for id := range 6 {
		wg.Go(func() {
			if compute(300_000) == 1 {
				panic("that is not its result")
			}
			mu.Lock()
			defer mu.Unlock()
			order = append(order, id)
		})
	}
	wg.Wait()
	return order
}

func TestBusy(t *testing.T) { busy() }

func TestBusyFails(t *testing.T) {
	if order := busy(); slices.Equal(order, []int{1, 0, 3, 2, 5, 4}) {
		t.Errorf("they came as %v", order)
	}
}

// One of a pair is left behind, in some schedules.
func TestBusyLeaks(t *testing.T) {
	if order := busy(); slices.Equal(order, []int{1, 0, 3, 2, 5, 4}) {
		go func() { select {} }()
	}
}

// A folder that only one process can make is made in every schedule.
func TestBusyOutside(t *testing.T) {
	busy()
	makeFolder(t)
}

// In some schedules it is.
func TestBusyOutsideSometimes(t *testing.T) {
	if order := busy(); slices.Equal(order, []int{1, 0, 3, 2, 5, 4}) {
		makeFolder(t)
	}
}

func makeFolder(t *testing.T) {
	dir := filepath.Join(os.Getenv("TESTS_FOLDER"), "of-one-process")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	compute(1_000_000)
	if err := os.Remove(dir); err != nil {
		t.Error(err)
	}
}
