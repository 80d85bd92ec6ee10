package explore

import (
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/linear"
)

// A T is a body's handle on its execution. It is a [testing.TB]. Any goroutine of
// the body may call its methods. They are no scheduling points (except [T.Go], [T.Run] and
// [T.Wait]) and hide no data race: for the race detector they synchronise
// nothing.
//
// FailNow, Fatal, Fatalf, Skip and SkipNow end the calling goroutine, whichever it is. A
// body that skips counts as one that did nothing.
//
// It has Run, Name, Named, Context, Helper, Cleanup, TempDir, Setenv, Chdir, Fail,
// Inconclusive, Failed, Log, Logf, Error, Errorf, Skipf, Skipped, Attr, Output and
// ArtifactDir: see go doc internal/engine.T.
type T = engine.T

// A Model is the sequential specification of an object. Concurrent calls on the object
// are correct if they are linearizable: if each seems to take effect at one moment
// between its call and its return (Herlihy and Wing, ACM TOPLAS 1990). [Linearizable]
// and [History] check that.
//
// S is the object's state, In a call with its arguments, Out what it returns.
// Give In and Out a String method, or set Describe, for reports that read well.
//
// The functions must be pure: they depend on their arguments only, change nothing, and
// use no [T]. They run outside the execution, sometimes on another goroutine. They
// cannot express an object that may choose between several results; check such a choice
// in Agree, if the result alone shows it.
//
// It has Init, Step, Equal, Partition and MaxSteps: see go doc
// internal/linear.Model.
type Model[S, In, Out any] = linear.Model[S, In, Out]

// Linearizable runs each thread in a goroutine of its own, which calls apply for each
// of the thread's calls. It waits for all of them, and checks that the results are
// linearizable with respect to m. If not, it fails as by [T.Errorf]; the message shows
// a minimal set of operations.
//
//	explore.Test(t, explore.Config{}, func(t *explore.T) {
//		var n counter
//		explore.Linearizable(t, adding, func(d int) int { return n.Add(d) },
//			[]int{1, 2}, // the calls of thread 1
//			[]int{3})    // the calls of thread 2
//	})
//
// There is a scheduling point between two calls of a thread, which
// distinguishes what others do in between from what they do during a call.
// Several goroutines may call apply at once. See [History] for threads that
// decide what to do next, for calls before and after the threads, and for calls
// that never return.
func Linearizable[S, In, Out any](t *T, m Model[S, In, Out], apply func(In) Out, threads ...[]In) {
	linear.Linearizable(t, m, apply, threads...)
}

// A History records calls on one object and checks them against a model. It serves a
// single execution of a body:
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
// Any goroutine of the body may call its methods. For the race detector they order
// nothing.
type History[S, In, Out any] = linear.History[S, In, Out]

// NewHistory returns an empty history of an object that m specifies. It panics if m has
// no Step or a negative MaxSteps.
func NewHistory[S, In, Out any](t *T, m Model[S, In, Out]) *History[S, In, Out] {
	return linear.NewHistory(t, m)
}
