// Package lifecycle is a plan lifecycle service. Actions are templates; using
// one makes a plan; a plan goes through the phases strategize, execute and
// apply, and records the changes that it makes in changesets. Any number of
// goroutines, services and processes may drive the same plans at the same
// time.
//
// # Where things are
//
//   - [Service] is the entry point; [Open] makes one: in memory, on SQLite, or on
//     PostgreSQL.
//   - [Transitions] is the whole state machine, a table.
//   - [ExecutionContext] records the changes of one plan.
//   - [Service.Events] follows the changes of all plans.
//   - A process has one [Engine] per database. Services without [Engines] share
//     it, and the last one to be closed closes it; separate Engines keep databases
//     apart. [UnitOfWork] and [Migrate] use the same engines.
//   - Package locks gives resources other than plans to owners for a time, and
//     package jobs runs jobs.
//   - errors.go lists the kinds of error. Each matches a sentinel with errors.Is,
//     and those that carry data have a type.
//
// # What it promises
//
// Every method of a service is atomic, and the methods of all services on one store are
// linearizable: they take effect in one order that agrees with real time, so a call that begins
// after another has returned, in whatever process, sees that one's changes. An error means that
// nothing was changed, except [ErrOutcomeUnknown]. In particular:
//
//   - One engine per URL: the first caller creates it, and all callers get the
//     same pointer, even if they share nothing but the URL. Its migrations run
//     once, for all (#3950, #7420).
//   - Of several creates of one name one succeeds, and the others get an error. A
//     listing is one state of the store (#1281).
//   - A change is recorded in the changeset that is open at that moment, which is
//     decided in the step that records it. A plan's open changeset is always its
//     newest: starting one closes the one before, in the same step. So once a
//     changeset is visible, nothing more is recorded in an older one; and
//     recording when none is open is an error (#7120).
//   - Reads return the latest committed state. A service on SQLite serves plans,
//     actions and their listings from its caches only after SQLite has reported
//     that nothing was committed since they were read, by any connection of any
//     process. One on PostgreSQL asks the server for a plan's version each time,
//     and for its contents only if the version differs. A caller that tolerates
//     older values sets Config.MaxAge and reads through [Service.Recent] (#7424).
//   - A transition is a compare-and-swap on the plan's version, and the guards
//     are evaluated on the very version that is swapped. Of several callers
//     that hold one version one succeeds; the others get a [*ConflictError]
//     that names the state they lost to (#7424, #7989).
//   - The holder of a [Claim] owns the plan for a time: changes by others are
//     refused, with the name of the holder, and so are those of a worker that
//     wakes up after its claim is over. A worker that can hang or be frozen should
//     claim its plan; without a claim, any caller with the plan's identifier can
//     move it on (#4372).
//   - Nothing is recorded in a plan that is applied or cancelled. The step that
//     makes a plan applied compares the applied changes with the recorded ones:
//     [ExecutionContext.Apply] brings each change once, in the order of their
//     commits, and leaves none behind; see also [Plan].Applied.
//   - Callers that concurrently add to the details of a plan's error never lose
//     each other's, see [Service.AddErrorDetails] (#9081).
//   - An action from which a plan exists, and a plan with subplans, cannot be
//     deleted: the error says how many plans refer to it. A deletion removes all
//     that belongs to the object in one step.
//   - A change becomes visible when the database commits it, and the cache only
//     holds values read from the database: a failed commit changes neither (#7137).
//
// Every wait ends with the caller's context, and a call that returns the context's error has
// changed nothing. A statement on SQLite that has begun is completed; one on PostgreSQL is aborted,
// and its transaction rolled back.
//
// # Working on a plan
//
// A worker claims a plan, carries the claim in all its requests, and renews it while it works:
//
//	claim, err := s.Claim(ctx, id, "worker 7", time.Minute)
//	_, err = s.Transition(ctx, claim.Request(lifecycle.CommandStartExecute))
//	work := s.ExecutionContext(id).Under(claim)
//	claim, err = s.Renew(ctx, claim, time.Minute)
//
// The claim's fence is a number that grows with each claim of the plan, and every change is checked
// against it in the step that makes the change. So it does not matter whether the worker knows that
// its time is over. The time is measured by the database's clock, not by that of a process.
//
// # Archiving and deleting
//
// [Service.ArchivePlan] leaves a finished plan out of listings, [Service.DeletePlan] deletes one in
// any state, and [Service.DeleteAction] an action. Things that refer to a deleted plan:
//
//   - Its changesets, with their entries, and its claim are deleted with it.
//   - A plan with a subplan, archived or not, cannot be deleted.
//   - A worker on it gets [ErrNotFound] from its next call. An apply that is under
//     way may have applied changes by then; a claim prevents deletion by others.
//   - Jobs and locks that name it stay, because only their makers know that they do.
//   - Config.OnChange is called once, after all other changes of the plan. Caches of
//     services do not serve it afterwards, except [Service.Recent] of another service
//     until its age is over. A [Bus] carries only what its users publish: callers with
//     their own caches of plans should publish from OnChange.
//
// An action that is created with the name of a deleted one is a different action: a use that has
// read the old one starts again.
//
// # Following what happens
//
// Config.OnChange reports the changes of its own service. [Service.Events] reports those of all
// plans of the database, in whatever process: each version of each plan once, in order, from a
// cursor that the caller keeps, even across restarts of either. The database writes an event in the
// step that changes the plan, by a trigger, so the event exists exactly if the change does, even if
// the process dies. It costs a change one more row. Plans from before migration 6 have events from
// their next change on.
//
// On PostgreSQL an event gets its cursor when it is first read, which writes it once more: so
// reading new events needs a writable database, and waits while a [UnitOfWork] has the database to
// itself. An open transaction of another client delays only its own events.
//
// Events are kept until [Service.PruneEvents] is called, in memory at least the last 262,144. A follower that is
// further behind gets a [*CursorError] and never skips a gap. If a crash loses commits, as relaxed durability permits,
// it loses their events too, read or not; so does restoring a backup.
//
// # In memory
//
// Without a database each plan, with its changesets, is one value of a cache, and each change one
// compare-and-swap. The alternatives were a lock for all plans (as #1281 suggests), a lock for each
// part of them, and a copy of all plans for each change. Only versions of each plan let a listing
// be one state without making any change wait. See internal/history. A deletion scans all plans for
// references to the deleted object, and new plans wait for it.
//
// # What reading costs
//
// A read at the default level must prove that the cached value is current. In memory there is
// nothing to prove. On a SQLite file it is a question to SQLite, which reads memory that all its
// processes share: a few microseconds, a quarter of reading the plan. On PostgreSQL it is a round
// trip to the server, as much as reading the plan anew: machines share no memory, and without a
// lease that writers wait out, or an invalidation that they wait for, no value cached on one
// machine can be proved current without asking. The reads of [Service.Recent] prove nothing and
// cost what copying the value costs. BENCHMARKS.md has the figures.
//
// # When a database fails
//
// An error of a database, or on the way to it, is a [*DatabaseError]: it names the database,
// without a password, and matches [ErrBusy], [ErrUnavailable], [ErrFull], [ErrReadOnly],
// [ErrCorrupt], [ErrNewerSchema] or [ErrOutcomeUnknown] if one of these applies. A call waits for a
// lock, or for a server that refuses connections, no longer than the busy timeout, and for a silent
// server no longer than its context lasts. Nothing needs a restart: when there is room again, a
// file is writable again or back at its path, or a server answers, the next call notices. A file
// that is replaced, for instance by a sound copy of a corrupt one, is the database from the next
// call on. Failures are never cached, neither of an engine nor of a read.
//
// # Choices
//
// Where the tracker says nothing or contradicts itself:
//
//   - "server:name" without a namespace is not a valid name; see [ParseName].
//   - An errored strategize may be reverted to strategize, which the phase
//     table lacks. Revert leads to strategize only.
//   - A complete phase waits for execute_plan or apply_plan, unless the request
//     that completes it has Progress set: then both are one step, and two events.
//   - Resume queues the phase again, for a worker to start it. Resume and
//     revert both begin another attempt.
//   - A command on a plan in a terminal state is an invalid transition, not a
//     plan that is not ready: waiting does not help.
//   - An action that is not reusable is archived by its first use.
//   - The phase of a plan does not limit when changesets may be started.
//   - Argument values are text, checked against the declaration when the action
//     is used. Text is valid UTF-8 without NUL, of any form and at most [MaxText]
//     bytes per call. Names are ASCII.
//
// # What it cannot do
//
// SQLite is for one machine: the file must not be on a network file system, where its locks do not
// work. Whoever moves or replaces it must do the same to the files beside it, -wal and -shm, which
// are part of it. Its pages have no checksums, so damage that still looks like a database is not
// detected. A commit that fails because the disk refuses it may reappear if the machine then loses
// power before the next one. PostgreSQL's primary server must be used, because a standby may lag
// behind. The caches have no limit. Nothing is deleted unless a caller deletes it. An in-memory
// database lives as long as a service on it, or as its Engines.
package lifecycle
