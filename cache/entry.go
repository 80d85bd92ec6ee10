package cache

import "sync/atomic"

// entry follows one object from the first request for its key to its removal, where the value alone does not tell
// enough: while it is being created, if it is a closer, and if an option keeps an eye on it. A plain value needs none
// once it is created.
type entry[K comparable, V any] struct {
	// state holds what changes in one word, so that each decision (who joins, who leaves last, who closes the value) is
	// one compare-and-swap. See the bits below.
	state atomic.Uint64
	key   K
	// value, version, expires and weight are written once before the phase becomes ready and read only after that was seen.
	value   V
	version uint64
	expires int64 // Unix time in ns; 0 means never
	weight  int64
	failure *failure // written before the phase becomes remembered, and expires with it
	// flight is the creation of the value; nil for an entry that was set, and nil again when the creation is decided, so
	// that a finished entry does not keep it alive.
	flight atomic.Pointer[flight[K, V]]
	// refreshAt is when a hit has the value created anew: Unix time in ns; 0 means never, or that this is under way.
	refreshAt atomic.Int64
	refresh   atomic.Pointer[flight[K, V]] // that creation; set under the bucket lock
	// node is the entry's place in the order of insertion; see sieve.go, whose lock guards it.
	node links[K, V]
}

// The state word: three bits of phase, some flags, and the rest counts references.
const (
	phasePending    = 0 // its creation is under way; references are waiters
	phaseReady      = 1 // value may be read; references are leases, and waiters that have not woken yet
	phaseFailed     = 2 // the creator gave an error; the entry has left the map
	phaseSuperseded = 3 // Set, Delete or Invalidate came first
	phaseAbandoned  = 4 // the last waiter left
	phaseClosed     = 5 // the cache closed first
	phaseRemembered = 6 // the creator gave an error; the entry stays in the map, without a value, until it expires
	phaseMask       = 7

	// closer: the value has a Close method.
	closer = 1 << 3
	// unpinned: the value is a closer that has not been handed out without a lease since it was published. Only such
	// a value may be closed before the cache is.
	unpinned = 1 << 4
	// removed: the entry has left the map. No new lease and no new holder is admitted any more.
	removed = 1 << 5
	// visited: the value was hit since the eviction policy last looked at it.
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

// leave gives one reference back, a waiter's or a lease's. It returns the state before and after: the caller has to act
// if this abandoned the creation or left a removed value without a holder.
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

// settle ends the pending phase, keeping the references. False means that something else ended it first.
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

// pin marks the value as handed out without a lease, and gives back drop (0 or oneRef) references in the same step.
// A caller that holds a reference can always pin; for one that holds none, false means that the entry was removed first
// and the value may be closed. retire is true for the one caller that pinned an entry which had been removed already.
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

// remove marks a ready entry as removed and, if final, takes the value from those who have no lease. It returns the
// state before and after.
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

// ownerless reports whether a value in this state is the cache's to close: nobody holds it and nobody can get it.
func ownerless(state uint64) bool {
	return phase(state) == phaseReady && state&(removed|unpinned) == removed|unpinned && state&refMask == 0
}

// visit notes a hit for the eviction policy. It writes only the first time, so a hot entry stays in every CPU's cache.
func (e *entry[K, V]) visit() {
	if e.state.Load()&visited == 0 {
		e.state.Or(visited)
	}
}

// item is what the map holds for a ready entry that stays connected with its value.
func (e *entry[K, V]) item() item[K, V] {
	return item[K, V]{value: e.value, version: e.version, entry: e}
}

// expired reports whether the entry's time is over; now is a Unix time in ns.
func (e *entry[K, V]) expired(now int64) bool { return e.expires != 0 && e.expires <= now }
