package peers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Cache is a library's cache behind an adapter. All methods are safe for concurrent use.
type Cache[K comparable, V any] interface {
	// GetOrCreate returns the value of key and, if there is none, calls create to make it. What happens when several callers
	// ask, or when create fails, is what the guarantees are about.
	GetOrCreate(ctx context.Context, key K, create func(context.Context) (V, error)) (V, error)
	// Get returns the value of key if there is one.
	Get(key K) (V, bool)
	// Set makes v the value of key. It reports whether the cache took it.
	Set(key K, v V) bool
	// Delete removes the value of key.
	Delete(key K)
}

// Features that only some caches have.
type (
	// An Invalidator has a call for values that are out of date, in addition to Delete.
	Invalidator[K comparable] interface{ Invalidate(key K) }
	// A Ranger iterates over its values.
	Ranger[K comparable, V any] interface{ Range(f func(K, V) bool) }
	// A Closer can be closed, after which it must not be used. Close returns when the cache's own goroutines have
	// been told to end.
	Closer interface{ Close() error }
	// A Versioner changes a value only if it is still the one that was read.
	Versioner[K comparable, V any] interface {
		GetVersion(key K) (v V, version uint64, ok bool)
		CompareAndSwap(key K, version uint64, v V) bool
		CompareAndDelete(key K, version uint64) bool
	}
	// A Leaser hands out values that are not closed before they are released.
	Leaser[K comparable, V any] interface {
		Acquire(ctx context.Context, key K, create func(context.Context) (V, error)) (v V, release func(), err error)
	}
	// A Stamper refuses to be filled with a value that was read before an invalidation. The function that Stamp returns
	// fills in a value that was read after Stamp, and reports whether the cache took it.
	Stamper[K comparable, V any] interface {
		Stamp(key K) (fill func(v V) bool)
	}
)

// A Name names a peer.
type Name string

// The peers. Ours comes first.
const (
	Ours         Name = "jacquard"
	OtterName    Name = "otter"
	TheineName   Name = "theine"
	TTLCacheName Name = "ttlcache"
	SturdycName  Name = "sturdyc"
	SyncMapName  Name = "sync.Map"
	XsyncName    Name = "xsync"
	FlightName   Name = "singleflight"
)

var names = []Name{Ours, OtterName, TheineName, TTLCacheName, SturdycName, SyncMapName, XsyncName, FlightName}

// All returns the names of all peers, ours first.
func All() []Name { return slices.Clone(names) }

// Errors of this package.
var (
	// ErrUnknown says that there is no peer of that name.
	ErrUnknown = errors.New("peers: no such peer")
	// ErrKeys says that the peer cannot have keys of that type.
	ErrKeys = errors.New("peers: no keys of that type")
	// ErrNoValue is returned by an adapter if its library gave neither a value nor an error.
	ErrNoValue = errors.New("peers: neither a value nor an error")
)

// Open returns a new, empty cache of the peer named, with room for capacity entries, which it never has to evict as
// long as there are no more. The error is [ErrUnknown], [ErrKeys], or the library's.
func Open[K comparable, V any](name Name, capacity int) (Cache[K, V], error) {
	switch name {
	case Ours:
		return NewJacquard[K, V](capacity)
	case OtterName:
		return NewOtter[K, V](capacity)
	case TheineName:
		return NewTheine[K, V](capacity)
	case TTLCacheName:
		return NewTTLCache[K, V](), nil
	case SturdycName:
		c, ok := any(NewSturdyc[V](capacity)).(Cache[K, V])
		if !ok {
			return nil, fmt.Errorf("%w: sturdyc has string keys, got %T", ErrKeys, *new(K))
		}
		return c, nil
	case SyncMapName:
		return &SyncMap[K, V]{}, nil
	case XsyncName:
		return NewXsync[K, V](capacity), nil
	case FlightName:
		return NewSingleflight[K, V](capacity), nil
	}
	return nil, fmt.Errorf("%w: got %q, want one of %s", ErrUnknown, name, list())
}

func list() string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = string(n)
	}
	return strings.Join(all, ", ")
}
