// Package locks is the lock service: an owner has a resource for a time, and
// nobody else has it meanwhile. Reach for it where goroutines, services or
// processes must not work on one thing at once and the thing is no plan; a plan
// has claims, see package lifecycle.
//
//	service, err := locks.New(work) // of lifecycle.NewUnitOfWork, or Service.UnitOfWork
//	lock, err := service.Acquire(ctx, "worker 7", locks.Resource{Type: "project", ID: "loom"}, time.Minute)
//	lock, err = service.Renew(ctx, lock, time.Minute)
//	err = service.Release(ctx, lock)
//
// # What it promises
//
//   - Of any number of callers one gets a free resource, in one step of the
//     database: the others get a [*HeldError] that names who has it and until
//     when, and no error of the database's for having met (#7406, #9638).
//   - A lock ends by its time, by [Service.Release] or [Service.ReleaseAll]. One
//     that has expired is the next caller's, whatever its owner does.
//   - An owner who has a resource and acquires it again has it for longer, under
//     the same number; it never ends sooner for that. Whoever gives the same name
//     is the same owner. There is no count: one release ends it.
//   - [Lock].Fence is a number that grows with each lock of a resource that does
//     not continue the one before. Whoever is handed the numbers of two locks can
//     tell the later one, and refuse the earlier one's late writes; to renew or
//     release a lock that is over is refused here.
//   - Every call is atomic and happens between its beginning and its end, in one
//     order for all callers. An error means that nothing was changed, except
//     [lifecycle.ErrOutcomeUnknown]. In memory [Service.ReleaseAll] and
//     [Service.CountStale] look at one resource after the other.
//
// # Time
//
// The time is the database's: of the server on PostgreSQL, of the machine on
// SQLite, and in memory one that does not jump. A clock that jumps ends a lock
// early or late; two owners never have the same number. Times are to the
// microsecond.
//
// # Errors
//
// [*HeldError] matches [ErrHeld]. What cannot be asked for is a
// [*lifecycle.InvalidError]. A database says what it says in package lifecycle:
// [*lifecycle.DatabaseError], [lifecycle.ErrClosed] or the context's error.
//
// # What it cannot do
//
// It does not wait for a lock that somebody has; nobody is woken. What was
// locked once leaves its number in the database for good, a row of a few dozen
// bytes. A lock of something that is deleted, such as a plan, stays. A lock is not part of a transaction of [lifecycle.UnitOfWork].
package locks
