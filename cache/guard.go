package cache

import "runtime/debug"

// guarded calls f, which is the user's, and turns a panic or a runtime.Goexit in it into a *PanicError.
//
// The result goes to done and not back to the caller, because there is no caller left to return to after a Goexit:
// deferred calls still run, but the goroutine ends behind them. done therefore runs exactly once in every case and must
// leave nothing to do for the code behind guarded.
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

// caught describes why a function did not return: r is what recover gave, nil only after a Goexit.
func caught(r any) error {
	return &PanicError{Value: r, Goexit: r == nil, Stack: debug.Stack()}
}
