package lifecycle

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/cache"
)

// sqliteStore is the store on SQLite. What it returns of single actions and
// plans comes from its own caches if that is proved current.
type sqliteStore struct {
	databaseStore
	sqlite      *sqliteDatabase
	counters    *counters
	actionCache *cache.Cache[Name, stamped[Action]]
	planCache   *cache.Cache[string, stamped[Plan]]
}

// stamped is a value as it was in the state of the database that the stamp
// identifies, or a later one.
type stamped[V any] struct {
	stamp stamp
	value V
}

// openStore implements database.
func (d *sqliteDatabase) openStore(c *counters) (store, error) {
	actions, err1 := cache.New(cache.Config[Name, stamped[Action]]{})
	plans, err2 := cache.New(cache.Config[string, stamped[Plan]]{})
	return &sqliteStore{databaseStore{d}, d, c, actions, plans}, errors.Join(err1, err2)
}

// current returns the value of key in the latest committed state. It reads
// the stamp of that state first: if the cached value has the same one, then
// nothing at all was committed since before it was read, by anyone, and it is
// served. Otherwise the value is read and cached under that stamp; should
// somebody commit between the two reads, the stamp is too old already, and the
// entry is never served.
//
// Concurrent misses are not collapsed into one read (GetOrCreate): a read that
// began before a commit would answer a caller who came after it.
func current[K comparable, V any](
	ctx context.Context, s *sqliteStore, c *cache.Cache[K, stamped[V]], key K, read func(Repositories) (V, error),
) (V, error) {
	var v V
	err := s.sqlite.read(ctx, func(ctx context.Context, se session) error {
		now, err := s.sqlite.stamp(ctx)
		if err != nil {
			return err
		}
		cached, ok := c.Get(key)
		s.counters.looked(ok, cached.stamp == now)
		if ok && cached.stamp == now {
			v = cached.value
			return nil
		}
		if v, err = read(repositories(se)); err != nil {
			return err
		}
		_ = c.Set(key, stamped[V]{now, v}) // refused only while the service closes
		return nil
	})
	return v, err
}

func (s *sqliteStore) action(ctx context.Context, name Name) (Action, error) {
	a, err := current(ctx, s, s.actionCache, name, func(r Repositories) (Action, error) {
		return r.Actions.Get(ctx, name)
	})
	return a.clone(), err
}

func (s *sqliteStore) plan(ctx context.Context, id string) (Plan, error) {
	p, err := current(ctx, s, s.planCache, id, func(r Repositories) (Plan, error) {
		return r.Plans.Get(ctx, id)
	})
	return p.clone(), err
}

// close empties the caches. The database belongs to its engine.
func (s *sqliteStore) close() error {
	return errors.Join(s.planCache.Close(), s.actionCache.Close())
}
