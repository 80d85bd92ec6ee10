package programs

import (
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"github.com/jacquard-go/jacquard/explore"
)

func stores() []Classic {
	return []Classic{
		classic("sync.Map: check, then act", explore.KindCheck,
			"two goroutines find a key missing and each stores a value of its own",
			"LoadOrStore does both at once",
			func(t *explore.T) {
				intern(t, func(m *sync.Map, fresh *int) *int {
					if v, ok := m.Load("key"); ok {
						return v.(*int)
					}
					m.Store("key", fresh)
					return fresh
				})
			},
			func(t *explore.T) {
				intern(t, func(m *sync.Map, fresh *int) *int {
					v, _ := m.LoadOrStore("key", fresh)
					return v.(*int)
				})
			}),
		classic("singleflight behind a check", explore.KindCheck,
			"the cache is looked into before the flight only, so a late caller loads again",
			"the flight looks into the cache too",
			func(t *explore.T) { loadThrough(t, false) },
			func(t *explore.T) { loadThrough(t, true) }),
		classic("singleflight.Forget", explore.KindCheck,
			"a key is forgotten while its function runs, so the next call runs it a second time at once",
			"a flight is never forgotten",
			func(t *explore.T) { refresh(t, (*singleflight.Group).Forget) },
			func(t *explore.T) { refresh(t, func(*singleflight.Group, string) {}) }),
		classic("account checked, then charged", explore.KindCheck,
			"the balance is checked under one hold of the lock and reduced under another",
			"both happen under one hold",
			func(t *explore.T) { charge(t, (*account).payInTwoSteps) },
			func(t *explore.T) { charge(t, (*account).pay) }),
	}
}

func intern(t *explore.T, get func(m *sync.Map, fresh *int) *int) {
	var m sync.Map
	var one, two *int
	t.Go("one", func() { one = get(&m, new(int)) })
	t.Go("two", func() { two = get(&m, new(int)) })
	t.Wait()
	if one != two {
		t.Errorf("one key has two values")
	}
}

func loadThrough(t *explore.T, again bool) {
	var flights singleflight.Group
	var cache sync.Map
	var loads atomic.Int32
	get := func() {
		if _, ok := cache.Load("key"); ok {
			return
		}
		_, _, _ = flights.Do("key", func() (any, error) {
			if again {
				if v, ok := cache.Load("key"); ok {
					return v, nil
				}
			}
			loads.Add(1)
			cache.Store("key", "value")
			return "value", nil
		})
	}
	t.Go("one", get)
	t.Go("two", get)
	t.Wait()
	if loads.Load() != 1 {
		t.Errorf("loaded %d times, want once", loads.Load())
	}
}

func refresh(t *explore.T, forget func(*singleflight.Group, string)) {
	var flights singleflight.Group
	var running atomic.Int32
	work := func() (any, error) {
		if running.Add(1) != 1 {
			t.Errorf("two refreshes run at once")
		}
		running.Add(-1)
		return nil, nil
	}
	t.Go("refreshes", func() { _, _, _ = flights.Do("key", work) })
	t.Go("forgets and refreshes", func() {
		forget(&flights, "key")
		_, _, _ = flights.Do("key", work)
	})
	t.Wait()
}

type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) covers(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance >= n
}

func (a *account) payInTwoSteps(n int) {
	if a.covers(n) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.balance -= n
	}
}

func (a *account) pay(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.balance >= n {
		a.balance -= n
	}
}

func charge(t *explore.T, pay func(a *account, n int)) {
	a := &account{balance: 10}
	t.Go("pays 7", func() { pay(a, 7) })
	t.Go("pays 6", func() { pay(a, 6) })
	t.Wait()
	if a.balance < 0 {
		t.Errorf("the balance is %d", a.balance)
	}
}
