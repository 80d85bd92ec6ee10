package engine

import (
	"sync"
	"sync/atomic"
)

// Bell wakes those who listen to it. Its zero value is ready for use. It is safe for
// any number of goroutines, and must not be copied. To ring while nobody listens is to
// look at one number.
type Bell struct {
	listening atomic.Int64
	mu        sync.Mutex
	ears      map[Ear]struct{} // guarded by mu
}

// Ear hears that a bell has rung, once or several times, since it was last asked.
type Ear chan struct{}

// Wake has an ear hear something.
func (e Ear) Wake() {
	select {
	case e <- struct{}{}:
	default: // it is about to be asked
	}
}

// Listen returns an ear that hears each ring from now on, until stop is called. What
// happened before a ring that is not heard is seen by whoever looks after Listen has
// returned.
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

// Ring wakes all who listen.
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
