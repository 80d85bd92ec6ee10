// Package subplans executes the parts into which a plan is divided, each of
// which is a plan of its own: one after the other, several at a time, or as they
// depend on one another. Reach for it when a plan's work can be done by several
// workers; for one worker and one plan, package lifecycle is enough.
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
//   - Never do more than MaxParallel work at a time. The others are queued, in the
//     order in which they are given, and none is refused for that.
//   - One goroutine decides what becomes of all of them, in the order in which it
//     learns how their attempts ended. Once it has learnt of a failure, and FailFast
//     is set, what has not started never starts, and is cancelled; what is still
//     working is told by its context and cancelled at once, whatever it comes to.
//     Nothing of either is merged, nor can be: in a plan that is cancelled nothing
//     is recorded any longer, and it cannot be completed or applied. A subplan that
//     is cancelled was at no moment complete (#7582).
//   - An attempt that takes longer than Timeout has failed with a [*TimeoutError],
//     also if it then returns without an error.
//   - An attempt that fails is made again at most Retries times, behind what is
//     queued before it. The changes that it has recorded stay, as after any
//     [lifecycle.Service.Resume], and are merged if the subplan is complete in the
//     end: the next attempt finds them in [Task].Changes, and goes on from there.
//   - What is merged are the changes of complete subplans, in the order in which
//     these are given, and within each in the order of their commits, however long
//     each of them took. Each change is merged once, but for what is said below of a
//     merger that dies; see [lifecycle.ExecutionContext.Apply]. This begins when no work is left.
//   - Every failure is among the parent's error details, by the identifier of the
//     subplan, whoever else adds to them (#9081).
//
// # What lasts
//
// All that is decided is in the plans, so a Run can be begun anew, by another
// process for example: it goes on with what is there. Each subplan that is worked
// on is claimed, and the claim renewed; after a worker has died, or hangs, it can be
// taken over when the claim is over, and what the first worker does then is refused.
// A take-over is another attempt, whatever Retries says. Whoever runs the
// subplans of one parent should have a claim to the parent, see [Config].Parent: of
// two who run them at the same time each would learn from an error that the other
// has a subplan, and would give up.
//
// A subplan that is archived counts as what it is. One that is deleted while it is
// worked on breaks the run off with [lifecycle.ErrNotFound], and its worker is told
// by its context; the next Run makes it anew. The parent cannot be deleted while it
// has subplans.
//
// # Errors
//
// What is wrong with the configuration is a [*lifecycle.InvalidError], an
// [*UnknownError] or a [*CycleError], and nothing was made. If some subplans are not
// complete in the end the error is an [*Error], which holds those of their work.
// Every other error is one of package lifecycle, or the context's: the run is
// broken off, no plan is cancelled for that, and another Run can go on.
//
// The example in folder mill takes a plan with three subplans through two processes,
// one of which is killed.
//
// # What it cannot do
//
// It waits for work that does not heed its context: a goroutine cannot be ended
// from outside. The order of two attempts that end at the same moment is up to
// chance, and so is, with FailFast, which of them is merged. How many of a subplan's
// changes are applied is written down when all of them are merged, or when Merge has
// failed. So after a merger has died, or has lost the claim or the database, the next
// one may give Merge changes again that were merged, all of one subplan: Merge has to
// know them. A subplan that was made by one who had lost the parent by then is
// cancelled by the next Run, so after the last one it stays where it was made.
package subplans
