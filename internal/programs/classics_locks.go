package programs

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

func locks() []Classic {
	return []Classic{
		classic("double-checked lock", explore.KindRace,
			"the first check reads a plain variable without the lock",
			"the variable is an atomic pointer",
			func(t *explore.T) {
				var mu sync.Mutex
				var settings *map[string]string
				getTwice(t, func() *map[string]string {
					if settings == nil {
						mu.Lock()
						defer mu.Unlock()
						if settings == nil {
							settings = load()
						}
					}
					return settings
				})
			},
			func(t *explore.T) {
				var mu sync.Mutex
				var settings atomic.Pointer[map[string]string]
				getTwice(t, func() *map[string]string {
					if s := settings.Load(); s != nil {
						return s
					}
					mu.Lock()
					defer mu.Unlock()
					if settings.Load() == nil {
						settings.Store(load())
					}
					return settings.Load()
				})
			}),
		classic("RWMutex re-entry", explore.KindDeadlock,
			"a reader takes the read lock again while a writer waits for it to go",
			"the inner function needs the lock and does not take it",
			func(t *explore.T) { readTwice(t, (*ledger).balance) },
			func(t *explore.T) { readTwice(t, (*ledger).sum) }),
		classic("dining philosophers", explore.KindDeadlock,
			"all take the fork on their left first",
			"the forks are numbered, and the lower one is taken first",
			func(t *explore.T) { dine(t, func(left, right int) (first, second int) { return left, right }) },
			func(t *explore.T) {
				dine(t, func(left, right int) (first, second int) { return min(left, right), max(left, right) })
			}),
		classic("write under a read lock", explore.KindRace,
			"a counter is changed under the read lock, which others hold too",
			"it is changed under the write lock",
			func(t *explore.T) {
				var mu sync.RWMutex
				countHits(t, mu.RLocker())
			},
			func(t *explore.T) {
				var mu sync.RWMutex
				countHits(t, &mu)
			}),
		classic("lock upgrade", explore.KindCheck,
			"between giving up the read lock and taking the write lock another does the work too",
			"the condition is checked again under the write lock",
			func(t *explore.T) { loadTwice(t, (*table).loadUnchecked) },
			func(t *explore.T) { loadTwice(t, (*table).load) }),
		classic("semaphore taken piece by piece", explore.KindDeadlock,
			"two goroutines need two permits each, take them one by one, and each gets one",
			"whoever takes several permits holds a lock meanwhile",
			func(t *explore.T) { takePermits(t, noLock{}) },
			func(t *explore.T) { takePermits(t, new(sync.Mutex)) }),
	}
}

func load() *map[string]string { return &map[string]string{"colour": "indigo"} }

func getTwice(t *explore.T, get func() *map[string]string) {
	for _, name := range []string{"one", "two"} {
		t.Go(name, func() {
			if s := get(); (*s)["colour"] != "indigo" {
				t.Errorf("got %v", *s)
			}
		})
	}
	t.Wait()
}

type ledger struct {
	mu      sync.RWMutex
	entries []int
}

func (l *ledger) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, n)
}

func (l *ledger) balance() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.sum()
}

// sum must be called under the lock.
func (l *ledger) sum() int {
	sum := 0
	for _, n := range l.entries {
		sum += n
	}
	return sum
}

// report holds the read lock while it calls balance.
func (l *ledger) report(balance func(*ledger) int) string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return fmt.Sprintf("%d entries, balance %d", len(l.entries), balance(l))
}

func readTwice(t *explore.T, balance func(*ledger) int) {
	var l ledger
	t.Go("writer", func() { l.add(1) })
	t.Go("reader", func() { l.report(balance) })
	t.Wait()
	if got := l.balance(); got != 1 {
		t.Errorf("the balance is %d, want 1", got)
	}
}

func dine(t *explore.T, order func(left, right int) (first, second int)) {
	var forks [3]sync.Mutex
	for i := range forks {
		first, second := order(i, (i+1)%len(forks))
		t.Go(fmt.Sprint("philosopher ", i), func() {
			forks[first].Lock()
			defer forks[first].Unlock()
			forks[second].Lock()
			defer forks[second].Unlock()
		})
	}
	t.Wait()
}

func countHits(t *explore.T, mu sync.Locker) {
	hits := 0
	for _, name := range []string{"one", "two"} {
		t.Go(name, func() {
			mu.Lock()
			defer mu.Unlock()
			hits++
		})
	}
	t.Wait()
	if hits != 2 {
		t.Errorf("%d hits, want 2", hits)
	}
}

// A table is loaded when it is first needed.
type table struct {
	mu    sync.RWMutex
	rows  map[int]string
	loads int
}

func (b *table) loaded() bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.rows != nil
}

func (b *table) loadUnchecked() {
	if !b.loaded() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.fill()
	}
}

func (b *table) load() {
	if !b.loaded() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.rows == nil {
			b.fill()
		}
	}
}

// fill must be called under the write lock.
func (b *table) fill() {
	b.rows = map[int]string{1: "warp"}
	b.loads++
}

func loadTwice(t *explore.T, load func(*table)) {
	var b table
	t.Go("one", func() { load(&b) })
	t.Go("two", func() { load(&b) })
	t.Wait()
	if b.loads != 1 {
		t.Errorf("loaded %d times, want once", b.loads)
	}
}

// noLock is a lock that never blocks.
type noLock struct{}

func (noLock) Lock()   {}
func (noLock) Unlock() {}

func takePermits(t *explore.T, mu sync.Locker) {
	const each = 2
	permits := make(chan struct{}, each)
	for _, name := range []string{"one", "two"} {
		t.Go(name, func() {
			mu.Lock()
			for range each {
				permits <- struct{}{}
			}
			mu.Unlock()
			for range each {
				<-permits
			}
		})
	}
	t.Wait()
}
