// Package jobs keeps what is to be done and runs it: a [Queue] of jobs, and a
// [Worker] that runs those of a queue with a handler of the caller's. Any number
// of queues and workers, in any number of processes, share a database.
//
//	queue, err := jobs.New(jobs.Config{Work: work}) // of lifecycle.NewUnitOfWork, or Service.UnitOfWork
//	job, err := queue.Submit(ctx, jobs.Spec{Kind: "weave", Payload: pattern})
//
//	worker, err := jobs.NewWorker(queue, jobs.WorkerConfig{Name: "host 7", Handler: weave})
//	err = worker.Run(ctx) // until Shutdown
//
// Whoever has a pool of his own uses [Queue.Claim], [Queue.Heartbeat],
// [Queue.Succeed], [Queue.Fail] and [Queue.GiveBack].
//
// # What it promises
//
//   - A job goes queued → running → succeeded, failed or cancelled, and back to
//     queued to be tried again. Each step is one compare-and-swap of the job, and
//     is decided on the very version that is swapped.
//   - A claim takes a job from queued to running: of any number of workers that
//     see it one gets it (#7357). The oldest that may run comes first.
//   - Whoever runs a job has a lease, which [Queue.Heartbeat] renews. When it is
//     over, the next claim takes the job over, or fails it if it has had all its
//     attempts. What a late holder says afterwards is refused with a [*LostError]
//     that names who has the job (#4372). So of all results one counts, and a job
//     succeeds once. Its handler can have been run more often: what it does
//     elsewhere should bear that, or carry [Job].Fence, which grows with each
//     claim.
//   - [Queue.Cancel] cancels a queued job at once. It signals a running one: the
//     handler's context ends, at once if the worker is on the same Queue, else
//     with its next heartbeat. A job whose handler succeeds nevertheless has
//     succeeded.
//   - A handler that fails, panics or ends its goroutine has failed the attempt.
//     The next one comes after a pause that doubles, between half of it and all,
//     as the worker's seed says.
//   - A worker that is shut down claims nothing more and waits for its handlers.
//     Those that it cannot wait for have their contexts ended, and their jobs are
//     given back, which counts as no attempt.
//   - Every call happens at one moment between its beginning and its end, or
//     returns an error and has changed nothing, except
//     [lifecycle.ErrOutcomeUnknown].
//
// # Time
//
// Leases and pauses are counted by the database's clock: the server's on
// PostgreSQL, the machine's on SQLite, in memory one that does not jump; to the
// microsecond. A worker's timers are its own. A clock that jumps ends a lease
// early or late, and never has two results accepted.
//
// # Errors
//
// [*LostError] matches [ErrLost], [*FinishedError] matches [ErrFinished], and
// [*NotFoundError] matches [lifecycle.ErrNotFound]. What cannot be asked for is a
// [*lifecycle.InvalidError]; a database says what it says in package lifecycle.
//
// # What it cannot do
//
// A handler that does not return when its context ends cannot be stopped; its
// worker's Run waits for it. No job is ever deleted, nor with the plan that it is
// about: what its handler asks of that is not found. What is submitted in
// another process is found with the next poll. A job is not submitted in a
// transaction of [lifecycle.UnitOfWork].
package jobs
