package programs

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

func conditions() []Classic {
	return []Classic{
		classic("bounded queue with one condition", explore.KindDeadlock,
			"producers and consumers wait on one condition variable, and Signal wakes one of the wrong sort",
			"there are two: not empty and not full",
			func(t *explore.T) {
				q := &boundedQueue{}
				q.notEmpty = sync.NewCond(&q.mu)
				q.notFull = q.notEmpty
				passOn(t, q)
			},
			func(t *explore.T) {
				q := &boundedQueue{}
				q.notEmpty, q.notFull = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
				passOn(t, q)
			}),
		classic("lost wake-up", explore.KindDeadlock,
			"the gate opens between a look at it and the wait, so the wake-up comes too early",
			"the gate is looked at and opened under the condition's lock",
			func(t *explore.T) {
				g := newGate()
				passGate(t, g.waitUnlocked, g.openUnlocked)
			},
			func(t *explore.T) {
				g := newGate()
				passGate(t, g.wait, g.open)
			}),
		classic("barrier used twice", explore.KindDeadlock,
			"a fast goroutine enters the next round before a slow one has seen the end of this one",
			"each round has a number, and its end is that the number changes",
			func(t *explore.T) { meetTwice(t, (*barrier).awaitCount) },
			func(t *explore.T) { meetTwice(t, (*barrier).awaitRound) }),
		classic("dropped notification", explore.KindDeadlock,
			"a non-blocking send on a channel without a buffer finds nobody waiting yet",
			"the channel has a buffer of one, which keeps the notification",
			func(t *explore.T) { deliver(t, make(chan struct{})) },
			func(t *explore.T) { deliver(t, make(chan struct{}, 1)) }),
	}
}

// A boundedQueue holds at most one item.
type boundedQueue struct {
	mu                sync.Mutex
	notEmpty, notFull *sync.Cond
	item              int // 0 is none
}

func (q *boundedQueue) put(item int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.item != 0 {
		q.notFull.Wait()
	}
	q.item = item
	q.notEmpty.Signal()
}

func (q *boundedQueue) get() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.item == 0 {
		q.notEmpty.Wait()
	}
	item := q.item
	q.item = 0
	q.notFull.Signal()
	return item
}

func passOn(t *explore.T, q *boundedQueue) {
	var got [2]int
	t.Go("producer", func() { q.put(1); q.put(2) })
	for i := range got {
		t.Go(fmt.Sprint("consumer ", i), func() { got[i] = q.get() })
	}
	t.Wait()
	if got[0]+got[1] != 3 {
		t.Errorf("got %v, want 1 and 2", got)
	}
}

type gate struct {
	mu      sync.Mutex
	changed *sync.Cond
	isOpen  atomic.Bool
}

func newGate() *gate {
	g := &gate{}
	g.changed = sync.NewCond(&g.mu)
	return g
}

func (g *gate) openUnlocked() {
	g.isOpen.Store(true)
	g.changed.Broadcast()
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.openUnlocked()
}

func (g *gate) waitUnlocked() {
	if g.isOpen.Load() {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.changed.Wait()
}

func (g *gate) wait() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.isOpen.Load() {
		g.changed.Wait()
	}
}

func passGate(t *explore.T, wait, open func()) {
	t.Go("waits", wait)
	t.Go("opens", open)
	t.Wait()
}

// A barrier lets two goroutines continue when both have arrived.
type barrier struct {
	mu      sync.Mutex
	changed sync.Cond
	waiting int
	round   int
}

func (b *barrier) awaitCount() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting++; b.waiting == 2 {
		b.waiting = 0
		b.changed.Broadcast()
		return
	}
	for b.waiting != 0 {
		b.changed.Wait()
	}
}

func (b *barrier) awaitRound() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting++; b.waiting == 2 {
		b.waiting = 0
		b.round++
		b.changed.Broadcast()
		return
	}
	for round := b.round; b.round == round; {
		b.changed.Wait()
	}
}

func meetTwice(t *explore.T, await func(*barrier)) {
	b := &barrier{}
	b.changed.L = &b.mu
	for _, name := range []string{"one", "two"} {
		t.Go(name, func() {
			await(b)
			await(b)
		})
	}
	t.Wait()
}

func deliver(t *explore.T, wake chan struct{}) {
	var mu sync.Mutex
	var letters []string
	collect := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return letters
	}
	t.Go("sender", func() {
		mu.Lock()
		letters = append(letters, "hello")
		mu.Unlock()
		select {
		case wake <- struct{}{}:
		default:
		}
	})
	t.Go("receiver", func() {
		for len(collect()) == 0 {
			<-wake
		}
	})
	t.Wait()
}
