package locks

import (
	"context"
	"time"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/steady"
)

// memoryStore stores the last lock of each resource as a value of a cache. A change is one
// compare-and-swap of the value, and is decided again if another change of the same resource came
// first.
type memoryStore struct {
	locks *cache.Cache[Resource, *Lock] // the locks pointed to are never changed
	clock steady.Clock
}

func newMemoryStore() (*memoryStore, error) {
	locks, err := cache.New(cache.Config[Resource, *Lock]{})
	return &memoryStore{locks, steady.New()}, err
}

// change replaces the last lock of a resource by decide's, if decide returns true.
func (m *memoryStore) change(r Resource, decide func(last Lock, now time.Time) (next Lock, ok bool)) (Lock, bool) {
	for {
		last, version := Lock{Resource: r}, uint64(0) // version 0 means no value
		if found, ok := m.locks.GetVersion(r); ok {
			last, version = *found.Value, found.Version
		}
		next, ok := decide(last, m.clock.Now())
		if !ok {
			return last, false
		}
		if _, ok := m.locks.CompareAndSwap(r, version, &next); ok {
			return next, true
		}
	}
}

func (m *memoryStore) acquire(_ context.Context, owner string, r Resource, ttl time.Duration) (Lock, bool, error) {
	l, yours := m.change(r, func(last Lock, now time.Time) (Lock, bool) {
		switch {
		case !last.stands(now):
			return Lock{r, owner, last.Fence + 1, now, now.Add(ttl)}, true
		case last.Owner == owner:
			return last.until(now.Add(ttl)), true
		}
		return Lock{}, false
	})
	return l, yours, nil
}

// until returns a lock that lasts at least until end.
func (l Lock) until(end time.Time) Lock {
	if end.After(l.ExpiresAt) {
		l.ExpiresAt = end
	}
	return l
}

func (m *memoryStore) renew(_ context.Context, l Lock, ttl time.Duration) (Lock, bool, error) {
	renewed, yours := m.change(l.Resource, func(last Lock, now time.Time) (Lock, bool) {
		return last.until(now.Add(ttl)), last.Fence == l.Fence && last.stands(now)
	})
	return renewed, yours, nil
}

func (m *memoryStore) release(_ context.Context, l Lock) (Lock, bool, error) {
	last, yours := m.change(l.Resource, func(last Lock, _ time.Time) (Lock, bool) {
		return last.released(), last.Fence == l.Fence && last.Fence != 0
	})
	return last, yours, nil
}

// released returns a lock without an owner, which keeps the fence.
func (l Lock) released() Lock {
	l.Owner, l.ExpiresAt = "", time.Time{}
	return l
}

func (m *memoryStore) releaseAll(_ context.Context, owner string) (n int, err error) {
	for r := range m.locks.All() {
		_, released := m.change(r, func(last Lock, _ time.Time) (Lock, bool) {
			return last.released(), last.Owner == owner
		})
		if released {
			n++
		}
	}
	return n, nil
}

func (m *memoryStore) countStale(context.Context) (n int, err error) {
	for _, l := range m.locks.All() {
		if l.Owner != "" && !l.stands(m.clock.Now()) {
			n++
		}
	}
	return n, nil
}

func (m *memoryStore) find(_ context.Context, r Resource) (Lock, bool, error) {
	l, ok := m.locks.Get(r)
	if !ok {
		return Lock{Resource: r}, false, nil
	}
	return *l, l.stands(m.clock.Now()), nil
}
