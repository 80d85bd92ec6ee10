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

// adders are programs that add to atomic variables, and whether any of their executions
// has a data race. One order of additions whose results nobody takes stands for all of
// them, and what each goroutine has done before one is no other's to know.
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

func TestAddsCommute(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, a := range adders {
		r, err := explore.Run(t.Context(), explore.Config{Name: a.name, Plan: []explore.Stage{{Strategy: explore.DPOR(), Schedules: 1000}}}, a.body)
		switch {
		case err != nil:
			t.Fatal(err)
		case a.races && (r.Verdict != explore.Violated || r.Schedules != 1):
			t.Errorf("%s: got %v (%s), want a data race in the first schedule", a.name, r.Verdict, r.Summary())
		case !a.races && (r.Verdict != explore.Holds || !r.Unbounded):
			t.Errorf("%s: got %v (%s), want it to hold, exhausted", a.name, r.Verdict, r.Summary())
		}
	}
}
