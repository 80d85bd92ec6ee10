package cache

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// Bus carries invalidations between caches that hold copies of the same data. The cache does not care how: [LocalBus]
// does it within a process; a database with notifications can do it between machines.
//
// An implementation guarantees:
//   - Publish gives each message a generation greater than that of every message whose Publish had returned before.
//   - Publish calls all receivers of its own process before it returns, and those of other processes as soon as it can.
//   - A receiver may be called by several goroutines at once, out of order, and more than once for one message. For a message
//     that may have been lost, one with All set arrives instead, with a generation no less than that of the lost one.
//   - No receiver is called under a lock of the bus, so a receiver may publish and subscribe.
type Bus interface {
	// Publish tells all subscribers, including the publisher's own cache, that key is out of date. An error means that
	// some of them may not have been told.
	Publish(ctx context.Context, key string) (generation uint64, err error)
	// Subscribe arranges that receive is called for every message published from now on, until stop is called. Calls
	// that are under way when stop returns may end later.
	Subscribe(receive func(Message)) (stop func(), err error)
}

// Message is an invalidation.
type Message struct {
	Generation uint64
	Key        string
	All        bool // every key is out of date; Key is empty
}

// LocalBus is a [Bus] within one process. Its zero value is ready for use. It starts no goroutine: Publish calls the
// receivers one after the other, all of them even if one panics or ends the goroutine. It never fails and loses nothing.
// Publish and Subscribe hold a lock only to copy the list of receivers.
type LocalBus struct {
	generation atomic.Uint64
	mu         sync.Mutex
	receivers  []*func(Message) // copied on write, under mu; the slice itself is never changed
}

// Publish implements [Bus]. The error is always nil; ctx is not used.
func (b *LocalBus) Publish(_ context.Context, key string) (uint64, error) {
	m := Message{Generation: b.generation.Add(1), Key: key}
	b.mu.Lock()
	receivers := b.receivers
	b.mu.Unlock()
	each(receivers, func(receive *func(Message)) { (*receive)(m) })
	return m.Generation, nil
}

// Subscribe implements [Bus]. It refuses a nil receive; otherwise the error is nil.
func (b *LocalBus) Subscribe(receive func(Message)) (stop func(), err error) {
	if receive == nil {
		return nil, errors.New("cache: Subscribe: got no receiver, want a function")
	}
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
