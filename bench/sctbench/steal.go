package sctbench

import (
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// stealing returns the work-stealing queues of CHESS. An owner pushes and takes items at
// one end, and thieves steal at the other. No item may be taken twice.
func stealing() []Program {
	return []Program{
		check("Chess/InterlockedWorkStealQueue", useDeque(1, func() deque { return new(tornTake) }), Published{"1", "1", "1", "24 (14)", "57", "–"}),
		check("Chess/InterlockedWorkStealQueueWithState", useDeque(2, func() deque { return new(lastTake) }), Published{"6", "6", "6", "16 (1)", "154", "14"}),
		check("Chess/StateWorkStealQueue", useDeque(2, func() deque { return new(tornTake) }), Published{"1", "1", "1", "12 (1)", "332", "–"}),
		check("Chess/WorkStealQueue", useDeque(1, func() deque { return new(earlyHead) }), Published{"8", "12", "9", "8", "57", "–"}),
	}
}

// A deque holds numbers. take and steal return -1 if it is empty.
type deque interface {
	push(int)
	take() int
	steal() int
}

// useDeque has an owner and thieves use a deque, and counts how often each item is taken.
func useDeque(thieves int, make func() deque) func(*explore.T) {
	const items = 4
	return func(t *explore.T) {
		q := make()
		var taken [items]atomic.Int32
		took := func(item int) {
			if item >= 0 && taken[item].Add(1) != 1 {
				t.Errorf("item %d was taken twice", item)
			}
		}
		fs := []func(){func() {
			for i := 0; i < items; i += 2 {
				q.push(i)
				q.push(i + 1)
				took(q.take())
			}
			for range items / 2 {
				took(q.take())
			}
		}}
		for range thieves {
			fs = append(fs, func() {
				took(q.steal())
				took(q.steal())
			})
		}
		all(fs...)
	}
}

// slots is the part that the deques share.
type slots struct {
	head, tail atomic.Int32
	items      [8]atomic.Int32
}

func (q *slots) push(item int) {
	at := q.tail.Load()
	q.items[at].Store(int32(item))
	q.tail.Store(at + 1)
}

// steal takes the oldest item by a compare-and-swap.
func (q *slots) steal() int {
	head := q.head.Load()
	if head >= q.tail.Load() {
		return -1
	}
	item := int(q.items[head].Load())
	if !q.head.CompareAndSwap(head, head+1) {
		return -1
	}
	return item
}

// lastTake takes the last item without checking whether a thief has just taken it.
type lastTake struct{ slots }

func (q *lastTake) take() int {
	tail := q.tail.Load() - 1
	q.tail.Store(tail)
	if q.head.Load() > tail {
		q.tail.Store(tail + 1)
		return -1
	}
	return int(q.items[tail].Load())
}

// tornTake checks that there is an item, and moves the end only afterwards.
type tornTake struct{ slots }

func (q *tornTake) take() int {
	tail := q.tail.Load()
	if q.head.Load() >= tail {
		return -1
	}
	item := int(q.items[tail-1].Load())
	q.tail.Store(tail - 1)
	return item
}

// earlyHead has a lock for thieves, and for the owner if they may conflict. But the owner
// reads the thieves' position before it moves its own end.
type earlyHead struct {
	slots
	mu sync.Mutex
}

func (q *earlyHead) steal() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	head := q.head.Load()
	q.head.Store(head + 1)
	if head < q.tail.Load() {
		return int(q.items[head].Load())
	}
	q.head.Store(head)
	return -1
}

func (q *earlyHead) take() int {
	head, tail := q.head.Load(), q.tail.Load()-1
	q.tail.Store(tail)
	if head <= tail {
		return int(q.items[tail].Load())
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.head.Load() <= tail {
		return int(q.items[tail].Load())
	}
	q.tail.Store(tail + 1)
	return -1
}
