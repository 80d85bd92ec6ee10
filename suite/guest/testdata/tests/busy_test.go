//go:build unix

package tests

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"
)

// executions counts the executions of this process. If a variable names a file, the file
// has such a count for each process, in memory that they share: an execution that wrote
// to a file would not be the same again. third is the count of the third process.
var executions, third = func() (own, third *atomic.Int64) {
	path := os.Getenv("TESTS_EXECUTIONS")
	if path == "" {
		return new(atomic.Int64), new(atomic.Int64)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_RDWR, 0) // making it would change files
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.Write(make([]byte, 8)); err != nil {
		panic(err)
	}
	end, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		panic(err)
	}
	// The whole page. Later processes use the rest of it.
	shared, err := syscall.Mmap(int(f.Fd()), 0, os.Getpagesize(), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	at := func(i int64) *atomic.Int64 { return (*atomic.Int64)(unsafe.Pointer(&shared[i])) }
	return at(end - 8), at(16)
}()

// compute takes a processor some time.
func compute(n int) (sum int) {
	for i := range n {
		sum = sum*31 + i
	}
	return sum
}

// busy returns the order in which some goroutines came. Each has much to do.
func busy() (order []int) {
	executions.Add(1)
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

// In some schedules a variable is written without a lock.
func TestBusyRaces(t *testing.T) {
	if order := busy(); slices.Equal(order, []int{1, 0, 3, 2, 5, 4}) {
		n := 0
		pair(func(int) { n++ })
	}
}

// In some schedules a goroutine is left behind.
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

// That folder is made in some schedules only.
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

// TestBusyEndless runs for ever, and never blocks, once three processes take part.
func TestBusyEndless(t *testing.T) {
	if busy(); third.Load() > 0 {
		for compute(1) != 1 {
		}
	}
}

// held is a file that each process keeps open if a variable asks for it.
var held = func() *os.File {
	path := os.Getenv("TESTS_HOLD")
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	return f
}()
