package cache

import (
	"context"
	"fmt"
	"time"
)

// A creator's context is its flight. It has the values of the caller that creates, and an end of its own: whatever decides
// the creation ends it. Making such an end costs more than a quick creation, so it is made for the first who asks. Those
// who wait for a creator on a goroutine of its own do not ask for it.

// scope is a context that ends with a flight.
type scope struct {
	context.Context
	end context.CancelCauseFunc
}

// scoped returns the flight's scope.
//
// Whoever makes the scope looks whether the creation is over after it has published the scope, and whoever ends the
// creation looks for a scope after it has changed that: one of them sees the other.
func (f *flight[K, V]) scoped() *scope {
	if s := f.scope.Load(); s != nil {
		return s
	}
	s := new(scope)
	s.Context, s.end = context.WithCancelCause(context.Background())
	if !f.scope.CompareAndSwap(nil, s) {
		s.end(nil) // nobody has seen it
		return f.scope.Load()
	}
	if f.over() {
		f.end()
	}
	return s
}

func (f *flight[K, V]) decided() bool { return phase(f.entry.state.Load()) != phasePending }

// over reports whether waiters may go on. A value is published before it is entered in the order, and an error that is
// remembered before it is listed: who has waited for it must find both done, or the value that GetOrCreate has returned
// could not be swept yet.
func (f *flight[K, V]) over() bool {
	switch phase(f.entry.state.Load()) {
	case phasePending:
		return false
	case phaseReady, phaseRemembered:
		return f.entry.flight.Load() == nil
	}
	return true
}

// decision is closed when the waiters may go on.
func (f *flight[K, V]) decision() <-chan struct{} {
	if f.waiters != nil {
		return f.waiters
	}
	return f.Done()
}

// end wakes the waiters and ends the scope, if there is one, for the reason that decided the entry, and that of the batch
// after its last one.
func (f *flight[K, V]) end() {
	if f.waiters != nil && !f.woken.Swap(true) {
		close(f.waiters)
	}
	if s := f.scope.Load(); s != nil {
		s.end(f.cause())
	}
	if f.batch != nil {
		f.batch.land()
	}
}

// cause says what decided the entry, as the cause with which contexts end.
func (f *flight[K, V]) cause() error {
	switch phase(f.entry.state.Load()) {
	case phaseSuperseded:
		return ErrSuperseded
	case phaseAbandoned:
		return ErrAbandoned
	case phaseClosed:
		return ErrClosed
	}
	return errFinished
}

// Deadline implements context.Context: a creation has none.
func (f *flight[K, V]) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Done implements context.Context.
func (f *flight[K, V]) Done() <-chan struct{} { return f.scoped().Done() }

// Err implements context.Context.
func (f *flight[K, V]) Err() error {
	if !f.decided() {
		return nil
	}
	return f.scoped().Err()
}

// Value implements context.Context. It answers from the scope first: the context package finds its own cancellation
// there and must not find the caller's.
func (f *flight[K, V]) Value(key any) any {
	if key == (flightKey{}) {
		return node(f)
	}
	if v := f.scoped().Value(key); v != nil {
		return v
	}
	return f.values.Value(key)
}

// String names the context; printed without it, its fields would be read while they change.
func (f *flight[K, V]) String() string { return fmt.Sprintf("cache.creation(%v)", f.entry.key) }
