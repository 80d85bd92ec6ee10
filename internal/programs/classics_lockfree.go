package programs

import (
	"slices"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/explore"
)

func lockFree() []Classic {
	return []Classic{
		classic("ABA in a Treiber stack", explore.KindCheck,
			"a pop swaps in a successor that is out of date, because the same slot is back on top",
			"the head carries a version that every change counts up",
			func(t *explore.T) { useSlots(t, newFreeList(0)) },
			func(t *explore.T) { useSlots(t, newFreeList(1)) }),
		classic("CAS without a retry", explore.KindCheck,
			"an update is lost when its compare-and-swap fails",
			"the twin tries again until it succeeds",
			func(t *explore.T) {
				addTwice(t, func(n *atomic.Int64) { v := n.Load(); n.CompareAndSwap(v, v+1) })
			},
			func(t *explore.T) {
				addTwice(t, func(n *atomic.Int64) {
					for v := n.Load(); !n.CompareAndSwap(v, v+1); v = n.Load() {
					}
				})
			}),
		classic("test, then set", explore.KindCheck,
			"a lock is tested by one operation and taken by the next",
			"one compare-and-swap does both",
			func(t *explore.T) {
				takeOnce(t, func(held *atomic.Bool) bool {
					if held.Load() {
						return false
					}
					held.Store(true)
					return true
				})
			},
			func(t *explore.T) {
				takeOnce(t, func(held *atomic.Bool) bool { return held.CompareAndSwap(false, true) })
			}),
		classic("flag before value", explore.KindCheck,
			"the flag that says a value is there is set before the value",
			"the value is set first",
			func(t *explore.T) {
				publish(t, func(value *atomic.Int64, ready *atomic.Bool) { ready.Store(true); value.Store(7) })
			},
			func(t *explore.T) {
				publish(t, func(value *atomic.Int64, ready *atomic.Bool) { value.Store(7); ready.Store(true) })
			}),
		classic("reference from zero", explore.KindCheck,
			"a reference is taken after the last one was given back",
			"the count goes up only from what it was, and that is never zero",
			func(t *explore.T) {
				shareFile(t, func(refs *atomic.Int64) bool {
					if refs.Load() == 0 {
						return false
					}
					refs.Add(1)
					return true
				})
			},
			func(t *explore.T) {
				shareFile(t, func(refs *atomic.Int64) bool {
					for n := refs.Load(); n > 0; n = refs.Load() {
						if refs.CompareAndSwap(n, n+1) {
							return true
						}
					}
					return false
				})
			}),
		classic("torn pair", explore.KindCheck,
			"two words are read one after the other while a writer changes both",
			"the reader takes them only if a sequence number was even and is unchanged",
			func(t *explore.T) {
				readPair(t, func(p *pair) (a, b int64, ok bool) { return p.a.Load(), p.b.Load(), true })
			},
			func(t *explore.T) { readPair(t, (*pair).read) }),
		classic("last item of a work-stealing deque", explore.KindCheck,
			"the owner pops the last item without a compare-and-swap, and a thief takes it too",
			"owner and thief settle the last item by a compare-and-swap on the top",
			func(t *explore.T) { steal(t, (*deque).popUnchecked) },
			func(t *explore.T) { steal(t, (*deque).pop) }),
		classic("two producers on a ring for one", explore.KindCheck,
			"two producers fill the same place of a ring made for a single one",
			"a producer claims its place by an atomic addition",
			func(t *explore.T) {
				produceTwice(t, func(r *ring, v int64) {
					i := r.tail.Load()
					r.items[i].Store(v)
					r.tail.Store(i + 1)
				})
			},
			func(t *explore.T) {
				produceTwice(t, func(r *ring, v int64) { r.items[r.tail.Add(1)-1].Store(v) })
			}),
	}
}

// A freeList is a Treiber stack of the slots 1 to 3; 0 is none.
type freeList struct {
	head atomic.Int64 // version<<8 | slot
	next [4]atomic.Int64
	step int64 // what each change adds to the version
}

func newFreeList(step int64) *freeList {
	l := &freeList{step: step}
	l.put(2)
	l.put(1)
	return l
}

func (l *freeList) get() int64 {
	for {
		head := l.head.Load()
		slot := head & 0xff
		if slot == 0 {
			return 0
		}
		if l.head.CompareAndSwap(head, l.above(head, l.next[slot].Load())) {
			return slot
		}
	}
}

func (l *freeList) put(slot int64) {
	for {
		head := l.head.Load()
		l.next[slot].Store(head & 0xff)
		if l.head.CompareAndSwap(head, l.above(head, slot)) {
			return
		}
	}
}

// above returns the head after head, with slot on top.
func (l *freeList) above(head, slot int64) int64 { return (head>>8+l.step)<<8 | slot }

// useSlots checks that no two goroutines hold the same slot.
func useSlots(t *explore.T, l *freeList) {
	var one, other int64
	t.Go("takes one", func() { one = l.get() })
	t.Go("takes two, returns one", func() {
		returned := l.get()
		other = l.get()
		if returned != 0 {
			l.put(returned)
		}
	})
	t.Wait()
	kept := []int64{one, other, l.get(), l.get()}
	kept = slices.DeleteFunc(kept, func(slot int64) bool { return slot == 0 })
	slices.Sort(kept)
	if len(slices.Compact(slices.Clone(kept))) != len(kept) {
		t.Errorf("a slot is in use twice: %v", kept)
	}
}

func addTwice(t *explore.T, add func(*atomic.Int64)) {
	var n atomic.Int64
	t.Go("one", func() { add(&n) })
	t.Go("two", func() { add(&n) })
	t.Wait()
	if n.Load() != 2 {
		t.Errorf("n is %d, want 2", n.Load())
	}
}

func takeOnce(t *explore.T, take func(*atomic.Bool) bool) {
	var held atomic.Bool
	var one, two bool
	t.Go("one", func() { one = take(&held) })
	t.Go("two", func() { two = take(&held) })
	t.Wait()
	if one == two {
		t.Errorf("taken by one %v, by two %v, want by exactly one of them", one, two)
	}
}

func publish(t *explore.T, set func(value *atomic.Int64, ready *atomic.Bool)) {
	var value atomic.Int64
	var ready atomic.Bool
	t.Go("writer", func() { set(&value, &ready) })
	t.Go("reader", func() {
		if ready.Load() && value.Load() != 7 {
			t.Errorf("ready, but the value is %d, want 7", value.Load())
		}
	})
	t.Wait()
}

// shareFile has two goroutines share a file that the last one closes.
func shareFile(t *explore.T, acquire func(refs *atomic.Int64) bool) {
	var refs atomic.Int64
	var closed atomic.Bool
	refs.Store(1)
	release := func() {
		if refs.Add(-1) == 0 {
			closed.Store(true)
		}
	}
	t.Go("owner", release)
	t.Go("borrower", func() {
		if acquire(&refs) {
			if closed.Load() {
				t.Errorf("borrowed a closed file")
			}
			release()
		}
	})
	t.Wait()
}

// A pair has two words that are equal between changes.
type pair struct{ seq, a, b atomic.Int64 }

func (p *pair) write(v int64) {
	p.seq.Add(1)
	p.a.Store(v)
	p.b.Store(v)
	p.seq.Add(1)
}

// read tries at most twice, so that it ends.
func (p *pair) read() (a, b int64, ok bool) {
	for range 2 {
		before := p.seq.Load()
		a, b = p.a.Load(), p.b.Load()
		if before%2 == 0 && p.seq.Load() == before {
			return a, b, true
		}
	}
	return 0, 0, false
}

func readPair(t *explore.T, read func(*pair) (a, b int64, ok bool)) {
	var p pair
	t.Go("writer", func() { p.write(1) })
	t.Go("reader", func() {
		if a, b, ok := read(&p); ok && a != b {
			t.Errorf("read %d and %d, want a pair", a, b)
		}
	})
	t.Wait()
}

// A deque is that of Chase and Lev, filled once: its owner takes items from the
// bottom, other goroutines from the top.
type deque struct {
	top, bottom atomic.Int64
	items       [2]int
}

func (d *deque) popUnchecked() (item int, ok bool) {
	b := d.bottom.Add(-1)
	if d.top.Load() <= b {
		return d.items[b], true
	}
	d.bottom.Store(b + 1)
	return 0, false
}

func (d *deque) pop() (item int, ok bool) {
	b := d.bottom.Add(-1)
	switch t := d.top.Load(); {
	case t < b:
		return d.items[b], true
	case t == b:
		ok = d.top.CompareAndSwap(t, t+1)
		d.bottom.Store(b + 1)
		return d.items[b], ok
	}
	d.bottom.Store(b + 1)
	return 0, false
}

func (d *deque) steal() (item int, ok bool) {
	t := d.top.Load()
	if t >= d.bottom.Load() {
		return 0, false
	}
	item = d.items[t]
	return item, d.top.CompareAndSwap(t, t+1)
}

func steal(t *explore.T, pop func(*deque) (int, bool)) {
	d := &deque{items: [2]int{1, 2}}
	d.bottom.Store(2)
	var owned, stolen []int
	drain := func(taken *[]int, take func() (int, bool)) func() {
		return func() {
			for range 2 {
				if item, ok := take(); ok {
					*taken = append(*taken, item)
				}
			}
		}
	}
	t.Go("owner", drain(&owned, func() (int, bool) { return pop(d) }))
	t.Go("thief", drain(&stolen, d.steal))
	t.Wait()
	for _, item := range owned {
		if slices.Contains(stolen, item) {
			t.Errorf("item %d was taken twice: owner %v, thief %v", item, owned, stolen)
		}
	}
}

// A ring has a single producer and is never full here.
type ring struct {
	tail  atomic.Int64
	items [2]atomic.Int64
}

func produceTwice(t *explore.T, put func(*ring, int64)) {
	var r ring
	t.Go("produces 1", func() { put(&r, 1) })
	t.Go("produces 2", func() { put(&r, 2) })
	t.Wait()
	if a, b := r.items[0].Load(), r.items[1].Load(); a+b != 3 {
		t.Errorf("the ring holds %d and %d, want 1 and 2", a, b)
	}
}
