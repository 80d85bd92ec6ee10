package cache

import "sync/atomic"

// entry follows one object from the first request for its key to its removal. The map keeps it where the value alone
// is not enough: while the object is being created, if it is a closer, and if expiry, eviction or refresh needs it. A
// plain value needs no entry once it is created.
type entry[K comparable, V any] struct {
	// state packs everything that changes into one word, so that each decision (who joins, who leaves last, who closes
	// the value) is one compare-and-swap. See the bits below.
	state atomic.Uint64
	key   K
	// value, version, expires and weight are written once before the phase becomes ready, and read only after.
	value   V
	version uint64
	expires int64 // Unix time in ns; 0 means never
	weight  int64
	failure *failure // written, with expires, before the phase becomes remembered
	// flight is the creation of the value. It is nil for an entry that was set, and nil again once the creation is
	// decided, so that a finished entry does not keep its flight alive.
	flight atomic.Pointer[flight[K, V]]
	// refreshAt is when a hit starts a refresh: Unix time in ns; 0 means never, or that a refresh is under way.
	refreshAt atomic.Int64
	refresh   atomic.Pointer[flight[K, V]] // the refresh under way; set under the bucket lock
	// node is the entry's position in the order of insertion, guarded by the lock of order (sieve.go).
	node links[K, V]
}

// The state word: three bits of phase, some flags, and a reference count in the remaining bits.
const (
	phasePending    = 0 // the creation is under way; references are waiters
	phaseReady      = 1 // value may be read; references are leases, and waiters that have not woken yet
	phaseFailed     = 2 // the creator returned an error; the entry has left the map
	phaseSuperseded = 3 // Set, Delete or Invalidate came first
	phaseAbandoned  = 4 // the last waiter left
	phaseClosed     = 5 // the cache closed first
	phaseRemembered = 6 // the creator returned an error; the entry stays in the map, without a value, until it expires
	phaseMask       = 7

	// closer: the value has a Close method.
	closer = 1 << 3
	// unpinned: the value is a closer that has not been handed out without a lease since it was published. Only such
	// a value may be closed before the cache is.
	unpinned = 1 << 4
	// removed: the entry has left the map. It accepts no new lease and no new holder.
	removed = 1 << 5
	// visited: the value was hit since the eviction policy last examined it.
	visited = 1 << 6

	oneRef  = 1 << 8
	refMask = ^uint64(oneRef - 1)
)

func phase(state uint64) uint64 { return state & phaseMask }

// join adds a waiter to a pending entry. False means that the entry is not pending any more.
func (e *entry[K, V]) join() bool {
	for {
		s := e.state.Load()
		if phase(s) != phasePending {
			return false
		}
		if e.state.CompareAndSwap(s, s+oneRef) {
			return true
		}
	}
}

// leave drops one reference, a waiter's or a lease's. It returns the state before and after. The caller must act if
// this abandoned the creation or left a removed value without a holder.
func (e *entry[K, V]) leave() (before, after uint64) {
	for {
		s := e.state.Load()
		n := s - oneRef
		if phase(s) == phasePending && n&refMask == 0 {
			n |= phaseAbandoned
		}
		if e.state.CompareAndSwap(s, n) {
			return s, n
		}
	}
}

// settle ends the pending phase and keeps the references. False means that the entry was not pending any more.
func (e *entry[K, V]) settle(to uint64) bool {
	for {
		s := e.state.Load()
		if phase(s) != phasePending {
			return false
		}
		if e.state.CompareAndSwap(s, s|to) {
			return true
		}
	}
}

// pin marks the value as handed out without a lease, and drops drop (0 or oneRef) references in the same step. A caller
// that holds a reference can always pin. For one that holds none, ok is false if the entry was removed first and the
// value may be closed. retire is true for the one caller that pinned an entry which had been removed already.
func (e *entry[K, V]) pin(drop uint64) (ok, retire bool) {
	for {
		s := e.state.Load()
		if drop == 0 && s&unpinned == 0 {
			return true, false
		}
		if drop == 0 && s&removed != 0 {
			return false, false
		}
		if e.state.CompareAndSwap(s, (s-drop)&^unpinned) {
			return true, s&(removed|unpinned) == removed|unpinned
		}
	}
}

// lease adds a reference to a ready entry. False means that the entry was removed first.
func (e *entry[K, V]) lease() bool {
	for {
		s := e.state.Load()
		if s&removed != 0 {
			return false
		}
		if e.state.CompareAndSwap(s, s+oneRef) {
			return true
		}
	}
}

// remove marks a ready entry as removed. If final, it also revokes the value from callers without a lease. It
// returns the state before and after.
func (e *entry[K, V]) remove(final bool) (before, after uint64) {
	for {
		s := e.state.Load()
		n := s | removed
		if final && s&closer != 0 {
			n |= unpinned
		}
		if e.state.CompareAndSwap(s, n) {
			return s, n
		}
	}
}

// ownerless reports whether the cache must close a value in this state: no caller holds it and none can get it.
func ownerless(state uint64) bool {
	return phase(state) == phaseReady && state&(removed|unpinned) == removed|unpinned && state&refMask == 0
}

// visit records a hit for the eviction policy. Only the first writes, so a hot entry stays in every CPU's cache.
func (e *entry[K, V]) visit() {
	if e.state.Load()&visited == 0 {
		e.state.Or(visited)
	}
}

// item is what the map holds for a ready entry that keepsEntry.
func (e *entry[K, V]) item() item[K, V] {
	return item[K, V]{value: e.value, version: e.version, entry: e}
}

// expired reports whether the entry has expired; now is a Unix time in ns.
func (e *entry[K, V]) expired(now int64) bool { return e.expires != 0 && e.expires <= now }
