package tests

import (
	"context"
	"fmt"
	"hash/maphash"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"weak"
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

// positive is a helper of tests.
func positive(t *testing.T, n int) {
	t.Helper()
	if n < 1 {
		t.Errorf("got %d", n)
	}
}

// TestHelps has goroutines that call a helper; the order of these calls is unobservable.
func TestHelps(t *testing.T) {
	pair(func(int) {
		positive(t, 1)
		positive(t, 2)
	})
}

// TestHelpsToFail fails where it calls the helper.
func TestHelpsToFail(t *testing.T) {
	pair(func(i int) { positive(t, i) })
}

// TestManyOrders has 5,040 orders.
func TestManyOrders(*testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	for i := range 7 {
		wg.Go(func() { n.Store(int32(i)) })
	}
	wg.Wait()
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

func Example_small() {
	done := make(chan bool)
	go func() {
		fmt.Println("it")
		done <- true
	}()
	<-done
	fmt.Println("and we")
	// Output:
	// it
	// and we
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

func TestSmallRoot(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	pair(func(i int) {
		if err := root.Mkdir(fmt.Sprint(i), 0o700); err != nil {
			t.Error(err)
		}
	})
}

func TestSmallCalls(t *testing.T) {
	dir := t.TempDir()
	pair(func(i int) {
		if err := syscall.Mkdir(filepath.Join(dir, fmt.Sprint(i)), 0o700); err != nil {
			t.Error(err)
		}
	})
}

// Making a directory takes no lock. Only the calls show it.
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

func TestSmallLooks(t *testing.T) {
	began := time.Now()
	var mu sync.Mutex
	pair(func(int) { mu.Lock(); mu.Unlock() })
	if d := time.Since(began); d > time.Second {
		t.Errorf("it took %v", d)
	}
}

// dirtied takes numbers from a pool, sets them to leaves, and puts them back.
func dirtied(t *testing.T, leaves int) {
	p := sync.Pool{New: func() any { return new(int) }}
	pair(func(int) {
		n := p.Get().(*int)
		if *n != 0 {
			t.Errorf("got %d", *n)
		}
		*n = leaves
		p.Put(n)
	})
}

func TestSmallPool(t *testing.T) { dirtied(t, 0) }

func TestSmallDirtyPool(t *testing.T) { dirtied(t, 1) }

func TestSmallDraws(t *testing.T) {
	var mu sync.Mutex
	pair(func(int) {
		mu.Lock()
		defer mu.Unlock()
		if rand.IntN(1_000_000) == 7 {
			t.Error("a rare number")
		}
	})
}

func TestSmallSeeds(t *testing.T) {
	var mu sync.Mutex
	pair(func(int) {
		mu.Lock()
		defer mu.Unlock()
		if maphash.String(maphash.MakeSeed(), "a key")%1_000_000 == 7 {
			t.Error("a rare hash")
		}
	})
}

// A map has another order in another process.
func TestSmallRanges(t *testing.T) {
	m := map[int]int{1: 1, 2: 2}
	var sum atomic.Int64
	pair(func(int) {
		for k := range m {
			sum.Add(int64(k))
		}
	})
}

func TestSmallSyncRanges(t *testing.T) {
	var m sync.Map
	m.Store(1, 1)
	m.Store(2, 2)
	m.Range(func(k, v any) bool { return true })
	pair(func(int) {})
}

// Whether the new element is met is random.
func TestSmallGrows(t *testing.T) {
	m := map[int]int{1: 1}
	for k := range m {
		m[2*k] = 1
		if k > 1 {
			break
		}
	}
	pair(func(int) {})
}

// Whether an element is met again that moves to another place is random.
func TestSmallMoves(t *testing.T) {
	m := map[int]int{1: 1, 2: 2, 3: 3, 4: 4}
	for k := range 3 {
		delete(m, k+1)
	}
	for k := range m {
		delete(m, k)
		if k < 6 {
			m[k+1] = k
		}
	}
	pair(func(int) {})
}

// So it is in a map that has grown meanwhile.
func TestSmallGrowsAndShrinks(t *testing.T) {
	m := map[int]int{1: 1}
	for k := range m {
		for i := range 20 {
			m[i] = i
		}
		for i := range 20 {
			if i != k+1 {
				delete(m, i)
			}
		}
		if k > 1 {
			break
		}
	}
	pair(func(int) {})
}

// The children of a context are in a map, too.
func TestSmallShuffles(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	one, stopOne := context.WithCancel(ctx)
	other, stopOther := context.WithCancel(ctx)
	defer stopOne()
	defer stopOther()
	pair(func(i int) {
		if i == 0 {
			cancel()
			return
		}
		<-one.Done()
		_ = other.Err()
	})
}

// The channel of a context that is cancelled already is the same one for all.
func TestSmallCancels(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	pair(func(i int) {
		if i == 0 {
			cancel()
			return
		}
		<-ctx.Done()
	})
}

// Of two timers of a bubble that are due at the same instant, either may be first.
func TestSmallTies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pair(func(int) {})
		one, other := time.After(time.Second), time.After(time.Second)
		select {
		case <-one:
		case <-other:
		}
	})
}

// alone does n operations before anyone else could do any.
func alone(n int) {
	var x atomic.Int64
	for range n {
		x.Add(1)
	}
}

func TestAloneBeforeTimer(t *testing.T) {
	alone(7000)
	timer := time.NewTimer(5 * time.Millisecond)
	alone(2)
	select {
	case <-timer.C:
		t.Error("too late")
	default:
	}
	pair(func(int) {})
}

// The strategy chooses for some of these selects only.
func TestSmallSelectsAlone(t *testing.T) {
	alone(7000)
	one, other := make(chan int, 1), make(chan int, 1)
	for range 12 {
		one <- 1
		other <- 1
		select {
		case <-one:
			<-other
		case <-other:
			<-one
		}
	}
	pair(func(int) {})
}

func TestSmallAloneBesideTimer(t *testing.T) {
	timer := time.NewTimer(5 * time.Millisecond)
	alone(20_000)
	timer.Stop()
	pair(func(int) {})
}

// A map with one element, also if that is stored again, and a map that is sorted, have one order.
func TestSmallRangesAlike(t *testing.T) {
	m, one := map[int]int{1: 1, 2: 2}, map[int]int{1: 1}
	for k, v := range one {
		delete(one, k)
		one[k] = v
	}
	var mu sync.Mutex
	pair(func(int) {
		mu.Lock()
		defer mu.Unlock()
		for range one {
			t.Log(fmt.Sprint(m))
		}
	})
}

func TestSmallFinalizer(t *testing.T) {
	c := make(chan int, 3)
	runtime.SetFinalizer(new([64]byte), func(*[64]byte) { c <- 0 })
	pair(func(i int) { c <- i })
}

func TestSmallReclaims(t *testing.T) {
	runtime.AddCleanup(new([64]byte), func(int) {}, 0)
	pair(func(int) {})
}

// TestReclaims has no other goroutine than the runtime's.
func TestReclaims(t *testing.T) {
	done := make(chan int, 1)
	runtime.AddCleanup(new([64]byte), func(i int) { done <- i }, 0)
	runtime.GC()
	<-done
}

func TestSmallWeak(t *testing.T) {
	w := weak.Make(new([64]byte))
	pair(func(int) { w.Value() })
}
