package programs

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

// Linear returns objects that are linearizable, and objects that are not.
func Linear() []Program {
	const check = explore.KindCheck
	return []Program{
		{"register that loses an update", explore.Violated, check, func(t *explore.T) {
			var n atomic.Int64
			count(t, func(d int64) int64 { v := n.Load(); n.Store(v + d); return v + d })
		}},
		{"register with a stale copy", explore.Violated, check, staleCopy},
		{"register with a stale cache", explore.Violated, check, staleCache},
		{"counter with a mutex", explore.Holds, "", func(t *explore.T) {
			var mu sync.Mutex
			var n int64
			count(t, func(d int64) int64 { mu.Lock(); defer mu.Unlock(); n += d; return n })
		}},
		{"counter without a lock", explore.Holds, "", func(t *explore.T) {
			var n atomic.Int64
			count(t, func(d int64) int64 {
				for {
					if v := n.Load(); n.CompareAndSwap(v, v+d) {
						return v + d
					}
				}
			})
		}},
		{"counter whose read is late", explore.Violated, check, func(t *explore.T) {
			var n atomic.Int64
			count(t, func(d int64) int64 { n.Add(d); return n.Load() })
		}},
		{"queue that takes twice", explore.Violated, check, func(t *explore.T) { queues(t, new(looseQueue)) }},
		{"queue with a lock", explore.Holds, "", func(t *explore.T) { queues(t, new(lockedQueue)) }},
		{"map that forgets", explore.Violated, check, func(t *explore.T) { maps(t, false) }},
		{"map with a lock", explore.Holds, "", func(t *explore.T) { maps(t, true) }},
		{"pending and seen", explore.Holds, "", func(t *explore.T) { pending(t, 1) }},
		{"pending and never called", explore.Violated, check, func(t *explore.T) { pending(t, 2) }},
		{"checked while pending", explore.Holds, "", checkedEarly},
		{"results in memory", explore.Holds, "", results},
		{"racing calls", explore.Violated, explore.KindRace, func(t *explore.T) {
			shared := 0
			explore.Linearizable(t, counting(), func(d int64) int64 { shared += int(d); return int64(shared) }, []int64{1}, []int64{1})
		}},
	}
}

func count(t *explore.T, add func(int64) int64) {
	explore.Linearizable(t, counting(), add, []int64{1, 10}, []int64{100})
}

// staleCopy writes to value and never to replica. The first read loads value, later
// reads load replica.
func staleCopy(t *explore.T) {
	var value, replica, reads atomic.Int64
	explore.Linearizable(t, Register(), func(c RegisterCall) int {
		switch {
		case c != 0:
			value.Store(int64(c))
			return int(c)
		case reads.Add(1) == 1:
			return int(value.Load())
		}
		return int(replica.Load())
	}, []RegisterCall{5}, []RegisterCall{0, 0})
}

// staleCache caches the first read. The second read has no scheduling point
// of its own, so it is wrong only because others can run between two calls.
func staleCache(t *explore.T) {
	var value atomic.Int64
	cached := -1 // thread 2's
	explore.Linearizable(t, Register(), func(c RegisterCall) int {
		switch {
		case c != 0:
			value.Store(int64(c))
			return int(c)
		case cached < 0:
			cached = int(value.Load())
		}
		return cached
	}, []RegisterCall{5}, []RegisterCall{0, 0})
}

type queue interface {
	push(v int)
	pop() int
}

func queues(t *explore.T, q queue) {
	explore.Linearizable(t, Queue(), func(c QueueCall) int {
		if c == 0 {
			return q.pop()
		}
		q.push(int(c))
		return int(c)
	}, []QueueCall{1, 2, 0}, []QueueCall{0})
}

type lockedQueue struct {
	mu    sync.Mutex
	items []int
}

func (q *lockedQueue) push(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, v)
}

func (q *lockedQueue) pop() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return 0
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

// A looseQueue looks at its first item in one step and drops it in another.
type looseQueue struct{ lockedQueue }

func (q *looseQueue) pop() int {
	q.mu.Lock()
	v := 0
	if len(q.items) > 0 {
		v = q.items[0]
	}
	q.mu.Unlock()
	q.lockedQueue.pop()
	return v
}

// maps uses a map that is copied on write, with a lock around the copying or
// without.
func maps(t *explore.T, locked bool) {
	var mu sync.Mutex
	var current atomic.Pointer[map[string]int]
	current.Store(&map[string]int{})
	set := func(c MapCall) {
		if locked {
			mu.Lock()
			defer mu.Unlock()
		}
		next := map[string]int{c.Key: c.Value}
		for k, v := range *current.Load() {
			if k != c.Key {
				next[k] = v
			}
		}
		current.Store(&next)
	}
	explore.Linearizable(t, Keyed(), func(c MapCall) int {
		if c.Value != 0 {
			set(c)
			return c.Value
		}
		return (*current.Load())[c.Key]
	}, []MapCall{{"a", 1}, {"a", 0}}, []MapCall{{"b", 2}})
}

// pending has a thread that ends in the middle of a write. Reads may return the value
// that it was writing, and no other new value.
func pending(t *explore.T, written int64) {
	var n atomic.Int64
	explore.Linearizable(t, Register(), func(c RegisterCall) int {
		if c != 0 {
			n.Store(int64(c) * written)
			runtime.Goexit()
		}
		return int(n.Load())
	}, []RegisterCall{1}, []RegisterCall{0, 0})
}

// Undecided has a model with too few steps.
func Undecided(t *explore.T) {
	var n atomic.Int64
	m := counting()
	m.MaxSteps = 3
	explore.Linearizable(t, m, func(d int64) int64 { return n.Add(d) }, []int64{1, 2}, []int64{3, 4})
}

// PanickingModel has a model that panics.
func PanickingModel(t *explore.T) {
	var n atomic.Int64
	m := counting()
	m.Step = func(int64, int64) (int64, int64) { panic("no such call") }
	explore.Linearizable(t, m, func(d int64) int64 { return n.Add(d) }, []int64{1}, []int64{2})
}

// checkedEarly checks while a write is blocked whose value other calls may already
// have read.
func checkedEarly(t *explore.T) {
	var n atomic.Int64
	release := make(chan struct{})
	h := explore.NewHistory(t, Register())
	t.Go("writer", func() {
		h.Do(3, func(c RegisterCall) int { n.Store(int64(c)); <-release; return int(c) })
	})
	read := func(RegisterCall) int { return int(n.Load()) }
	h.Do(0, read)
	h.Do(0, read)
	h.Check()
	close(release)
	t.Wait()
	h.Do(0, read)
	h.Check()
}

// results returns memory that the calls have written, which the checker reads:
// the checker's reads must not look like races, although it first reads before
// the calls' goroutines have been waited for.
func results(t *explore.T) {
	var mu sync.Mutex
	var items []*int
	h := explore.NewHistory(t, explore.Model[[]int, *int, []*int]{
		Step: func(list []int, v *int) ([]int, []*int) {
			list = append(slices.Clone(list), *v)
			var out []*int
			for i := range list {
				out = append(out, &list[i])
			}
			return list, out
		},
		Agree: func(want, got []*int) bool {
			return slices.EqualFunc(want, got, func(a, b *int) bool { return *a == *b })
		},
		Describe: func(v *int) string { return fmt.Sprintf("Append(%d)", *v) },
	})
	add := func(v *int) []*int {
		mu.Lock()
		defer mu.Unlock()
		items = append(items, v)
		return slices.Clone(items)
	}
	for i := range 2 {
		t.Go(fmt.Sprint("appender ", i), func() {
			v := new(int)
			*v = i + 1
			h.Do(v, add)
		})
	}
	h.Do(new(int), add)
	h.Check()
	t.Wait()
	h.Check()
}
