package events

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Log is the events of a store in memory. Its zero value is ready for use. It is
// safe for any number of goroutines, and must not be copied.
//
// Whoever changes a plan waits for nobody: he puts his event down where readers
// find it, with one compare-and-swap. Readers number what they find. Of one plan
// the events come in the order of its versions though they are put down in any:
// each knows the one before, and brings it along.
type Log struct {
	fresh atomic.Pointer[Node] // those that nobody has numbered, the newest first

	mu     sync.Mutex
	kept   []Event // numbered; guarded by mu, and so is the next
	pruned Cursor  // of the last event that is not kept any more
}

// Node is an event of a plan. The store keeps the newest node of each plan with the
// plan, so it is there in the step that changes the plan, or not at all.
type Node struct {
	event Event

	next     *Node // the one that was put down before; written by Add, and then by who has taken it from fresh
	before   *Node // the one of the same plan before; guarded by Log.mu, and so is the next
	numbered bool
}

// NewNode returns the node of an event that comes behind another one of the same
// plan, or is its first, with nil.
func NewNode(e Event, before *Node) *Node { return &Node{event: e, before: before} }

// Add puts an event down, which has happened, and those before it of the same plan.
// It is called once for a node.
func (l *Log) Add(n *Node) {
	for {
		n.next = l.fresh.Load()
		if l.fresh.CompareAndSwap(n.next, n) {
			return
		}
	}
}

// After implements [Store].
func (l *Log) After(_ context.Context, after Cursor, most int) ([]Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.number()
	if err := after.check(l.pruned, last); err != nil {
		return nil, err
	}
	page := l.kept[after-l.pruned:]
	return slices.Clone(page[:min(most, len(page))]), nil
}

// Last implements [Store].
func (l *Log) Last(context.Context) (Cursor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.number(), nil
}

// Prune implements [Store].
func (l *Log) Prune(_ context.Context, before time.Time) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.number()
	n := slices.IndexFunc(l.kept, func(e Event) bool { return !e.At.Before(before) })
	if n < 0 {
		n = len(l.kept)
	}
	l.kept = slices.Clone(l.kept[n:])
	l.pruned += Cursor(n)
	return n, nil
}

// number numbers what was put down, and returns the last cursor. The caller holds
// mu.
func (l *Log) number() Cursor {
	var found []*Node
	for n := l.fresh.Swap(nil); n != nil; {
		found = append(found, n)
		n, n.next = n.next, nil
	}
	for _, n := range slices.Backward(found) {
		var of []*Node
		for ; n != nil && !n.numbered; n = n.before {
			of = append(of, n)
		}
		for _, n := range slices.Backward(of) {
			n.event.Cursor = l.pruned + Cursor(len(l.kept)) + 1
			l.kept = append(l.kept, n.event)
			n.numbered, n.before = true, nil
		}
	}
	return l.pruned + Cursor(len(l.kept))
}
