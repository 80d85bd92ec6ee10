package events

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Log is the events of a store in memory: at least the last [Most] that were numbered, and those
// that wait for that. Its zero value is ready for use. It is safe for any number of
// goroutines, and must not be copied.
//
// Whoever changes a plan waits for nobody: he puts his event down where readers
// find it, with one compare-and-swap. Readers number what they find. If none comes it
// is done by the writer whose event fills a block, unless somebody else is at it. Of
// one plan the events come in the order of its versions though they are put down in
// any: each knows the one before, and brings it along.
type Log struct {
	fresh atomic.Pointer[Node] // those that nobody has numbered, the newest first

	mu     sync.Mutex
	blocks []block // what is numbered; all but the last are full; guarded by mu, and so are the next
	places places
	begin  Cursor // of the last event before the blocks
	pruned Cursor // of the last event that is not kept any more, in the first block or before it
	last   Cursor
}

// Most is how many of the last events are kept at least, if nobody prunes them. Older
// ones go: who has never heard of events does not pay for them for ever. The
// documentation of package lifecycle names the number.
const Most = mostBlocks * blockSize

const mostBlocks = 1 << 10

// Node is an event of a plan. The store keeps the newest node of each plan with the
// plan, so it is there in the step that changes the plan, or not at all.
type Node struct {
	event Event

	next     *Node // the one that was put down before; written by Add, and then by who has taken it from fresh
	waiting  int   // how many there were in fresh with this one; written by Add
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

// event returns one that is kept. The caller holds mu, and so do those of the next.
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

// drop lets go of the first block, which is full.
func (l *Log) drop() {
	l.blocks = slices.Delete(l.blocks, 0, 1)
	l.begin += blockSize
	l.pruned = max(l.pruned, l.begin)
}

// number numbers what was put down.
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

// keep gives an event the next position.
func (l *Log) keep(e Event) {
	if int(l.last-l.begin) == len(l.blocks)*blockSize {
		l.blocks = append(l.blocks, block{})
	}
	l.blocks[len(l.blocks)-1].add(e, &l.places)
	l.last++
	if len(l.blocks) > mostBlocks+1 { // the last has just begun
		l.drop()
	}
}
