package cache

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// Bus carries invalidations between caches that hold copies of the same truth. The cache does not care how: [LocalBus]
// does it within a process; a database with notifications can do it between machines.
//
// An implementation promises:
//   - Publish gives each message a generation, greater than that of every message whose Publish had returned before.
//   - It calls all receivers of its own process before it returns, and those of others as soon as it can.
//   - A receiver may be called by several goroutines at once, out of order, and more than once for one message; but if a
//     message may have been lost on the way, a message with All set comes instead, with a generation no less than it had.
//   - No receiver is called under a lock of the bus: it may publish and subscribe.
type Bus interface {
	// Publish tells all subscribers, the publisher's own cache included, that key is out of date. The error means that
	// some may not have been told.
	Publish(ctx context.Context, key string) (generation uint64, err error)
	// Subscribe has receive called for every message published from now on, until stop is called. Calls under way when
	// stop returns may still end after it.
	Subscribe(receive func(Message)) (stop func(), err error)
}

// Message is an invalidation.
type Message struct {
	Generation uint64
	Key        string
	All        bool // every key is out of date; Key is empty
}

// LocalBus is a [Bus] within one process. Its zero value is ready for use. It starts no goroutine: Publish calls the
// receivers one after the other. It never fails and loses nothing. Publish and Subscribe hold a lock only to copy the
// list of receivers.
type LocalBus struct {
	generation atomic.Uint64
	mu         sync.Mutex
	receivers  []*func(Message) // replaced, never changed, under mu
}

// Publish implements [Bus]. The error is always nil; ctx is not used.
func (b *LocalBus) Publish(_ context.Context, key string) (uint64, error) {
	m := Message{Generation: b.generation.Add(1), Key: key}
	b.mu.Lock()
	receivers := b.receivers
	b.mu.Unlock()
	for _, receive := range receivers {
		(*receive)(m)
	}
	return m.Generation, nil
}

// Subscribe implements [Bus]. The error is always nil.
func (b *LocalBus) Subscribe(receive func(Message)) (stop func(), err error) {
	r := &receive
	b.mu.Lock()
	defer b.mu.Unlock()
	b.receivers = append(slices.Clone(b.receivers), r)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.receivers = slices.DeleteFunc(slices.Clone(b.receivers), func(x *func(Message)) bool { return x == r })
	}, nil
}
