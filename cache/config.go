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

	// Capacity is the number of entries to make room for in advance, so that no table has to grow before there are that
	// many. Zero means none. It is no limit.
	Capacity int

	// MaxEntries limits the number of values. Beyond it the SIEVE policy evicts one for each that comes; see sieve.go for
	// what that means. Creations under way do not count, and while calls are under way there can be one more for each.
	// Zero means no limit.
	MaxEntries int

	// MaxWeight limits the sum of the weights of all values, in whatever unit Weigher gives, such as bytes. The same policy
	// evicts as many as have to go for each that comes. A value that alone is heavier than that is given to those who wait
	// for it and evicted at once; nothing else goes for it. MaxWeight and MaxEntries can be combined. Zero means no limit.
	MaxWeight int64

	// Weigher returns the weight of a value. It is called once for each value, before it is put in, under no lock, and must
	// give what it would give at any later time; a weight below zero counts as zero. It is needed for MaxWeight, and of no
	// use without. A panic in it is one of the call that sets the value, which then is not taken; a created value is
	// closed, and those who wait for it get a *[PanicError].
	Weigher func(key K, value V) int64

	// TTL is how long a value lives after it was created or set. An expired value is never returned. It leaves memory
	// when its key is asked for, when later values come, or with [Cache.Sweep]. Zero means for ever.
	TTL time.Duration

	// RefreshAfter is the age from which on a value is created anew while those who ask for it still get it (refresh ahead).
	// A GetOrCreate or an Acquire that hits such a value returns it at once, and has its creator run on a goroutine of its
	// own; one at a time for a key. What that returns takes the value's place, unless the key was changed or lost its
	// value meanwhile: then its context ends, and what it still returns is closed as one that came too late. An error leaves
	// the value as it is, until TTL ends it; it is told to nobody but counted, and the first hit after as long again tries again.
	// A panic is an error of [Cache.Close] besides. Values that were set are refreshed too; hits of Get and GetOrCreateAll
	// start nothing, since they have no creator for one key. It must be less than TTL, if there is one. Zero means never.
	RefreshAfter time.Duration

	// ErrorTTL, if not nil, has errors remembered (negative caching). It returns how long the error that a creator gave for
	// a key is told to those who ask for the key, in the place of another creation; zero or less means not at all. It is a
	// lifetime like TTL, but one for each error, because "there is none" lasts and "try again later" does not.
	//
	// It is asked once for each error and key, before anyone is told, under no lock, also about [ErrNoValue]; a panic in it
	// is told instead. It is never asked about a *[PanicError], which is not remembered.
	//
	// Any change of the key ends the error. With MaxEntries no more errors than that are remembered, beside the values; the
	// one with the least time left goes. An expired error leaves memory when its key is asked for, when other errors come,
	// or with [Cache.Sweep].
	ErrorTTL func(key K, err error) time.Duration

	// Now is the clock for TTL, RefreshAfter and ErrorTTL; nil means [time.Now]. It is called under no lock.
	Now func() time.Time

	// OnRemoval, if not nil, is called once for each value that leaves the cache, and for each object that was created in
	// vain, after the fact, on the goroutine that caused it, under no lock. The value is not closed before the call returns;
	// when it is closed is not up to the hook. A panic in it does not reach the caller but the error of [Cache.Close].
	OnRemoval func(Removal[K, V])

	// Count turns the counters of [Cache.Stats] on. That costs an atomic addition per call.
	Count bool
}

const maxShards = 4096

// checked returns the configuration with its defaults filled in, or says what is wrong with it.
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
	case cfg.Capacity < 0:
		return cfg, fmt.Errorf("cache: Config.Capacity is %d, want 0 or more", cfg.Capacity)
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
