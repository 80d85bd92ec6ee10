// Package subplans executes the parts into which a plan is divided, each of which is a plan of its
// own: one after another, several at a time, or in the order of their dependencies. Reach for it
// when a plan's work can be done by several workers; for one worker and one plan, package lifecycle
// is enough.
//
//	results, err := subplans.Run(ctx, subplans.Config{
//		Service: service, Parent: claim, Mode: subplans.ByDependencies, FailFast: true,
//		Timeout: time.Minute, Retries: 2, Work: work, Merge: merge,
//	}, []subplans.Subplan{
//		{Name: "spin", Action: "mill/spin"},
//		{Name: "dye", Action: "mill/dye"},
//		{Name: "weave", Action: "mill/weave", After: []string{"spin", "dye"}},
//	})
//
// # What it promises
//
//   - A subplan is a plan with the parent's identifier and its root's. It is made
//     once under its name, however often Run is called for the same parent.
//   - At most MaxParallel subplans are worked on at a time. The others are queued,
//     in the given order; none is refused.
//   - One goroutine decides the state of all subplans, in the order in which it
//     learns how their attempts ended. Once it has learnt of a failure, and FailFast
//     is set, subplans that have not started are cancelled and never start; those
//     being worked on have their contexts ended and are cancelled at once, whatever
//     their result. Neither kind is merged, nor can be: a cancelled plan records no
//     more changes, and cannot be completed or applied. A cancelled subplan was
//     never complete at any moment (#7582).
//   - An attempt that takes longer than Timeout has failed with a [*TimeoutError],
//     even if it then returns without an error. So has one whose work panics or ends
//     its goroutine.
//   - An attempt that fails is repeated at most Retries times, after those already
//     queued. The changes that it recorded stay, as after any
//     [lifecycle.Service.Resume], and are merged if the subplan is complete in the
//     end: the next attempt finds them in [Task].Changes, and continues from there.
//   - The changes of complete subplans are merged in the given order of the
//     subplans, and within each in the order of their commits, however long each
//     took. Each change is merged once, except after a merger has died, see below
//     and [lifecycle.ExecutionContext.Apply]. Merging begins when no work is left.
//   - Every failure is among the parent's error details, under the identifier of
//     the subplan, even if others add details too (#9081).
//
// # What lasts
//
// All decisions are stored in the plans, so Run can be called again, for example by another
// process, and continues from there. Each subplan being worked on is claimed, and the claim
// renewed. If a worker dies or hangs, its subplan can be taken over when the claim is over, and
// later calls of the first worker are refused. A take-over is another attempt, whatever Retries
// says. The caller that runs the subplans of a parent should hold a claim to the parent, see
// [Config].Parent: two that ran them at the same time would each get an error because the other
// holds a subplan, and give up.
//
// An archived subplan counts with the state it has. One that is deleted while it is worked on ends
// the run with [lifecycle.ErrNotFound], and its worker's context ends; the next Run makes it anew.
// The parent cannot be deleted while it has subplans.
//
// # Errors
//
// For an invalid configuration the error is a [*lifecycle.InvalidError], an [*UnknownError] or a
// [*CycleError], and nothing was made. If some subplans are not complete in the end the error is an
// [*Error], which holds those of their work. Every other error is one of package lifecycle, or the
// context's: the run ends early, cancels no plan because of that, and another Run can continue.
//
// The example in folder mill takes a plan with three subplans through two processes,
// one of which is killed.
//
// # What it cannot do
//
// It waits for work that ignores its context: a goroutine cannot be stopped from outside. If two
// attempts end at the same moment, their order is arbitrary, and so is, with FailFast, which of
// them is merged. The number of a subplan's applied changes is stored when all of them are merged,
// or when Merge has failed. So after a merger has died, or has lost the claim or the database, the
// next one may pass changes of one subplan to Merge again: Merge must recognise them. A subplan
// made by a worker that had already lost the parent's claim is cancelled by the next Run, so after
// the last Run it stays as it is.
package subplans
