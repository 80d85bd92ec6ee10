package finals

import (
	"fmt"
	"sync"

	"github.com/jacquard-go/jacquard/explore"
)

// Tries returns programs that try a read-write lock while other goroutines are in the
// middle of taking or releasing it.
func Tries() []Final {
	// lock returns a program with two goroutines that share a lock.
	lock := func(a, b func(mu *sync.RWMutex) string) func(*explore.T, func(func() string)) {
		return func(t *explore.T, say func(func() string)) {
			var mu sync.RWMutex
			Side(t, say, func() string { return a(&mu) }, func() string { return b(&mu) })
		}
	}
	try := func(mu *sync.RWMutex) string {
		got := mu.TryLock()
		if got {
			mu.Unlock()
		}
		return fmt.Sprint(got)
	}
	read := func(mu *sync.RWMutex) string {
		got := mu.TryRLock()
		if got {
			mu.RUnlock()
		}
		return fmt.Sprint(got)
	}
	write := func(mu *sync.RWMutex) string { mu.Lock(); defer mu.Unlock(); return "" }
	reads := func(mu *sync.RWMutex) string { mu.RLock(); defer mu.RUnlock(); return "" }
	both := func(mu *sync.RWMutex) string { return try(mu) + " " + read(mu) }
	other := func(mu *sync.RWMutex) string { return read(mu) + " " + try(mu) }
	return []Final{
		{"to write, while one writes", lock(try, write)},
		{"to read, while one writes", lock(read, write)},
		{"to write and then to read, while one writes", lock(both, write)},
		{"to read and then to write, while one writes", lock(other, write)},
		{"to write, while one reads", lock(try, reads)},
		{"to read, while one reads", lock(read, reads)},
		{"two that try to write", lock(try, try)},
		{"two that try to read", lock(read, read)},
		{"one tries to write, one to read", lock(try, read)},
		{"one tries both, one to write", lock(both, try)},
		{"one tries to write, while two read", func(t *explore.T, say func(func() string)) {
			var mu sync.RWMutex
			mu.RLock()
			Side(t, say, func() string { return fmt.Sprint(mu.TryLock()) }, func() string { mu.RUnlock(); return fmt.Sprint(mu.TryLock()) })
		}},
		{"to write, behind an unlock that is told of", func(t *explore.T, say func(func() string)) {
			var mu sync.RWMutex
			mu.Lock()
			Side(t, say, func() string { mu.Unlock(); return "" }, func() string {
				if !mu.TryRLock() {
					return "locked"
				}
				mu.RUnlock()
				return fmt.Sprint(mu.TryLock())
			})
		}},
		{"a plain lock", func(t *explore.T, say func(func() string)) {
			var mu sync.Mutex
			Side(t, say, func() string { mu.Lock(); defer mu.Unlock(); return "" }, func() string { return fmt.Sprint(mu.TryLock()) })
		}},
	}
}
