package cache

import (
	"fmt"
	"time"
)

// Config configures a [Cache]. The zero value is a working default: unbounded, nothing expires, no hook, no counters.
type Config[K comparable, V any] struct {
	// Shards is the number of independent tables that the keys are spread over: a power of two, at most 4096. Zero means
	// one. Writers of different keys rarely meet in one table, because each of its buckets has its own lock; but when a
	// table grows, its writers wait, which takes some 100 ms at a million entries. Several shards divide that wait and
	// add about 5 ns to every operation. Readers never wait.
	Shards int

	// Capacity is the number of entries to allocate for in advance, so that no table has to grow before it holds that
	// many, at most 1<<32. Zero means none. It is not a limit.
	Capacity int

	// MaxEntries limits the number of values. Beyond it the SIEVE policy (see sieve.go) evicts one value for each new
	// one. Creations under way do not count. Each call that has just published its value can exceed the limit by one
	// until it has evicted another. Zero means no limit.
	MaxEntries int

	// MaxWeight limits the sum of the weights of all values, in the unit that Weigher uses, such as bytes. SIEVE evicts
	// as many values as each new one needs. A value heavier than MaxWeight is given to its waiters and evicted at once,
	// and evicts no others. MaxWeight and MaxEntries can be combined. Zero means no limit.
	MaxWeight int64

	// Weigher returns the weight of a value. It is called once for each value, before the value is stored, under no lock.
	// It must be a pure function of key and value; a negative weight counts as zero. MaxWeight needs it, and without
	// MaxWeight it is refused. If it panics, the panic reaches the caller that sets the value, and the cache does not
	// take the value; a created value is closed, and its waiters get a *[PanicError].
	Weigher func(key K, value V) int64

	// TTL is how long a value lives after it was created or set. An expired value is never returned. It leaves memory
	// when its key is asked for, when later values are added, or with [Cache.Sweep]. Zero means for ever.
	TTL time.Duration

	// RefreshAfter is the age at which a value is created anew while callers still get the old one (refresh ahead). A
	// GetOrCreate or Acquire that hits such a value returns it at once and runs its creator on another goroutine, one at
	// a time for each key. The new value replaces the old one, unless the key was changed or lost its value meanwhile:
	// then the creator's context ends, and what it still returns is closed. An error keeps the old value, until TTL ends
	// it. Stats counts the error, no caller gets it, and the first hit after another RefreshAfter tries again. Close also
	// reports a panic. Values that were set are refreshed as well. Hits of Get and GetOrCreateAll start no refresh, since
	// they have no creator for one key. RefreshAfter must be less than TTL, if TTL is set. Zero means never.
	RefreshAfter time.Duration

	// ErrorTTL, if not nil, makes the cache remember errors (negative caching). It returns how long callers get a
	// creator's error for key instead of another creation; zero or less means not at all. The lifetime depends on the
	// error, because "there is none" lasts and "try again later" does not.
	//
	// ErrorTTL is called once for each error and key, before any waiter gets the error, under no lock, also for
	// [ErrNoValue]. If it panics, waiters get that panic. A *[PanicError] is never remembered, and ErrorTTL not called.
	//
	// Any change of the key forgets the error. With MaxEntries at most that many errors are remembered, in addition to
	// the values; the one that expires first is dropped. An expired error leaves memory when its key is asked for, when
	// other errors are added, or with [Cache.Sweep].
	ErrorTTL func(key K, err error) time.Duration

	// Now is the clock for TTL, RefreshAfter and ErrorTTL; nil means [time.Now]. It is called under no lock.
	Now func() time.Time

	// OnRemoval, if not nil, is called once for each value after it has left the cache, and for each created object that
	// never entered it, on the goroutine that caused it, under no lock. The value is not closed before the call returns.
	// A panic in it does not reach that goroutine's caller; [Cache.Close] reports it.
	OnRemoval func(Removal[K, V])

	// Count turns on the counters of [Cache.Stats], at the cost of an atomic addition per call.
	Count bool
}

const maxShards = 4096

// maxCapacity is the largest table that the map can make in advance: it counts buckets in 32 bits.
const maxCapacity = 1 << 32

// checked returns the configuration with its defaults filled in, or an error that names the invalid field.
func (cfg Config[K, V]) checked() (Config[K, V], error) {
	if cfg.Shards == 0 {
		cfg.Shards = 1
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	switch {
	case cfg.Shards < 0 || cfg.Shards > maxShards || cfg.Shards&(cfg.Shards-1) != 0:
		return cfg, fmt.Errorf("cache: Config.Shards is %d, want a power of two up to %d", cfg.Shards, maxShards)
	case cfg.Capacity < 0 || int64(cfg.Capacity) > maxCapacity:
		return cfg, fmt.Errorf("cache: Config.Capacity is %d, want 0 to %d", cfg.Capacity, int64(maxCapacity))
	case cfg.MaxEntries < 0:
		return cfg, fmt.Errorf("cache: Config.MaxEntries is %d, want 0 or more", cfg.MaxEntries)
	case cfg.MaxWeight < 0:
		return cfg, fmt.Errorf("cache: Config.MaxWeight is %d, want 0 or more", cfg.MaxWeight)
	case (cfg.MaxWeight > 0) != (cfg.Weigher != nil):
		return cfg, fmt.Errorf("cache: Config.MaxWeight is %d, with a Weigher: %v; want both or none", cfg.MaxWeight, cfg.Weigher != nil)
	case cfg.TTL < 0:
		return cfg, fmt.Errorf("cache: Config.TTL is %v, want 0 or more", cfg.TTL)
	case cfg.RefreshAfter < 0:
		return cfg, fmt.Errorf("cache: Config.RefreshAfter is %v, want 0 or more", cfg.RefreshAfter)
	case cfg.TTL > 0 && cfg.RefreshAfter >= cfg.TTL:
		return cfg, fmt.Errorf("cache: Config.RefreshAfter is %v, want less than TTL, which is %v", cfg.RefreshAfter, cfg.TTL)
	}
	return cfg, nil
}
