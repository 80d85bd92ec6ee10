package cache

import (
	"errors"
	"fmt"
	"strings"
)

// The errors that the cache itself returns. Compare with [errors.Is].
var (
	// ErrClosed is returned by every call that comes after [Cache.Close], and to every caller that was waiting for a
	// creation when Close was called.
	ErrClosed = errors.New("cache: closed")

	// ErrCycle means that a creator asked, directly or through other keys, for the key that it is creating. The
	// error returned is a *[CycleError], which names the keys.
	ErrCycle = errors.New("cache: creation cycle")

	// ErrKey is returned for a key that is not equal to itself (a NaN, or a struct or interface that holds one): a
	// lookup could never find it again.
	ErrKey = errors.New("cache: key is not equal to itself")

	// ErrNoCreator is returned for a missing key when the create function is nil.
	ErrNoCreator = errors.New("cache: no create function")

	// ErrNoValue is returned to callers that waited for a key which the create function of a [Cache.GetOrCreateAll] was
	// asked for and left out of its map.
	ErrNoValue = errors.New("cache: no value from the bulk creator")

	// ErrSuperseded is the cause ([context.Cause]) with which a creation's context ends when a Set, Delete or
	// Invalidate of its key replaced it. Callers never see it: they look the key up again.
	ErrSuperseded = errors.New("cache: creation superseded")

	// ErrAbandoned is the cause ([context.Cause]) with which a creation's context ends when its last waiter has left.
	ErrAbandoned = errors.New("cache: creation abandoned by its last waiter")

	// ErrFutile means that a call gave up because every creation it waited for was superseded. The usual reason is a
	// creator that deletes or invalidates the key that it is creating. The error returned is a *[FutileError], which
	// names the key.
	ErrFutile = errors.New("cache: creation superseded again and again")

	// errFinished is the cause with which a creation's context ends when the creator has returned.
	errFinished = errors.New("cache: creation finished")
)

// CycleError is the typed form of [ErrCycle].
type CycleError struct {
	// Keys is the cycle: each key waits for the next one, and the last key is the first again. The keys of a cycle
	// through several caches can be of several types.
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
	Creations int // how many creations of Key the call saw superseded
}

// Error names the key and the likely reason.
func (e *FutileError) Error() string {
	return fmt.Sprintf("%v: %v, %d times; does its creator delete or invalidate it?", ErrFutile, e.Key, e.Creations)
}

// Is makes errors.Is(err, ErrFutile) true.
func (e *FutileError) Is(target error) bool { return target == ErrFutile }

// PanicError is returned to every caller that waited for a creation whose creator panicked or called
// [runtime.Goexit]. [Cache.Close] reports the same for a panic in the Close method of a value, in a removal hook or
// in a refresh.
type PanicError struct {
	// Value is the value given to panic; nil for Goexit.
	Value any
	// Goexit says that the function ended its goroutine instead of panicking.
	Goexit bool
	// Stack is the stack of the goroutine at the panic or Goexit, as [debug.Stack] formats it.
	Stack []byte
}

// Error returns one line that says what happened, followed by the stack.
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
