package engine

import (
	"sync"
	"sync/atomic"
)

// Bell wakes its listeners. Its zero value is ready for use. It is safe for concurrent use, and
// must not be copied. Ringing without listeners costs one atomic load.
type Bell struct {
	listening atomic.Int64
	mu        sync.Mutex
	ears      map[Ear]struct{} // guarded by mu
}

// Ear receives a value if its bell has rung, once or several times, since the last receive.
type Ear chan struct{}

// Wake signals an ear.
func (e Ear) Wake() {
	select {
	case e <- struct{}{}:
	default: // a signal is pending already
	}
}

// Listen returns an ear that hears each ring from now on, until stop is called. A change whose ring
// came before Listen is visible to a listener that reads after Listen has returned.
func (b *Bell) Listen() (ear Ear, stop func()) {
	ear = make(Ear, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ears == nil {
		b.ears = make(map[Ear]struct{})
	}
	b.ears[ear] = struct{}{}
	b.listening.Add(1)
	return ear, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.ears, ear)
		b.listening.Add(-1)
	}
}

// Ring wakes all listeners.
func (b *Bell) Ring() {
	if b.listening.Load() == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for ear := range b.ears {
		ear.Wake()
	}
}
