package races

import "context"

// T is what a body needs of its runner. The explorer's T has these methods; the stress and the feature runner have their own.
//
// Errorf and Fatalf report a failed assertion, and nothing else: a body reports a failed set-up by returning an error.
// Fatalf also ends the calling goroutine, which must be the body's own. The other methods may be called from any
// goroutine that the body started with Go.
type T interface {
	Helper()
	Logf(format string, args ...any)   // a step in the report, in the column of the calling goroutine
	Errorf(format string, args ...any) // an assertion failed
	Fatalf(format string, args ...any) // an assertion failed, and the body cannot go on
	Context() context.Context          // ends with the execution
	TempDir() string                   // a directory of this execution's own, removed after it
	Cleanup(func())                    // runs after the body, last in first out
	Name() string                      // of the test, for messages
	Go(name string, f func())          // starts a goroutine, named in the report by what it does
	Wait()                             // waits for every goroutine that was started with Go
}
