package cache

import (
	"errors"
	"fmt"
	"strings"
)

// The kinds of failure that the cache itself reports. Compare with [errors.Is].
var (
	// ErrClosed is returned by every call that comes after [Cache.Close], and to every caller that was waiting for a
	// creation when Close came.
	ErrClosed = errors.New("cache: closed")

	// ErrCycle says that a creator asked, directly or through other keys, for the key that it is creating. The error
	// returned is a *[CycleError], which names the keys.
	ErrCycle = errors.New("cache: creation cycle")

	// ErrKey refuses a key that is not equal to itself (a NaN, or a struct or interface that holds one): it could never
	// be found again.
	ErrKey = errors.New("cache: key is not equal to itself")

	// ErrNoCreator is returned for a missing key when the create function is nil.
	ErrNoCreator = errors.New("cache: no create function")

	// ErrNoValue is returned to who waited for a key that the create function of a [Cache.GetOrCreateAll] was called for
	// and left out.
	ErrNoValue = errors.New("cache: no value from the bulk creator")

	// ErrSuperseded is the cause ([context.Cause]) with which a creation's context ends when a Set, Delete or
	// Invalidate of its key took its place. Callers never see it: they look the key up again.
	ErrSuperseded = errors.New("cache: creation superseded")

	// ErrAbandoned is the cause ([context.Cause]) with which a creation's context ends when its last waiter has left.
	ErrAbandoned = errors.New("cache: creation abandoned by its last waiter")

	// ErrFutile says that every creation that a call waited for was superseded, too often for it to go on. That is what
	// comes of a creator that deletes or invalidates the key that it is creating. The error returned is a
	// *[FutileError], which names the key.
	ErrFutile = errors.New("cache: creation superseded again and again")

	// errFinished is the cause with which a creation's context ends when the creator has returned.
	errFinished = errors.New("cache: creation finished")
)

// CycleError is the typed form of [ErrCycle].
type CycleError struct {
	// Keys names the cycle in the order of asking: the first key waits for the second and so on, and the last one is
	// the first again. The keys of a cycle through several caches can be of several types.
	Keys []any
}

// Error names the cycle as "a → b → a".
func (e *CycleError) Error() string {
	names := make([]string, len(e.Keys))
	for i, k := range e.Keys {
		names[i] = fmt.Sprint(k)
	}
	return ErrCycle.Error() + ": " + strings.Join(names, " → ")
}

// Is makes errors.Is(err, ErrCycle) true.
func (e *CycleError) Is(target error) bool { return target == ErrCycle }

// FutileError is the typed form of [ErrFutile].
type FutileError struct {
	Key       any
	Creations int // how many creations of it the call has seen superseded
}

// Error names the key and the likely reason.
func (e *FutileError) Error() string {
	return fmt.Sprintf("%v: %v, %d times; does its creator delete or invalidate it?", ErrFutile, e.Key, e.Creations)
}

// Is makes errors.Is(err, ErrFutile) true.
func (e *FutileError) Is(target error) bool { return target == ErrFutile }

// PanicError is what everyone who waited for a creation gets when the creator panicked or called [runtime.Goexit]. A
// panic in the Close method of a value, or in a removal hook that ran on a creator's goroutine, is reported the same
// way by [Cache.Close].
type PanicError struct {
	// Value is what was given to panic; nil for Goexit.
	Value any
	// Goexit says that the function ended its goroutine instead of panicking.
	Goexit bool
	// Stack is the stack of the goroutine at that moment, as [debug.Stack] formats it.
	Stack []byte
}

// Error says what happened, in one line, followed by the stack.
func (e *PanicError) Error() string {
	if e.Goexit {
		return fmt.Sprintf("cache: function called runtime.Goexit\n\n%s", e.Stack)
	}
	return fmt.Sprintf("cache: function panicked: %v\n\n%s", e.Value, e.Stack)
}

// Unwrap returns the value given to panic if it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
