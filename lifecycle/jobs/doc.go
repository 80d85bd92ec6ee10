// Package jobs stores jobs and runs them: a [Queue] of jobs, and a [Worker] that runs those of a
// queue with the caller's handler. Any number of queues and workers, in any number of processes,
// can share a database.
//
//	queue, err := jobs.New(jobs.Config{Work: work}) // of lifecycle.NewUnitOfWork, or Service.UnitOfWork
//	job, err := queue.Submit(ctx, jobs.Spec{Kind: "weave", Payload: pattern})
//
//	worker, err := jobs.NewWorker(queue, jobs.WorkerConfig{Name: "host 7", Handler: weave})
//	err = worker.Run(ctx) // until Shutdown
//
// Callers with a worker pool of their own use [Queue.Claim], [Queue.Heartbeat], [Queue.Succeed],
// [Queue.Fail] and [Queue.GiveBack].
//
// # What it promises
//
//   - A job goes queued → running → succeeded, failed or cancelled, and back to
//     queued to be tried again. Each step is one compare-and-swap of the job,
//     decided on the very version that is swapped.
//   - A claim takes a job from queued to running: of any number of workers that
//     see it one gets it (#7357). Of the jobs that may run when the claim
//     looks at them, the oldest comes first.
//   - The worker that runs a job has a lease, which [Queue.Heartbeat] renews. When
//     the lease is over, the next claim takes the job over, or fails it if it has
//     had all its attempts. Calls of the late holder are refused with a [*LostError]
//     that names the present one (#4372). So of all results one counts, and a job
//     succeeds once. Its handler can have run more often: its effects elsewhere
//     should tolerate that, or carry [Job].Fence, which grows with each
//     claim.
//   - [Queue.Cancel] cancels a queued job at once. It signals a running one: the
//     handler's context ends, at once if the worker is on the same Queue, else
//     with its next heartbeat. A job whose handler succeeds nevertheless has
//     succeeded.
//   - If a handler fails, panics or ends its goroutine, the attempt has failed.
//     The next one comes after a pause that doubles each time; the worker's seed
//     picks a length between half the pause and all of it.
//   - A worker that is shut down claims nothing more and waits for its handlers.
//     When the wait is over, it ends the contexts of those still running and gives
//     their jobs back, which does not count as an attempt.
//   - Every call takes effect at one moment between its beginning and its end, or
//     returns an error and has changed nothing, except
//     [lifecycle.ErrOutcomeUnknown].
//
// # Time
//
// The database's clock measures leases and pauses: the server's on PostgreSQL, the machine's on
// SQLite, in memory one that does not jump; to the microsecond. A worker's timers are its own. A
// clock that jumps ends a lease early or late, but never makes two results count.
//
// # Errors
//
// [*LostError] matches [ErrLost], [*FinishedError] matches [ErrFinished], and [*NotFoundError]
// matches [lifecycle.ErrNotFound]. Invalid input is a [*lifecycle.InvalidError]; the errors of a
// database are those of package lifecycle.
//
// # What it cannot do
//
// A handler that does not return when its context ends cannot be stopped; its worker's Run waits
// for it. No job is ever deleted, not even with the plan that it is about: its handler then gets
// not-found errors for the plan. A job submitted in another process is found with the next poll. A
// job cannot be submitted in a transaction of [lifecycle.UnitOfWork].
package jobs
