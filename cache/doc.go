// Package cache keeps values under keys and creates each of them once, on demand, however many goroutines ask.
//
// Reach for it when creating a value twice is wrong and not just slow (a connection pool, an engine, an in-memory
// database), when a slow creation must not delay other keys, or when a cached value can change while it is being
// read. Use xsync.MapOf or a mutex and a map when values are cheap, cannot fail and need not be closed.
//
// The table is xsync.MapOf, which is lock-free to read and locks one bucket of five keys to write; Config.Shards divides
// it further. Its LoadOrCompute publishes an empty entry for a missing key. A singleflight.Group runs the creator on a
// goroutine of its own; a caller whose context cannot end, like context.Background(), runs it itself. The package guards
// both, because on their own LoadOrCompute would run the creator under a lock, which a panic never releases, and
// singleflight would hand the panic, the Goexit and the context of one caller to all of them.
//
// # Guarantees
//
// Each row has a test of its name in guarantee_test.go, guarantee_changes_test.go, close_test.go, bus_test.go,
// bulk_test.go, weight_test.go, failure_test.go or refresh_test.go. inplace_test.go repeats them for callers that run the
// creator themselves, and bench/explored as bodies for an explorer of schedules.
//
//	G1  one creation      However callers race for a missing key, one creator runs, and all get its one object.
//	G2  errors            A creator's error goes to every waiter, unchanged, and is not remembered: the entry has left the map
//	                      before the first waiter wakes. See G14 for the exception.
//	G3  panics            A panic or Goexit in the creator becomes a *[PanicError] with the stack, for all waiters; the key stays
//	                      usable.
//	G4  contexts          Each caller waits on its own context. The creator's context has the values of the caller that started
//	                      it, and no caller's deadline.
//	G5  cancellation      A creation is cancelled when its last waiter has left, and not before; joining and leaving last are
//	                      decided by one compare-and-swap.
//	G6  cycles            A creator that asks for its own key, directly, through other keys, across goroutines or through
//	                      another cache, gets a *[CycleError] that names the cycle. It must pass on its context.
//	G7  independence      A slow creation delays no other key, hit or miss, even while the table grows, and no iteration: no user
//	                      code ever runs under a lock.
//	G8  changes win       Set, CompareAndSwap, Delete and Invalidate during a creation win over it: its waiters look again, its
//	                      object is closed and never seen. A call that has seen a hundred creations superseded gets a
//	                      *[FutileError] that names the key: its creator changes it, or others never stop changing it.
//	G9  no early close    No value that a caller still holds is closed; see Ownership.
//	G10 close             Close cancels creations, waits for their creators, then closes every closer once, the youngest
//	                      first. From its first moment on, all calls get [ErrClosed] or find nothing.
//	G11 no stale fill     A value read before an invalidation cannot be filled in after it; see [Cache.Fill] and [Bus].
//	G12 batches           The keys that GetOrCreateAll creates with one call keep all of this, each for itself. Overlapping batches
//	                      wait only for creations that others have begun; a creation that waits for one key waits for its batch.
//	G13 weights           The values in the cache weigh no more than MaxWeight, except for one more value for each call that has
//	                      published but not yet evicted. A value heavier than MaxWeight evicts no others.
//	G14 negative caching  With ErrorTTL an error is returned, without another creation, to all callers while it lasts. Every change
//	                      of the key ends it, and the error of a superseded creation is not remembered. No method treats it as a
//	                      value: it is not found, counted or iterated over, and causes no removal.
//	G15 refresh ahead     With RefreshAfter a hit on an older value starts one new creation of it, and waits for nothing. The new
//	                      value replaces exactly the value that was hit, or is dropped: G8, G9 and G10 hold for it. An error
//	                      changes nothing.
//
// A caller that runs the creator itself has no goroutine left to react on. So it learns of G8 and G10 only when its
// creator, whose context ends at once, returns; and a Goexit in its creator ends the caller too, after all others got
// their *[PanicError].
//
// Under Get, GetOrCreate, GetOrCreateAll, Set, Delete, Invalidate, the comparing calls and Close, each key is
// linearizable: every call takes effect at one moment between its beginning and its end. Package cachemodel is the model,
// and model_test.go checks histories against it. Iteration, Len and Stats are weaker; their comments say how.
//
// # Cost
//
//	hit                   one Load of xsync and one check; no lock, no allocation, no write; with MaxEntries, TTL, RefreshAfter,
//	                      Count, or for closers, one or two atomic operations more
//	miss                  two bucket locks, three allocations and the creator; if the context can end, a goroutine and two
//	                      allocations more, and three if the creator asks its context for its end or a value
//	GetOrCreateAll        a goroutine and some fifteen allocations for all missing keys, three and its bucket locks for each
//	Set, Delete, swaps    one bucket lock, and one allocation for a plain value that is stored; swaps that fail on the version
//	                      usually take no lock
//	waiting for others    one short lock of the key's own
//	MaxEntries, MaxWeight,
//	TTL                   one lock per value that is added or removed, none per hit
//
// # Ownership
//
// A value that has a Close method belongs to the cache from the moment it is set or created. An object counts once,
// however many keys hold it. It is closed when it has left the cache and no caller can be using it:
//
//   - at once, if no caller has got it: an object that was superseded, or that was only ever set;
//   - when the last [Lease] is released, if callers got it from [Cache.Acquire] only;
//   - in Close, if any caller got it without a lease. By calling Close the user says that those callers are done.
//
// Leases alone would make the common case ugly, where a value lives as long as the cache. A rule alone ("callers must be
// done before they delete") is broken unnoticed in bounded caches, because eviction asks no caller. The price of the
// mixture is that a closer that was handed out without a lease and then removed is kept until Close. So use Acquire for
// closers that are removed before Close.
//
// # What it cannot do
//
// It cannot stop a creator that ignores its context; such a creator delays only Close ([Cache.Shutdown] has a bound). It
// cannot detect a cycle if a creator does not pass on its context: such a cycle blocks until its callers give up. Keys
// that are not equal to themselves are refused, and interface keys must be comparable, as in any map. It does not measure
// sizes: a limit in bytes needs a Weigher.
package cache
