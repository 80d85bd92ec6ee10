// Package cache keeps values under keys and creates each of them once, on demand, however many goroutines ask.
//
// Reach for it when creating a value twice is wrong and not only slow (a connection pool, an engine, an in-memory
// database), when creating is slow and must hold up nobody else, or when what is cached can change while it is being
// read. Use xsync.MapOf or a mutex and a map when values are cheap, cannot fail and need not be closed.
//
// The table is xsync.MapOf, which is lock-free to read and locks one bucket of five keys to write; Config.Shards divides it
// further. Its LoadOrCompute publishes an empty entry for a missing key. A singleflight.Group runs the creator, on a goroutine
// of its own; a caller whose context cannot end, like context.Background(), runs it itself. Both are used behind a guard,
// because on their own the first runs the creator under a lock, which a panic never gives back, and the second hands the
// panic, the Goexit and the context of one caller to all of them.
//
// # Guarantees
//
// Each row has a test of its name in guarantee_test.go, guarantee_changes_test.go, close_test.go, bus_test.go,
// bulk_test.go, weight_test.go, failure_test.go or refresh_test.go, and inplace_test.go repeats them for callers that run the creator themselves.
// bench/explored has them once more, as bodies for an explorer of schedules.
//
//	G1  one creation      However callers race for a missing key, one creator runs, and all get its one object.
//	G2  errors            A creator's error is told to everyone who waited, as it is, and not remembered: the entry is gone
//	                      before the first of them wakes. See G14 for the exception.
//	G3  panics            A panic or Goexit in the creator becomes a *[PanicError] with the stack, for all; the key stays
//	                      usable.
//	G4  contexts          Each caller waits on its own context. The creator's has the values of the caller that started it,
//	                      and nobody's deadline.
//	G5  cancellation      A creation is cancelled when its last waiter has left. While one is left it goes on; joining and
//	                      leaving last are decided in one word.
//	G6  cycles            A creator that asks for its own key, directly, through other keys, across goroutines or through
//	                      another cache, gets a *[CycleError] that names the cycle. It must hand on its context.
//	G7  independence      A slow creation delays no other key, hit or miss, also while the table grows, nor iteration: no code
//	                      of the user ever runs under a lock.
//	G8  changes win       Set, CompareAndSwap, Delete and Invalidate during a creation win over it: its waiters look again, its
//	                      object is closed and never seen. A call that has seen a hundred creations superseded gets a
//	                      *[FutileError] that names the key: its creator changes it, or others never cease to.
//	G9  no early close    Nothing that a caller still holds is closed under it; see Ownership.
//	G10 close             Close cancels creations, waits for their creators, then closes every closer once, the youngest
//	                      first. From its first moment on, all calls get [ErrClosed] or find nothing.
//	G11 no stale fill     What was read before an invalidation cannot be filled in after it; see [Cache.Fill] and [Bus].
//	G12 batches           What GetOrCreateAll creates with one call keeps all of this key by key. Batches that overlap wait for
//	                      no more than what others have begun; a creation that waits for one of its keys waits for the batch.
//	G13 weights           The values in the cache weigh no more than MaxWeight, but for one for each call that has just
//	                      published its value and has yet to evict others. What alone is too heavy makes nothing else go.
//	G14 negative caching  With ErrorTTL an error is told, without another creation, to all who ask while it lasts. Every change
//	                      of the key ends it, and that of a creation which a change has superseded is not remembered. It is a
//	                      value to nobody: not found, not counted, not iterated over, no removal.
//	G15 refresh ahead     With RefreshAfter a hit on an older value has it created anew, once at a time, and waits for nothing.
//	                      The new value comes in the place of the very one that was hit, or not at all: G8, G9 and G10 hold
//	                      for it, and an error changes nothing.
//
// A caller that runs the creator itself has no goroutine on which to do anything else. So it learns of G8 and G10 when its
// creator, whose context ends at once, returns; and a Goexit in its creator ends it, as it does anywhere, after all others
// got their *[PanicError].
//
// Under Get, GetOrCreate, GetOrCreateAll, Set, Delete, Invalidate, the comparing calls and Close, each key is linearizable:
// every call takes effect at one moment between its beginning and its end. Package cachemodel has the model, and model_test.go
// checks histories against it. Iteration, Len and Stats are weaker and say how.
//
// # Cost
//
//	hit                   the Load of xsync and one check; no lock, no allocation, no write; with MaxEntries, TTL, RefreshAfter,
//	                      Count, or for closers, one atomic operation or two more
//	miss                  two bucket locks and three allocations; what the creator costs; if the context can end, a
//	                      goroutine and two allocations more, and three if the creator asks its context for its end or a value
//	GetOrCreateAll        a goroutine and some fifteen allocations for all that is missing, three and its bucket locks for each
//	Set, Delete, swaps    one bucket lock, and one allocation for a plain value that is put in; swaps that fail on the version
//	                      usually no lock
//	waiting for others    one short lock of the key's own
//	MaxEntries, MaxWeight,
//	TTL                   one lock per value that comes or goes, none per hit
//
// # Ownership
//
// A value that has a Close method belongs to the cache from the moment it is set or created. An object counts once, under
// however many keys it is. It is closed when it has left the cache and nobody can be using it:
//
//   - at once, if no caller has got it: an object that was superseded, or that was only ever set;
//   - when the last [Lease] is released, if callers got it from [Cache.Acquire] only;
//   - in Close, if any caller got it without a lease. Calling Close says that those are done.
//
// Leases alone would make the common case ugly, where a value lives as long as the cache; a rule alone ("callers must be
// done before they delete") is what users of bounded caches break without noticing, because eviction asks nobody. The price
// of the mixture is that a closer that was handed out without a lease and then removed is kept until Close. So use Acquire
// for closers that come and go.
//
// # What it cannot do
//
// It cannot stop a creator that ignores its context; such a creator holds up nobody but Close ([Cache.Shutdown] has a bound).
// It cannot see a cycle if a creator does not hand on its context: that one waits until its callers give up. Keys that are not equal to
// themselves are refused, and interface keys must be comparable, as in any map. It measures no sizes: a
// limit in bytes needs a Weigher.
package cache
