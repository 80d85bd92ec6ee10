package explore_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

var (
	adds  atomic.Int64
	pairs [2]atomic.Int32
)

// adders are programs that add to atomic variables, and whether an execution of them can
// have a data race. If the results of additions are unused, one order of them stands for
// all, and none happens before another.
var adders = []struct {
	name  string
	races bool
	body  func(*explore.T)
}{
	{"two adds", true, func(t *explore.T) {
		var n atomic.Int64
		x := 0
		t.Go("writer", func() { x = 1; n.Add(1) })
		t.Go("reader", func() { n.Add(1); _ = x })
	}},
	{"two adds, the other first", true, func(t *explore.T) {
		var n uint32
		x := 0
		t.Go("reader", func() { atomic.AddUint32(&n, 1); _ = x })
		t.Go("writer", func() { x = 1; atomic.AddUint32(&n, 1) })
	}},
	{"two adds of all goroutines", true, func(t *explore.T) {
		x := 0
		t.Go("writer", func() { x = 1; adds.Add(1) })
		t.Go("reader", func() { adds.Add(1); _ = x })
	}},
	{"neighbours", true, func(t *explore.T) {
		x := 0
		t.Go("writer", func() { x = 1; pairs[0].Add(1) })
		t.Go("reader", func() {
			if pairs[1].Load() == 0 {
				_ = x
			}
		})
	}},
	{"an add that is replaced", true, func(t *explore.T) {
		var n atomic.Int64
		x := 0
		t.Go("writer", func() { x = 1; n.Add(1) })
		t.Go("setter", func() { n.Store(7) })
		t.Go("reader", func() {
			if n.Load() == 7 {
				_ = x
			}
		})
	}},
	{"an add beside a plain read", true, func(t *explore.T) {
		var n int64
		t.Go("adder", func() { atomic.AddInt64(&n, 1) })
		t.Go("reader", func() { _ = n })
	}},
	{"an add beside a plain write", true, func(t *explore.T) {
		var n int32
		t.Go("writer", func() { n = 1 })
		t.Go("adder", func() { atomic.AddInt32(&n, 1) })
	}},
	{"a load sees both", false, func(t *explore.T) {
		var n atomic.Int64
		var x, y int
		t.Go("one", func() { x = 1; n.Add(1) })
		t.Go("two", func() { y = 1; n.Add(1) })
		t.Go("reader", func() {
			if n.Load() == 2 {
				_ = x + y
			}
		})
	}},
	{"a sum", false, func(t *explore.T) {
		var n atomic.Int32
		x := 0
		t.Go("writer", func() { x = 1; n.Add(1) })
		t.Go("reader", func() {
			if n.Add(1) == 2 {
				_ = x
			}
		})
	}},
	{"a sum beside a statement on one line", false, func(t *explore.T) {
		var n, other atomic.Int64
		x := 0
		t.Go("writer", func() { x = 1; n.Add(1) })
		t.Go("reader", func() {
			if other.Add(1); n.Add(1) == 2 {
				_ = x
			}
		})
	}},
	{"a compare-and-swap", false, func(t *explore.T) {
		var n atomic.Uint64
		x := 0
		t.Go("writer", func() { x = 1; n.Add(1) })
		t.Go("reader", func() {
			if n.CompareAndSwap(1, 5) {
				_ = x
			}
		})
	}},
	{"a swap", false, func(t *explore.T) {
		x := 0
		adds.Store(0)
		t.Go("writer", func() { x = 1; adds.Add(1) })
		t.Go("reader", func() {
			if adds.Swap(9) == 1 {
				_ = x
			}
		})
	}},
	{"a method value", false, func(t *explore.T) {
		var n atomic.Int64
		x := 0
		add := n.Add
		t.Go("writer", func() { x = 1; add(1) })
		t.Go("reader", func() {
			if add(1) == 2 {
				_ = x
			}
		})
	}},
	{"a lock behind an add", false, func(t *explore.T) {
		var n atomic.Int64
		var mu sync.Mutex
		x := 0
		for range 2 {
			t.Go("writer", func() { n.Add(1); mu.Lock(); x++; mu.Unlock() })
		}
	}},
}

// queuers are programs that use channels without a select, and whether an execution of them
// can have a data race. A send before and a send after a receive of another goroutine make
// the same execution.
var queuers = []struct {
	name  string
	races bool
	want  int // number of executions without a race; 0 means any
	body  func(*explore.T)
}{
	{"a send hands over", false, 1, func(t *explore.T) {
		c, x := make(chan int), 0
		t.Go("sends", func() { x = 1; c <- 1 })
		t.Go("receives", func() { <-c; _ = x })
	}},
	{"a receive hands over", false, 1, func(t *explore.T) {
		c, x := make(chan bool), 0
		t.Go("receives", func() { x = 1; <-c })
		t.Go("sends", func() { c <- true; _ = x })
	}},
	{"a receive with room hands over nothing", true, 0, func(t *explore.T) {
		c, x := make(chan int, 1), 0
		t.Go("receives", func() { x = 1; <-c })
		t.Go("sends", func() { c <- 1; _ = x })
	}},
	{"a receive makes room", false, 1, func(t *explore.T) {
		c, x := make(chan int, 1), 0
		t.Go("receives", func() { x = 1; <-c })
		t.Go("sends", func() { c <- 1; c <- 2; _ = x })
	}},
	{"the other's value", true, 0, func(t *explore.T) {
		c, x := make(chan int), 0
		t.Go("one", func() { x = 1; c <- 1 })
		t.Go("two", func() { c <- 2 })
		if <-c == 2 {
			_ = x
		}
		<-c
	}},
	{"both values", false, 2, func(t *explore.T) {
		c, x, y := make(chan int, 2), 0, 0
		t.Go("one", func() { x = 1; c <- 1 })
		t.Go("two", func() { y = 1; c <- 2 })
		_, _ = <-c, <-c
		_ = x + y
	}},
	{"values of no size", true, 0, func(t *explore.T) {
		c, x := make(chan struct{}, 2), 0
		c <- struct{}{}
		t.Go("receives", func() { x = 1; <-c })
		t.Go("sends", func() { c <- struct{}{}; _ = x })
	}},
	{"a semaphore of two", true, 0, func(t *explore.T) {
		sem, x := make(chan struct{}, 2), 0
		for range 2 {
			t.Go("worker", func() { sem <- struct{}{}; x++; <-sem })
		}
	}},
	{"a semaphore of one", false, 0, func(t *explore.T) {
		sem, x := make(chan struct{}, 1), 0
		for range 2 {
			t.Go("worker", func() { sem <- struct{}{}; x++; <-sem })
		}
	}},
	{"a pipeline", false, 1, func(t *explore.T) {
		in, out := make(chan *int), make(chan *int)
		t.Go("adds", func() {
			for range 2 {
				n := <-in
				*n++
				out <- n
			}
		})
		n := new(int)
		for range 2 {
			in <- n
			n = <-out
		}
		_ = *n
	}},
	{"a channel that had a value", false, 0, func(t *explore.T) {
		x := 0
		t.Go("sends", func() { x = 1; before <- 2 })
		<-before
		if <-before == 2 {
			_ = x
		}
		before <- 1
	}},
}

// before is a channel that holds a value from one execution to the next.
var before = func() chan int {
	c := make(chan int, 3)
	c <- 1
	return c
}()

func TestEndsOfAChannelCommute(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, q := range queuers {
		r := exhaust(t, q.name, q.body)
		switch {
		case q.races && r.Verdict != explore.Violated:
			t.Errorf("%s: got %v (%s), want a data race", q.name, r.Verdict, r.Summary())
		case !q.races && (r.Verdict != explore.Holds || !r.Unbounded || q.want > 0 && r.Schedules != q.want):
			t.Errorf("%s: got %v (%s), want it to hold, exhausted, with %d executions", q.name, r.Verdict, r.Summary(), q.want)
		}
	}
}

func exhaust(t *testing.T, name string, body func(*explore.T)) *explore.Result {
	t.Helper()
	r, err := explore.Run(t.Context(), explore.Config{Name: name, Plan: []explore.Stage{{Strategy: explore.DPOR(), Schedules: 1000}}}, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAddsCommute(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, a := range adders {
		r := exhaust(t, a.name, a.body)
		switch {
		case a.races && (r.Verdict != explore.Violated || r.Schedules != 1):
			t.Errorf("%s: got %v (%s), want a data race in the first schedule", a.name, r.Verdict, r.Summary())
		case !a.races && (r.Verdict != explore.Holds || !r.Unbounded):
			t.Errorf("%s: got %v (%s), want it to hold, exhausted", a.name, r.Verdict, r.Summary())
		}
	}
}
