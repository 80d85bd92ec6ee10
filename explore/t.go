package explore

import (
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/linear"
)

// A T is a body's handle on its execution. It is a [testing.TB]; its methods
// may be called by any goroutine of the body. They are no scheduling points
// (except [T.Go] and [T.Wait]) and hide no data race: to the race detector
// they do not synchronise anything.
//
// FailNow, Fatal, Fatalf, Skip and SkipNow end the calling goroutine, whichever it is. A
// body that skips counts as one that did nothing.
//
// It has Run, Name, Named, Context, Helper, Cleanup, TempDir, Setenv, Chdir, Fail,
// Inconclusive, Failed, Log, Logf, Error, Errorf, Skipf, Skipped, Attr, Output and
// ArtifactDir: see go doc internal/engine.T.
type T = engine.T

// A Model is what an object does when it is used by one goroutine at a time.
// Concurrent calls on the object are right if they are linearizable: if each
// of them seems to take effect at one moment between its call and its return
// (Herlihy and Wing, ACM TOPLAS 1990). [Linearizable] and [History] check that.
//
// S is the object's state, In a call with its arguments, Out what it returns.
// Give In and Out a String method, or set Describe, for reports that read well.
//
// The functions must be pure: they depend on their arguments only, change
// nothing, and use no [T]. They run outside the execution, at times on another
// goroutine. What they cannot express is an object that may choose between several
// results; put such a choice into Agree, if it can be told from the result alone.
//
// It has Init, Step, Equal, Partition and MaxSteps: see go doc
// internal/linear.Model.
type Model[S, In, Out any] = linear.Model[S, In, Out]

// Linearizable calls apply for the calls of each thread, every thread in a
// goroutine of its own, waits for all of them, and checks that what they
// returned is linearizable with respect to m. If it is not, the check fails as
// by [T.Errorf]; its message shows as few operations as suffice.
//
//	explore.Test(t, explore.Config{}, func(t *explore.T) {
//		var n counter
//		explore.Linearizable(t, adding, func(d int) int { return n.Add(d) },
//			[]int{1, 2}, // the calls of thread 1
//			[]int{3})    // the calls of thread 2
//	})
//
// Between two calls of a thread there is a scheduling point, so that whatever
// others do in between can be told from what they do during a call. apply may be
// called by several goroutines at once. See [History] for threads that decide
// what to do next, for what happens before and after, and for calls that never
// return.
func Linearizable[S, In, Out any](t *T, m Model[S, In, Out], apply func(In) Out, threads ...[]In) {
	linear.Linearizable(t, m, apply, threads...)
}

// A History records calls on one object and checks them against a model. It
// is for one execution of a body:
//
//	h := explore.NewHistory(t, model)
//	t.Go("producer", func() { h.Do(push(1), q.apply) })
//	t.Go("consumer", func() {
//		if h.Do(pop, q.apply).ok {
//			h.Do(push(2), q.apply)
//		}
//	})
//	t.Wait()
//	h.Do(length, q.apply)
//	h.Check()
//
// All methods may be called by any goroutine of the body. To the race detector
// they order nothing.
type History[S, In, Out any] = linear.History[S, In, Out]

// NewHistory returns an empty history of an object that behaves like m. It
// panics if m has no Step or a negative MaxSteps.
func NewHistory[S, In, Out any](t *T, m Model[S, In, Out]) *History[S, In, Out] {
	return linear.NewHistory(t, m)
}
