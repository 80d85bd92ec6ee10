// Package locks is the lock service: an owner holds a resource for a time, and no other owner holds
// it meanwhile. Reach for it where goroutines, services or processes must not work on one thing at
// once and the thing is not a plan; for plans there are claims, see package lifecycle.
//
//	service, err := locks.New(work) // of lifecycle.NewUnitOfWork, or Service.UnitOfWork
//	lock, err := service.Acquire(ctx, "worker 7", locks.Resource{Type: "project", ID: "loom"}, time.Minute)
//	lock, err = service.Renew(ctx, lock, time.Minute)
//	err = service.Release(ctx, lock)
//
// # What it promises
//
//   - Of any number of callers one gets a free resource, in one step of the
//     database: the others get a [*HeldError] that names the holder and the time
//     until which it holds, and never a database error for a conflict (#7406, #9638).
//   - A lock ends by its time, by [Service.Release] or [Service.ReleaseAll]. A lock
//     that has expired can be taken over, whatever its owner does.
//   - An owner that acquires a resource it holds extends the lock, under the same
//     number; that never shortens it. Callers with the same name are the same
//     owner. Locks are not counted: one release ends the lock.
//   - [Lock].Fence is a number that grows with each lock of a resource that does
//     not continue the previous one. A system that gets the numbers of two locks
//     can tell the later one, and refuse late writes under the earlier one;
//     renewing a lock that is over is refused here.
//   - Every call is atomic and takes effect between its beginning and its end, in
//     one order for all callers. An error means that nothing was changed, except
//     [lifecycle.ErrOutcomeUnknown]. In memory [Service.ReleaseAll] and
//     [Service.CountStale] visit one resource after another.
//
// # Time
//
// The time is the database's: the server's on PostgreSQL, the machine's on SQLite, and in memory
// that of a clock that does not jump. A clock that jumps ends a lock early or late; two owners
// never have the same number. Times are to the microsecond.
//
// # Errors
//
// [*HeldError] matches [ErrHeld]. Invalid input is a [*lifecycle.InvalidError]. The errors of a
// database are those of package lifecycle: [*lifecycle.DatabaseError], [lifecycle.ErrClosed] or the
// context's error.
//
// # What it cannot do
//
// It does not wait for a held lock, nor notify anyone. Each resource that was ever locked keeps a row of a few dozen
// bytes in the database. A lock of something that is deleted, such as a plan, stays. A lock is not part of a transaction
// of [lifecycle.UnitOfWork].
package locks
