package events

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Log holds the events of a store in memory: at least the last [Most] numbered ones, and those that
// are not numbered yet. Its zero value is ready for use. It is safe for concurrent use, and must
// not be copied.
//
// A goroutine that changes a plan never waits: it adds its event to fresh with one
// compare-and-swap. Readers number the events that they find. Without readers, the writer whose
// event fills a block numbers them, unless another goroutine holds the lock. The events of one plan
// are numbered in the order of its versions although they may be added in any order: each node
// links to the one before, which is numbered with it.
type Log struct {
	fresh atomic.Pointer[Node] // added and not yet numbered, the newest first

	mu     sync.Mutex
	blocks []block // numbered events; all blocks but the last are full; guarded by mu, as are the next three
	places places
	begin  Cursor // of the last event before the blocks
	pruned Cursor // of the last event that is no longer available, in the first block or before it
	last   Cursor
}

// Most is how many of the last events are kept at least, unless they are pruned. Older ones are
// dropped, so that memory stays bounded for users that never follow events. The documentation of
// package lifecycle names the number.
const Most = mostBlocks * blockSize

const mostBlocks = 1 << 10

// Node is an event of a plan. The store keeps the newest node of each plan with the plan, so a
// change of the plan and its event become visible in one step.
type Node struct {
	event Event

	next     *Node // the node added before; written by Add, and then by the goroutine that has taken it from fresh
	waiting  int   // how many nodes fresh had, including this one; written by Add
	before   *Node // the plan's node before this one; guarded by Log.mu, as is numbered
	numbered bool
}

// NewNode returns the node of an event that follows before, the plan's previous one, or is the
// plan's first if before is nil.
func NewNode(e Event, before *Node) *Node { return &Node{event: e, before: before} }

// Add adds an event that has happened, and with it earlier ones of its plan. It is called once for
// each node.
func (l *Log) Add(n *Node) {
	for {
		n.next, n.waiting = l.fresh.Load(), 1
		if n.next != nil {
			n.waiting += n.next.waiting
		}
		if l.fresh.CompareAndSwap(n.next, n) {
			break
		}
	}
	if n.waiting%blockSize == 0 && l.mu.TryLock() {
		defer l.mu.Unlock()
		l.number()
	}
}

// After implements [Store].
func (l *Log) After(_ context.Context, after Cursor, most int) ([]Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.number()
	if err := after.check(l.pruned, l.last); err != nil {
		return nil, err
	}
	var page []Event
	for c := after + 1; c <= l.last && len(page) < most; c++ {
		page = append(page, l.event(c))
	}
	return page, nil
}

// event returns an event that is kept. The caller holds mu, as for the methods below.
func (l *Log) event(c Cursor) Event {
	i := int(c - l.begin - 1)
	return l.blocks[i/blockSize].event(i%blockSize, c, l.places)
}

// Last implements [Store].
func (l *Log) Last(context.Context) (Cursor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.number()
	return l.last, nil
}

// Prune implements [Store].
func (l *Log) Prune(_ context.Context, before time.Time) (n int, _ error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.number()
	for ; l.pruned < l.last && l.event(l.pruned+1).At.Before(before); n++ {
		l.pruned++
	}
	for l.begin+blockSize <= l.pruned {
		l.drop()
	}
	return n, nil
}

// drop drops the first block, which is full.
func (l *Log) drop() {
	l.blocks = slices.Delete(l.blocks, 0, 1)
	l.begin += blockSize
	l.pruned = max(l.pruned, l.begin)
}

// number numbers the events in fresh.
func (l *Log) number() {
	var found, of []*Node
	for n := l.fresh.Swap(nil); n != nil; {
		found = append(found, n)
		n, n.next = n.next, nil
	}
	for _, n := range slices.Backward(found) {
		of = of[:0]
		for ; n != nil && !n.numbered; n = n.before {
			of = append(of, n)
		}
		for _, n := range slices.Backward(of) {
			l.keep(n.event)
			n.numbered, n.before = true, nil
		}
	}
}

// keep appends an event at the next position.
func (l *Log) keep(e Event) {
	if int(l.last-l.begin) == len(l.blocks)*blockSize {
		l.blocks = append(l.blocks, block{})
	}
	l.blocks[len(l.blocks)-1].add(e, &l.places)
	l.last++
	if len(l.blocks) > mostBlocks+1 { // the last block has just been started
		l.drop()
	}
}
