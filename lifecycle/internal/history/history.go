// Package history keeps the versions of what is in memory for as long as a
// listing may read them. It knows nothing of what it keeps.
package history

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// History tells the states of what is kept in memory apart, so that a listing can
// read one of them while writers go on. It is safe for any number of goroutines,
// and must not be copied.
//
// What is stored under a key is a chain of nodes, the newest first, each with
// the era in which it took its place. Only a listing begins a new era, so
// writers share nothing that any of them changes: to write is one
// compare-and-swap of the key's own entry, and noting the era in the new node. A
// listing takes of each key the newest node that is not from after its era. This
// is how versioned compare-and-swap objects take snapshots (Wei, Ben-David,
// Blelloch, Fatourou, Ruppert and Sun, PPoPP 2021).
//
// Between taking its place and its era being noted, a node is in the newest
// state or not, and whoever meets it there decides that by noting the era
// himself. So nobody waits for the writer. Everyone who reads a node from its
// key does this before using what he has read, and everyone who puts another
// node in its place before doing that.
type History struct {
	era atomic.Uint64 // the one that is; the first is 1

	mu       sync.Mutex
	listings []uint64      // the eras that are being read, in order; guarded by mu
	oldest   atomic.Uint64 // the first of them, or the greatest number; changed under mu
}

// New returns a history in its first era.
func New() *History {
	h := new(History)
	h.era.Store(1)
	h.oldest.Store(math.MaxUint64)
	return h
}

// Moment is the era in which something took its place; 0 until that is known.
type Moment struct{ era atomic.Uint64 }

// Known reports whether it has been settled.
func (m *Moment) Known() bool { return m.era.Load() != 0 }

// Settle notes the era of what has taken its place, and returns it.
func (h *History) Settle(m *Moment) uint64 {
	if era := m.era.Load(); era != 0 {
		return era
	}
	m.era.CompareAndSwap(0, h.era.Load())
	return m.era.Load()
}

// List ends the era and returns it. The state at its end can be read until done
// is called.
func (h *History) List() (era uint64, done func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	era = h.era.Load()
	h.listings = append(h.listings, era)
	h.oldest.Store(h.listings[0])
	// Last: a writer that did not find the listing above has noted its own era
	// before, and this one is not older.
	h.era.Store(era + 1)
	return era, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.listings = slices.DeleteFunc(h.listings, func(e uint64) bool { return e == era })
		oldest := uint64(math.MaxUint64)
		if len(h.listings) > 0 {
			oldest = h.listings[0]
		}
		h.oldest.Store(oldest)
	}
}

// A Node is one version of what a key stands for. It is never changed, but for
// forgetting its past and noting its moment.
type Node[V any] struct {
	Value V
	At    *Moment                 // set before the node takes its place, if that is with another one
	past  atomic.Pointer[Node[V]] // the version before, for as long as a listing may read it
	own   Moment                  // what At is otherwise
}

// NewNode returns a node that is to take the place of another one, or the first
// place with nil.
func NewNode[V any](value V, past *Node[V]) *Node[V] {
	n := &Node[V]{Value: value}
	n.At = &n.own
	n.past.Store(past)
	return n
}

// Alone reports whether the node takes its place with no other one.
func (n *Node[V]) Alone() bool { return n.At == &n.own }

// Past returns the version before, or nil if none is kept.
func (n *Node[V]) Past() *Node[V] { return n.past.Load() }

// In returns the version of an era, or nil if there was none. The node has taken
// its place, and is settled.
func (n *Node[V]) In(era uint64) *Node[V] {
	for n != nil && n.At.era.Load() > era {
		n = n.past.Load()
	}
	return n
}

// Last reports whether no listing reads, or will read, a version before a node
// that has taken its place.
func Last[V any](h *History, n *Node[V]) bool { return h.Settle(n.At) <= h.oldest.Load() }

// Took settles a node that has just taken the place of its past, and lets go of
// the versions that no listing reads any more: those before the last one of an
// era that is not later than the oldest listing, and, if the past is of the same
// era, the past.
func Took[V any](h *History, n *Node[V]) {
	era := h.Settle(n.At)
	oldest := h.oldest.Load() // after settling: see List
	if past := n.past.Load(); past != nil && past.At.era.Load() == era {
		n.past.Store(past.past.Load())
	}
	if kept := n.In(oldest); kept != nil {
		kept.past.Store(nil)
	}
}
