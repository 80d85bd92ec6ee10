package cache

import (
	"context"
	"fmt"
	"time"
)

// A creator's context is its flight. It has the values of the caller that creates, and its own end: whatever decides the
// creation ends it. Making a cancellable context costs more than a quick creation, so the scope is made on first use.
// Waiters for a creator with a goroutine of its own wait on flight.waiters and need no scope.

// scope is a context that ends with a flight.
type scope struct {
	context.Context
	end context.CancelCauseFunc
}

// scoped returns the flight's scope.
//
// The maker of the scope checks whether the creation is over after it has published the scope, and whoever ends the
// creation looks for a scope after it has decided it: one of them sees the other.
func (f *flight[K, V]) scoped() *scope {
	if s := f.scope.Load(); s != nil {
		return s
	}
	s := new(scope)
	s.Context, s.end = context.WithCancelCause(context.Background())
	if !f.scope.CompareAndSwap(nil, s) {
		s.end(nil) // no other goroutine has seen this scope
		return f.scope.Load()
	}
	if f.over() {
		f.end()
	}
	return s
}

func (f *flight[K, V]) decided() bool { return phase(f.entry.state.Load()) != phasePending }

// over reports whether the waiters may continue. A value is published before order.add, and an error is remembered
// before failures.add. A waiter must find that step done too; otherwise a Sweep right after GetOrCreate could miss the
// value it returned.
func (f *flight[K, V]) over() bool {
	switch phase(f.entry.state.Load()) {
	case phasePending:
		return false
	case phaseReady, phaseRemembered:
		return f.entry.flight.Load() == nil
	}
	return true
}

// decision returns a channel that is closed when the waiters may continue.
func (f *flight[K, V]) decision() <-chan struct{} {
	if f.waiters != nil {
		return f.waiters
	}
	return f.Done()
}

// end wakes the waiters and ends the scope, if there is one, with the cause that decided the entry. The last flight of a
// batch ends the batch's context.
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

// cause returns the error for context.Cause that corresponds to the entry's phase.
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

// Deadline implements context.Context. A creation has no deadline.
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

// Value implements context.Context. It asks the scope first: the context package must find the scope's own
// cancellation there, not the caller's.
func (f *flight[K, V]) Value(key any) any {
	if key == (flightKey{}) {
		return node(f)
	}
	if v := f.scoped().Value(key); v != nil {
		return v
	}
	return f.values.Value(key)
}

// String names the context. Without it, fmt would print the fields, which other goroutines change.
func (f *flight[K, V]) String() string { return fmt.Sprintf("cache.creation(%v)", f.entry.key) }
