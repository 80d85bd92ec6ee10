// Package history keeps old versions of values in memory for as long as a listing may read them. It
// knows nothing about the values.
package history

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// History orders the versions of all keys into eras, so that a listing can read the state of one
// era while writers go on. It is safe for concurrent use, and must not be copied.
//
// The value of a key is a chain of nodes, the newest first, each with the era in which it was
// published. Only a listing starts a new era, so writers contend for nothing but their key: a write
// is one compare-and-swap of the key's own entry, and then setting the era in the new node. A
// listing takes the newest node of each key whose era is not after its own. This is how versioned
// compare-and-swap objects take snapshots (Wei, Ben-David, Blelloch, Fatourou, Ruppert and Sun,
// PPoPP 2021).
//
// A node that was published and has no era yet may or may not belong to the newest state. Any
// goroutine that finds it settles that by setting its era, so no reader waits for the writer. Every
// reader of a node does so before it uses the value, and every writer before it replaces the node.
type History struct {
	era atomic.Uint64 // the current one; the first is 1

	mu       sync.Mutex
	listings []uint64      // the eras that are being read, ascending; guarded by mu
	oldest   atomic.Uint64 // listings[0], or MaxUint64 without listings; changed under mu
}

// New returns a history in its first era.
func New() *History {
	h := new(History)
	h.era.Store(1)
	h.oldest.Store(math.MaxUint64)
	return h
}

// Moment is the era in which a node was published; 0 until it is settled.
type Moment struct{ era atomic.Uint64 }

// Known reports whether m has been settled.
func (m *Moment) Known() bool { return m.era.Load() != 0 }

// Settle sets the era of a published node, unless it is set, and returns it.
func (h *History) Settle(m *Moment) uint64 {
	if era := m.era.Load(); era != 0 {
		return era
	}
	m.era.CompareAndSwap(0, h.era.Load())
	return m.era.Load()
}

// List ends the current era and returns it. The state at its end can be read until done is called.
func (h *History) List() (era uint64, done func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	era = h.era.Load()
	h.listings = append(h.listings, era)
	h.oldest.Store(h.listings[0])
	// The era changes last: a writer that loads oldest before this listing is stored has settled
	// its node first, in an era that is not after this one.
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

// A Node is one version of a key's value. After it is published, only its past and its moment
// change.
type Node[V any] struct {
	Value V
	At    *Moment                 // set before the node is published, if it is published together with others
	past  atomic.Pointer[Node[V]] // the previous version, for as long as a listing may read it
	own   Moment                  // At points here unless it was set
}

// NewNode returns a node that is to replace past, or to be the first one if past is nil.
func NewNode[V any](value V, past *Node[V]) *Node[V] {
	n := &Node[V]{Value: value}
	n.At = &n.own
	n.past.Store(past)
	return n
}

// Alone reports whether the node is published by itself.
func (n *Node[V]) Alone() bool { return n.At == &n.own }

// Past returns the previous version, or nil if none is kept.
func (n *Node[V]) Past() *Node[V] { return n.past.Load() }

// In returns the version of an era, or nil if there was none. The node must be published and
// settled.
func (n *Node[V]) In(era uint64) *Node[V] {
	for n != nil && n.At.era.Load() > era {
		n = n.past.Load()
	}
	return n
}

// Last reports whether no listing reads, or will read, a version before the published node n.
func Last[V any](h *History, n *Node[V]) bool { return h.Settle(n.At) <= h.oldest.Load() }

// Took settles a node that has just replaced its past, and drops the versions that no listing reads
// any more: those before the last one of an era that is not later than the oldest listing, and the
// past itself if it is of the same era.
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
