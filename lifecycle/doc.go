// Package lifecycle is a plan lifecycle service. Actions are templates; using
// one makes a plan; a plan goes through the phases strategize, execute and
// apply, and records the changes that it makes in changesets. Any number of
// goroutines, services and processes may drive the same plans at the same
// time.
//
// # Where things are
//
//   - [Service] is what to use; [Open] makes one: in memory, on SQLite, or on
//     PostgreSQL.
//   - [Transitions] is the whole state machine, a table.
//   - [ExecutionContext] records the changes of one plan.
//   - [Service.Events] follows what happens to all plans.
//   - A process has one [Engine] per database. Services that are given no
//     [Engines] share it, and the last one to be closed closes it; Engines of
//     one's own keep databases apart. [UnitOfWork] and [Migrate] use the same.
//   - Package locks gives resources other than plans to owners for a time, and
//     package jobs runs jobs.
//   - errors.go lists the kinds of error. Each matches a sentinel with
//     errors.Is, and those that carry data have a type.
//
// # What it promises
//
// Every method of a service is atomic, and all methods of all services on one
// store take their places in one order, which agrees with the order in time: a
// call that begins after another has returned, in whatever process, sees what
// that one did. An error means that nothing was changed, with one exception, which
// says so: [ErrOutcomeUnknown]. In particular:
//
//   - One engine per URL: whoever asks first, one is created, and everyone gets
//     the same pointer, also if they share nothing but the URL. Its migrations
//     run once, for all (#3950, #7420).
//   - Of several creates of one name one succeeds, and the others are told. A
//     listing is one state of the store (#1281).
//   - A change is recorded in the changeset that is open at that moment; which
//     one that is, is decided in the step that records it. A plan's open
//     changeset is always its newest: starting one closes the one before, in
//     the same step. So when a changeset can be seen, nothing more lands in an
//     older one; and recording when none is open is an error (#7120).
//   - What is read is the latest committed state. A service on SQLite serves
//     plans, actions and their listings from its caches only after SQLite has
//     said that nothing was committed since they were read, by any connection
//     of any process. One on PostgreSQL asks the server for a plan's version
//     each time, and only for its contents if that is another one. Whoever can
//     do with something older says how old it may be, and reads through
//     [Service.Recent] (#7424).
//   - A transition is a compare-and-swap on the plan's version, and the guards
//     are evaluated on the very version that is swapped. Of several callers
//     that hold one version one succeeds; the others get a [*ConflictError]
//     that names the state they lost to (#7424, #7989).
//   - Who claims a plan owns it for a time, see [Claim]: what others do to it is
//     refused and says who has it, and so is what a worker does who wakes up after
//     his claim is over. A worker that can hang, or may be frozen, should have
//     one; without, whoever knows the plan's identifier can move it on (#4372).
//   - Nothing is recorded in a plan that is applied or cancelled. A plan is applied
//     by a step that compares what was brought home with what is recorded, and
//     says which that was: [ExecutionContext.Apply] brings each change once, in the
//     order of their commits, and none is left behind, see also [Plan].Applied.
//   - Of several who add to the details of a plan's error none loses what another
//     has added, see [Service.AddErrorDetails] (#9081).
//   - What plans refer to is not deleted, an action of which there is one nor a plan
//     with subplans: the error says how many there are. What is deleted goes in one
//     step with all that belongs to it, and nobody comes between.
//   - A database shows a change when it is committed, and the cache only holds
//     what was read from the database: a failed commit changes neither (#7137).
//
// Everything waits within the caller's context, and a call that returns the
// context's error has changed nothing. On SQLite a statement that has begun is
// carried to its end; on PostgreSQL it is broken off, and its transaction rolled
// back.
//
// # Working on a plan
//
// A worker claims a plan, carries the claim in all it asks for, and renews it
// while it works:
//
//	claim, err := s.Claim(ctx, id, "worker 7", time.Minute)
//	_, err = s.Transition(ctx, claim.Request(lifecycle.CommandStartExecute))
//	work := s.ExecutionContext(id).Under(claim)
//	claim, err = s.Renew(ctx, claim, time.Minute)
//
// The claim's fence is a number that grows with each claim of the plan, and every
// change is compared with it in the step that makes the change. So it does not
// matter whether the worker knows that its time is over. The time is the
// database's, which no process can turn.
//
// # Putting plans away
//
// [Service.ArchivePlan] leaves a finished plan out of listings, [Service.DeletePlan]
// deletes one, wherever it is, and [Service.DeleteAction] an action. What refers to a
// plan that is deleted:
//
//   - Its changesets, with what is recorded in them, and its claim go with it.
//   - A subplan keeps it from being deleted, archived or not.
//   - Whoever works on it gets [ErrNotFound] from his next call. An apply that is under
//     way may have brought changes home by then: a claim keeps all others from deleting.
//   - Jobs and locks that name it stay, for only who made them knows that they do.
//   - Config.OnChange is told once, after all else that has happened to the plan. Of
//     what services keep nothing is served afterwards, but by [Service.Recent] of
//     another one until its age is over. A [Bus] carries what its users publish:
//     whoever keeps plans in a cache of his own publishes from OnChange.
//
// An action that is created with the name of a deleted one is another one: a use that
// has read the old one begins again.
//
// # Following what happens
//
// Config.OnChange is told what its own service does. [Service.Events] is told what
// anybody does to the plans of the database, in whatever process: of each plan each
// version once, in order, from a cursor on that the caller keeps, also over a restart
// of either. The database writes an event in the step that changes the plan, by a
// trigger, so it is there when the change is and not otherwise, whatever becomes of the
// process. It costs a change one row more. Plans from before migration 6 have events from
// their next change on.
//
// On PostgreSQL an event gets its cursor when it is first looked for, which writes it
// once more: to read what is new a database has to be writable, and waits while a
// [UnitOfWork] has it to itself. An open transaction of anybody else holds up its own
// events only.
//
// Events are kept until [Service.PruneEvents] is called, in memory the last 262,144 at least;
// who has not come so far is told with a [*CursorError] and never goes on over a gap. Commits that a crash takes back,
// which relaxed durability permits, take their events along, heard or not; so does a
// backup that is put back.
//
// # In memory
//
// Without a database each plan is one value of a cache, with its changesets, and
// each change one compare-and-swap: of a lock for all plans (#1281 suggests
// one), one for each part of them, a copy of all for each change and versions of
// each, versions are what lets a listing be one state while nobody waits for it,
// nor for a change of another plan. See internal/history. A deletion looks through
// all plans for those that refer to what is deleted, and new plans wait for it.
//
// # What reading costs
//
// Reading at the default level has a price, which is that of proving that what
// is cached is current. In memory there is nothing to prove. On a SQLite file it
// is a question to SQLite, which looks into memory that all its processes share:
// a microsecond or two, a fifth of reading the plan. On PostgreSQL it is a round
// trip to the server, as much as reading the plan anew: machines share no memory,
// and without a lease that writers wait out, or an invalidation that they wait
// for, nothing that one of them holds can be proved current without asking. The
// reads of [Service.Recent] prove nothing and cost what copying the value costs.
// The figures are in BENCHMARKS.md.
//
// # When a database fails
//
// What goes wrong in a database, or on the way there, is a [*DatabaseError]: it
// names the database, without a password, and matches [ErrBusy],
// [ErrUnavailable], [ErrFull], [ErrReadOnly], [ErrCorrupt], [ErrNewerSchema] or
// [ErrOutcomeUnknown] if one of these says what is wrong. A lock, or a
// server that refuses connections, is waited for no longer than the busy timeout
// and a server that is silent no longer than the context lasts. Nothing need be
// restarted: when there
// is room again, a file may be written again or is back at its path, or a server
// answers, the next call finds out. A file that is replaced, by a sound copy of
// a corrupt one for instance, is the database from the next call on. What has
// failed is never cached, neither an engine nor what it was to read.
//
// # Choices
//
// Where the tracker is silent or contradicts itself:
//
//   - "server:name" without a namespace is no name; see [ParseName].
//   - An errored strategize may be reverted to strategize, which the phase
//     table lacks. Revert leads to strategize only.
//   - A phase that is complete waits for execute_plan or apply_plan, unless the
//     request that completes it says that it is to progress: then both are one
//     step, and two events.
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
// SQLite is for one machine: the file must not be on a network file system,
// where its locks do not hold. Whoever moves or replaces it must do the same to
// the files beside it, -wal and -shm, which are part of it. Its pages have no
// checksums, so damage that still looks like a database is not found. A commit
// that fails because the disk does not take it may come back if the machine then
// loses power before the next one. PostgreSQL's primary server has to be asked, for a
// standby may lag behind. The caches have no limit. Nothing is deleted unless a
// caller does it. An in-memory database lives as long as a service on it, or as its
// Engines.
package lifecycle
