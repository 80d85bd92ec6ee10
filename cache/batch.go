package cache

import (
	"context"
	"sync/atomic"
)

// batch is one call of a bulk creator. In the wait-for graph (cycle.go) each of its flights waits for the batch, and the
// batch waits for the creations that its creator asks for.
type batch[K comparable, V any] struct {
	cache   *Cache[K, V]
	create  func(context.Context, []K) (map[K]V, error)
	flights []*flight[K, V] // grows until boarded is set; only read after that
	boarded atomic.Bool
	over    atomic.Int64    // how many flights, counted from the first, are known to be over
	err     error           // the creator's; written before any flight is decided by it
	ctx     context.Context // the creator's context
	end     context.CancelCauseFunc
	parent  node // the creation whose creator started the batch, or nil
	asking  asking
}

// batch returns a new, empty batch for the caller that made r.
func (c *Cache[K, V]) batch(r *request[V], create func(context.Context, []K) (map[K]V, error)) *batch[K, V] {
	b := &batch[K, V]{cache: c, create: create, parent: r.asker}
	values := context.WithValue(context.WithoutCancel(r.ctx), flightKey{}, node(b))
	b.ctx, b.end = context.WithCancelCause(values)
	return b
}

// depart starts the creator if the batch has any flight. It must be called once a flight has been added, because Close
// waits for the creations.
func (b *batch[K, V]) depart() {
	b.boarded.Store(true)
	b.land()
	if len(b.flights) == 0 {
		return
	}
	if b.parent != nil {
		b.parent.add(b.flights[0]) // one edge stands for all flights; it cannot close a cycle, because b waits for nothing yet
	}
	go b.run()
}

// arrive removes the edge from the parent to the batch when the caller has stopped waiting.
func (b *batch[K, V]) arrive() {
	if b.parent != nil && len(b.flights) > 0 {
		b.parent.forget(b.flights[0])
	}
}

// run calls the creator, unless its context has ended already, and then decides every flight that is still pending.
func (b *batch[K, V]) run() {
	c := b.cache
	defer c.creations.Add(-len(b.flights))
	defer b.end(errFinished)
	if b.ctx.Err() != nil {
		return
	}
	c.counters.creation()
	var made map[K]V
	var now int64
	guarded(func() (err error) {
		made, err = b.create(b.ctx, b.keys())
		now = c.now()
		return err
	}, func(err error) {
		if b.err = err; err != nil {
			c.counters.failure()
			made = nil
		}
		for _, v := range made {
			c.disposal.hold(c.closerOf(v)) // until discard: another key may have the same object
		}
		defer b.discard(made)
		each(b.flights, func(f *flight[K, V]) {
			v, ok := made[f.entry.key]
			switch {
			case ok:
				c.deliver(f.entry, f, v, now)
			case err != nil:
				c.refuse(f.entry, f, err)
			default:
				c.refuse(f.entry, f, ErrNoValue)
			}
		})
	})
}

func (b *batch[K, V]) keys() []K {
	keys := make([]K, len(b.flights))
	for i, f := range b.flights {
		keys[i] = f.entry.key
	}
	return keys
}

// discard closes the values that the creator returned for keys it was not asked for, and lets go of the others, which are
// closed if no key has them.
func (b *batch[K, V]) discard(made map[K]V) {
	c := b.cache
	asked := make(map[K]bool, len(b.flights))
	for _, f := range b.flights {
		asked[f.entry.key] = true
	}
	var rest []removal[K, V]
	for key, v := range made {
		if !asked[key] || countable(c.closerOf(v)) {
			rest = append(rest, removal[K, V]{item: item[K, V]{value: v}, key: key})
		}
	}
	each(rest, func(r removal[K, V]) {
		if asked[r.key] {
			c.dispose(r.value)
		} else {
			c.discard(r.key, r.value)
		}
	})
}

// land ends the creator's context once every flight is over. Whoever decides a flight calls land afterwards, so
// the last decider sees all the others. A flight that is decided before all are aboard is left to depart.
func (b *batch[K, V]) land() {
	if !b.boarded.Load() {
		return
	}
	for {
		i := b.over.Load()
		if int(i) == len(b.flights) {
			break
		}
		if !b.flights[i].over() {
			return
		}
		b.over.CompareAndSwap(i, i+1)
	}
	if n := len(b.flights); n > 0 {
		b.end(b.flights[n-1].cause())
	}
}

func (b *batch[K, V]) name() (any, bool) { return b.keys(), false }

func (b *batch[K, V]) within(cache any) node {
	if cache == any(b.cache) {
		return b
	}
	if b.parent == nil {
		return nil
	}
	return b.parent.within(cache)
}

func (b *batch[K, V]) add(n node) { b.asking.add(n) }

func (b *batch[K, V]) forget(n node) { b.asking.forget(n) }

func (b *batch[K, V]) edges() []node { return b.asking.list() }
