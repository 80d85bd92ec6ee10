package hunted

import (
	"sync"
	"sync/atomic"
	"testing"
)

// A feed counts what finds no room, without its lock.
type feed struct {
	mu      sync.Mutex
	items   []int
	dropped int
}

func (f *feed) offer(item int) {
	f.mu.Lock()
	full := len(f.items) >= 2
	if !full {
		f.items = append(f.items, item)
	}
	f.mu.Unlock()
	if full {
		f.dropped++
	}
}

func (f *feed) drain() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.items = f.items[:0]
}

func TestFeed(t *testing.T) {
	var f feed
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			f.offer(i)
			f.drain()
			f.offer(i)
			f.drain()
		})
	}
	wg.Go(func() {
		f.offer(7)
		f.offer(8)
		f.drain()
	})
	busy(&wg)
	wg.Wait()
}

// A lazy value is made anew when it is asked for after a reset, which does not wait for
// those who have come by it.
type lazy struct {
	mu    sync.Mutex
	ready atomic.Bool
	value int
}

func (l *lazy) get() int {
	if l.ready.Load() {
		return l.value
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ready.Load() {
		l.value++
		l.ready.Store(true)
	}
	return l.value
}

func (l *lazy) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ready.Store(false)
}

func TestReset(t *testing.T) {
	var l lazy
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { l.get() })
	}
	wg.Go(l.reset)
	busy(&wg)
	wg.Wait()
}

// A buffer belongs to who has it marked as his. A flush that comes too late flushes what
// belongs to another one by then.
type buffer struct {
	owner atomic.Int32
	bytes int
}

func (b *buffer) write(me int32) {
	if !b.owner.CompareAndSwap(0, me) {
		return
	}
	b.bytes++
	b.owner.Store(0)
}

func (b *buffer) flush(me int32) {
	if b.owner.Load() != 0 || !b.owner.CompareAndSwap(0, me) {
		return
	}
	b.bytes = 0
	b.owner.Store(0)
	if b.owner.Load() == 0 {
		return
	}
	b.bytes = 0
}

func TestBuffer(t *testing.T) {
	var b buffer
	var wg sync.WaitGroup
	wg.Go(func() { b.write(1); b.write(1) })
	wg.Go(func() { b.write(2); b.write(2) })
	wg.Go(func() { b.flush(3) })
	busy(&wg)
	wg.Wait()
}

// A node follows the other's term, and forgets the lock where it has lost.
type node struct {
	mu    sync.Mutex
	term  int
	votes int
}

func (n *node) vote(term int) {
	n.mu.Lock()
	if n.term == term-2 && n.votes == 2 {
		n.mu.Unlock()
		n.votes = 0
		n.mu.Lock()
	}
	n.term = max(n.term, term)
	n.votes++
	n.mu.Unlock()
}

func TestTerms(t *testing.T) {
	n := &node{term: 1}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { n.vote(2 + i) })
	}
	busy(&wg)
	wg.Wait()
}

// A table of routes is replaced, and the old one used again once nobody reads it; but who
// reads it counts himself too late.
type routes struct{ to int }

type router struct {
	table   atomic.Pointer[routes]
	readers atomic.Int32
}

func (r *router) route() int {
	table := r.table.Load()
	r.readers.Add(1)
	defer r.readers.Add(-1)
	return table.to
}

func (r *router) replace(with *routes) {
	old := r.table.Swap(with)
	if r.readers.Load() == 0 {
		old.to = 0
	}
}

func TestRoutes(t *testing.T) {
	var r router
	r.table.Store(&routes{to: 1})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { r.route(); r.route() })
	}
	wg.Go(func() { r.replace(&routes{to: 2}) })
	busy(&wg)
	wg.Wait()
}

// A log is written by who has it, and turned over by who finds it full.
type journal struct {
	mu      sync.Mutex
	entries int
	turning atomic.Bool
	size    int
}

func (j *journal) write() {
	j.mu.Lock()
	j.entries++
	full := j.entries >= 3
	j.mu.Unlock()
	if full && j.turning.CompareAndSwap(false, true) {
		j.size += j.entries
		j.mu.Lock()
		j.entries = 0
		j.mu.Unlock()
		j.turning.Store(false)
	}
}

func TestJournal(t *testing.T) {
	var j journal
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { j.write(); j.write() })
	}
	busy(&wg)
	wg.Wait()
}
