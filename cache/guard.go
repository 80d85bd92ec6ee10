package cache

import "runtime/debug"

// guarded calls f, which is user code, and turns a panic or a runtime.Goexit in it into a *PanicError.
//
// The result goes to done rather than back to the caller, because after a Goexit there is no caller to return to:
// deferred calls still run, but then the goroutine ends. So done runs exactly once in every case, and no code behind
// the call of guarded may be needed.
func guarded(f func() error, done func(error)) {
	returned := false
	var err error
	defer func() {
		if !returned {
			err = caught(recover())
		}
		done(err)
	}()
	err = f()
	returned = true
}

// caught returns the error for a function that did not return: r is the result of recover, nil only after a Goexit.
func caught(r any) error {
	return &PanicError{Value: r, Goexit: r == nil, Stack: debug.Stack()}
}
