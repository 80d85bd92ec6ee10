package finals

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// Polls returns programs that check for something several times, and then give up. A
// search must reach both outcomes; if there are more turns than it tries, it must not
// claim to be exhausted.
func Polls(turns int) []Final {
	// poll has one goroutine that asks, and one that sets the flag.
	poll := func(ask func(f *atomic.Bool) string) func(*explore.T, func(func() string)) {
		return func(t *explore.T, say func(func() string)) {
			var f atomic.Bool
			Side(t, say, func() string { return ask(&f) }, func() string { f.Store(true); return "" })
		}
	}
	return []Final{
		{"that counts up", poll(func(f *atomic.Bool) string {
			for range turns {
				if f.Load() {
					return "seen"
				}
			}
			return "gave up"
		})},
		{"that counts down", poll(func(f *atomic.Bool) string {
			for n := turns; n > 0; n-- {
				if f.Load() {
					return "seen"
				}
			}
			return "gave up"
		})},
		{"that counts in its condition", poll(func(f *atomic.Bool) string {
			n := 0
			for ; !f.Load() && n < turns; n++ {
			}
			if n == turns {
				return "gave up"
			}
			return "seen"
		})},
		{"that goes down a call at each turn", poll(func(f *atomic.Bool) string {
			var ask func(n int) string
			ask = func(n int) string {
				switch {
				case f.Load():
					return "seen"
				case n == 0:
					return "gave up"
				}
				return ask(n - 1)
			}
			return ask(turns - 1)
		})},
		{"that keeps what it saw", poll(func(f *atomic.Bool) string {
			seen := make([]bool, 0, turns)
			for len(seen) < turns {
				if seen = append(seen, f.Load()); seen[len(seen)-1] {
					return "seen"
				}
			}
			return "gave up"
		})},
		{"that yields", poll(func(f *atomic.Bool) string {
			for range turns {
				if f.Load() {
					return "seen"
				}
				runtime.Gosched()
			}
			return "gave up"
		})},
		{"that waits for longer at each turn", poll(func(f *atomic.Bool) string {
			for n := 1; n <= turns; n++ {
				if f.Load() {
					return "seen"
				}
			}
			return "gave up"
		})},
		{"that swaps", poll(func(f *atomic.Bool) string {
			for range turns {
				if f.CompareAndSwap(true, false) {
					return "seen"
				}
			}
			return "gave up"
		})},
		{"of a lock", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			mu.Lock()
			Side(t, say, func() string {
				for range turns {
					if mu.TryLock() {
						return "seen"
					}
				}
				return "gave up"
			}, func() string { mu.Unlock(); return "" })
		}},
		{"of a channel", func(t *explore.T, say func(func() string)) {
			ch := make(chan bool, 1)
			Side(t, say, func() string {
				for range turns {
					select {
					case <-ch:
						return "seen"
					default:
					}
				}
				return "gave up"
			}, func() string { ch <- true; return "" })
		}},
		{"of a length", func(t *explore.T, say func(func() string)) {
			ch := make(chan bool, 1)
			Side(t, say, func() string {
				for range turns {
					if len(ch) > 0 {
						return "seen"
					}
				}
				return "gave up"
			}, func() string { ch <- true; return "" })
		}},
		{"of two flags", func(t *explore.T, say func(func() string)) {
			var f, g atomic.Bool
			Side(t, say, func() string {
				for i := range turns {
					if f.Load() || g.Load() {
						return fmt.Sprint("seen ", i >= 0)
					}
				}
				return "gave up"
			}, func() string { f.Store(true); g.Store(true); return "" })
		}},
	}
}
