package sctbench

import (
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// small returns the programs that have a few goroutines and a lock or two, and one that is
// in Java's library.
func small() []Program {
	return []Program{
		check("CB/stringbuffer-jdk1.4", stringBuffer, Published{"8", "8", "8", "146", "12", "764"}),
		check("CS/account", account, Published{"1", "1", "1", "6", "10", "4"}),
		check("CS/bluetooth_driver", bluetooth, Published{"45", "32", "42", "111", "9", "90"}),
		{"CS/carter01", explore.KindDeadlock, carter, Published{"1", "1", "2", "4", "5", "1"}},
		check("CS/circular_buffer", circularBuffer, Published{"1", "1", "1", "4", "3", "1"}),
		{"CS/deadlock01", explore.KindDeadlock, lockOrder, Published{"4", "4", "4", "16", "3", "1"}},
		check("CS/lazy01", lazy, Published{"5", "5", "4", "10", "8", "6"}),
		check("CS/queue", queue, Published{"1", "1", "1", "6", "4", "1"}),
		check("CS/stack", stack, Published{"1", "1", "1", "2", "8", "1"}),
		check("CS/token_ring", tokenRing, Published{"4", "4", "5", "6", "2", "8"}),
		check("CS/wronglock", wrongLock(7), Published{"1", "1", "1", "49", "4", "30"}),
		check("CS/wronglock_3", wrongLock(3), Published{"1", "1", "1", "32", "6", "30"}),
	}
}

// all runs functions concurrently, and waits for them.
func all(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// under holds a lock while f runs.
func under(mu *sync.Mutex, f func()) {
	mu.Lock()
	defer mu.Unlock()
	f()
}

// stringBuffer appends one buffer to another. It reads the length, and then copies that
// many letters although the buffer may be shorter by then.
func stringBuffer(t *explore.T) {
	var mu sync.Mutex
	text := []byte("abc")
	all(
		func() {
			var n int
			under(&mu, func() { n = len(text) })
			under(&mu, func() {
				if n > len(text) {
					t.Errorf("got a buffer of %d letters, want the %d that it had", len(text), n)
				}
			})
		},
		func() { under(&mu, func() { text = text[:0] }) },
	)
}

// account has a deposit and a withdrawal. A check, after both are done, expects a wrong
// sum.
func account(t *explore.T) {
	var mu sync.Mutex
	balance, paid, drawn := 1, false, false
	all(
		func() { under(&mu, func() { balance, paid = balance+2, true }) },
		func() { under(&mu, func() { balance, drawn = balance-4, true }) },
		func() {
			under(&mu, func() {
				if want := 1 - 2 - 4; paid && drawn && balance != want {
					t.Errorf("got a balance of %d, want %d", balance, want)
				}
			})
		},
	)
}

// bluetooth is a driver that stops after the last request. A request may be admitted before
// it is counted, so it may run on a stopped driver.
func bluetooth(t *explore.T) {
	var pending atomic.Int32
	var stopping, stopped atomic.Bool
	pending.Store(1)
	done := func() {
		if pending.Add(-1) == 0 {
			stopped.Store(true)
		}
	}
	all(
		func() {
			stopping.Store(true)
			done()
		},
		func() {
			if stopping.Load() {
				return
			}
			pending.Add(1)
			if stopped.Load() {
				t.Error("a request is served by a driver that was stopped")
			}
			done()
		},
	)
}

// carter has two groups share a lock. The first of a group takes it and the last one
// releases it, both while they hold the lock of the counts.
func carter(t *explore.T) {
	var counts, room sync.Mutex
	member := func(n *int) func() {
		return func() {
			under(&counts, func() {
				if *n++; *n == 1 {
					room.Lock()
				}
			})
			under(&counts, func() {
				if *n--; *n == 0 {
					room.Unlock()
				}
			})
		}
	}
	var a, b int
	other := func() { under(&counts, func() {}) }
	all(member(&a), member(&b), other, other)
}

// circularBuffer has one goroutine fill a buffer and another empty it, which takes one item
// more than there are.
func circularBuffer(t *explore.T) {
	const size, items = 10, 7
	var mu sync.Mutex
	var ring [size]int
	first, next := 0, 0
	full := false
	all(
		func() {
			under(&mu, func() {
				for i := range items {
					ring[next] = i + 1
					next = (next + 1) % size
				}
				full = true
			})
		},
		func() {
			under(&mu, func() {
				for i := 0; full && i <= items; i++ {
					if got := ring[first]; got != i+1 {
						t.Errorf("got %d, want %d", got, i+1)
					}
					first = (first + 1) % size
				}
			})
		},
	)
}

// lockOrder takes two locks in both orders.
func lockOrder(t *explore.T) {
	var a, b sync.Mutex
	n := 0
	all(
		func() { under(&a, func() { under(&b, func() { n++ }) }) },
		func() { under(&b, func() { under(&a, func() { n-- }) }) },
	)
}

// lazy fails if two goroutines have added before the third one reads.
func lazy(t *explore.T) {
	var mu sync.Mutex
	n := 0
	all(
		func() { under(&mu, func() { n++ }) },
		func() { under(&mu, func() { n += 2 }) },
		func() {
			under(&mu, func() {
				if n >= 3 {
					t.Errorf("got %d, want less than 3", n)
				}
			})
		},
	)
}

// queue is filled under a lock. The goroutine that empties it compares with the wrong item
// from the second one on.
func queue(t *explore.T) {
	const items = 5
	var mu sync.Mutex
	var waiting, stored []int
	all(
		func() {
			under(&mu, func() {
				for i := range items {
					waiting, stored = append(waiting, i), append(stored, i)
				}
			})
		},
		func() {
			under(&mu, func() {
				for i := 0; len(waiting) > 0; i++ {
					if waiting[0] != stored[0] {
						t.Errorf("item %d: got %d, want %d", i, waiting[0], stored[0])
					}
					waiting = waiting[1:]
				}
			})
		},
	)
}

// stack is filled item by item. The goroutine that takes from it assumes that it is full.
func stack(t *explore.T) {
	const room = 3
	var mu sync.Mutex
	top := 0
	all(
		func() {
			for range room {
				under(&mu, func() { top++ })
			}
		},
		func() {
			for range room {
				under(&mu, func() {
					if top == 0 {
						t.Error("the stack is empty")
						return
					}
					top--
				})
			}
		},
	)
}

// tokenRing passes a number round. All goroutines end with the same one in only one order.
func tokenRing(t *explore.T) {
	var mu sync.Mutex
	x := [3]int{1, 2, 1}
	passed := 0
	all(
		func() { under(&mu, func() { x[0], passed = (x[2]+1)%4, passed+1 }) },
		func() { under(&mu, func() { x[1], passed = x[0], passed+1 }) },
		func() { under(&mu, func() { x[2], passed = x[1], passed+1 }) },
		func() {
			under(&mu, func() {
				if passed == 3 && (x[0] != x[1] || x[1] != x[2]) {
					t.Errorf("got %v, want the same everywhere", x)
				}
			})
		},
	)
}

// wrongLock has one goroutine count under one lock, and n others under another.
func wrongLock(n int) func(*explore.T) {
	return func(t *explore.T) {
		var right, wrong sync.Mutex
		var value atomic.Int32
		fs := []func(){func() {
			under(&right, func() {
				was := value.Load()
				value.Add(1)
				if got := value.Load(); got != was+1 {
					t.Errorf("got %d, want %d", got, was+1)
				}
			})
		}}
		for range n {
			fs = append(fs, func() { under(&wrong, func() { value.Add(1) }) })
		}
		all(fs...)
	}
}
