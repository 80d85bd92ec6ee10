// Package soak drives one database through package lifecycle from several processes at a time, kills them, and checks what
// they saw. Use it when goroutines of one process are not enough: for what a SQLite file or a PostgreSQL server does between
// processes, for what is left when a process dies during an operation, and for the answers of the cache in each process.
//
// [Run] starts the processes. Each has some goroutines that do random operations of the whole service, on the same few
// plans and actions as all others. From time to time one process is killed as by kill -9 and started again, and another
// one is frozen, as by SIGSTOP, for longer than its claims last. The clock of each is hours ahead or behind, and jumps.
// The database's server, if it is ours, crashes and is started again. [Work] is the processes' side.
//
// Some more goroutines of each process are owners: they claim plans and change them under their claims; submit, claim and
// end jobs; get and release locks. They abandon some of these, and use them again after they have expired. Another
// goroutine of each process claims plans with subplans and executes these, or continues where a killed process stopped.
//
// # What is recorded
//
// Every process appends each call to its own file before it makes it, and the answer when it has it, each by one write(2),
// which outlives the process. So a kill leaves at most calls without an answer: these, and those that return
// lifecycle.ErrOutcomeUnknown, are pending, and may have taken effect at any time since, or not at all. The times are those of
// the system's monotonic clock, which all processes of a machine share; Run verifies that for each process. The time of a call
// is read before it is made and that of the answer after it has come, so operations that do not overlap are ordered correctly.
//
// Everything that an operation creates carries its label, so at the end it is known which pending operations had an effect.
//
// # What is checked
//
//   - Every acknowledged write is there at the end, and nothing that was refused.
//   - No version of a plan was reached twice, no plan applied twice, no use of an action counted twice.
//   - Every change is in the changeset that its recorder was told, once, and changes are in the order of their commits.
//   - The history of each plan with its changesets, and of each action, is linearizable at the default level (porcupine), with what
//     errors tell of the state taken as readings. A listing is in the history of each plan, or action, as a reading.
//   - Every listing is one state of the store: there is one moment, during the call, at which everything can have been as listed.
//   - Every read at the opt-in level is the state of one moment that is no older than stated, and knows what its own service has
//     changed. For that and for listings, it is worked out from the operations at the default level between which moments each plan
//     and each action can have been at each version.
//   - Of several callers that want a plan, a job or a lock, one gets it. Each owner has a number, which grows, and by the database's
//     times no owner begins before the previous one has ended.
//   - Nothing is accepted from an owner that has lost its ownership: no call that began after another had got it, and no change or
//     transition of a plan that was committed after one under a greater number.
//   - A refused caller is told an owner that has asked for the thing, can have got it, and had not lost it to another before.
//   - Every submitted job is there, and succeeds once, by its last owner.
//   - One subplan of a name is worked on, whoever executes it, and not again once it is done; the changes of its attempts are there,
//     and are merged into the parent in the order of the subplans, each change once: after a kill, the next owner may merge again
//     only the changes of the last subplan.
//   - What is deleted is gone, and nothing is added to it later: see the folder passing, which has its own plans and actions for this.
//   - Every error is one that the contract names, and what returned the context's error, or ErrBusy, or ErrUnavailable, has changed
//     nothing. One call of fifty is made with a deadline that may strike anywhere.
//
// Correct behaviour is never reported as wrong. Wrong behaviour may be missed: an operation on several objects (the use
// of an action, a listing) is checked for each of them and, as said, for being one moment, but not for both at once. A
// wrong refusal is not detected, except by how few succeed. What is checked of claims, jobs and locks is the order of
// their numbers, and not the internal decisions of package lifecycle and the packages beneath it.
//
// # What it cannot do
//
// It proves nothing about what did not happen. The seed decides the operations and the kills, but not their interleaving.
// The file system must keep what a running system has written: a power failure is not tried.
package soak
