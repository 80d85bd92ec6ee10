package lifecycle

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/sqlite"
)

// sqliteStore is the store on SQLite. It serves actions and plans, single ones and listings, from
// its own caches if they are proved current.
type sqliteStore struct {
	databaseStore
	sqlite   *sqlite.Database
	counters *counters

	actionCache *cache.Cache[Name, *stamped[Action]]
	planCache   *cache.Cache[string, *stamped[Plan]]
	actionList  *cache.Cache[list, *stamped[[]Action]]
	planList    *cache.Cache[list, *stamped[[]Plan]]
}

// stamped is a value as it was in the state of the database that the stamp identifies, or a later
// one. The value is never changed.
type stamped[V any] struct {
	stamp sqlite.Stamp
	value *V
}

func newSQLiteStore(d *sqlite.Database, c *counters) (store, error) {
	actions, err1 := cache.New(cache.Config[Name, *stamped[Action]]{})
	plans, err2 := cache.New(cache.Config[string, *stamped[Plan]]{})
	actionList, err3 := cache.New(cache.Config[list, *stamped[[]Action]]{Shards: 1})
	planList, err4 := cache.New(cache.Config[list, *stamped[[]Plan]]{Shards: 1})
	return &sqliteStore{
		databaseStore: databaseStore{d}, sqlite: d, counters: c,
		actionCache: actions, planCache: plans, actionList: actionList, planList: planList,
	}, errors.Join(err1, err2, err3, err4)
}

// current returns the value of key in the latest committed state. It reads the stamp of that state
// first. If the cached value has the same stamp, nothing was committed since before it was read, by
// any connection, and it is served. Otherwise the value is read and cached under the new stamp. If
// another commit comes between the two reads, that stamp is already outdated, and the entry is
// never served.
//
// Concurrent misses are not merged into one read (GetOrCreate), because a read that began before a
// commit would answer a caller that came after the commit.
func current[K comparable, V any, P interface{ *stamped[V] }](
	ctx context.Context, s *sqliteStore, c *cache.Cache[K, P], key K, read func() (V, error),
) (*V, error) {
	now, err := s.sqlite.Latest(ctx)
	if err != nil {
		return nil, err
	}
	cached, ok := c.Get(key)
	valid := ok && (*stamped[V])(cached).stamp == now
	s.counters.looked(ok, valid)
	if valid {
		return (*stamped[V])(cached).value, nil
	}
	v, err := read()
	if err != nil {
		if errors.Is(err, ErrNotFound) {
			c.Delete(key) // it was deleted
		}
		return nil, err
	}
	_ = c.Set(key, &stamped[V]{now, &v}) // refused only while the service closes
	return &v, nil
}

func (s *sqliteStore) action(ctx context.Context, name Name) (Action, error) {
	return domain.Cloned(current(ctx, s, s.actionCache, name, func() (Action, error) { return s.databaseStore.action(ctx, name) }))
}

func (s *sqliteStore) actions(ctx context.Context) ([]Action, error) {
	return domain.ClonedAll(current(ctx, s, s.actionList, theList, func() ([]Action, error) { return s.databaseStore.actions(ctx) }))
}

func (s *sqliteStore) plan(ctx context.Context, id string) (Plan, error) {
	return domain.Cloned(current(ctx, s, s.planCache, id, func() (Plan, error) { return s.databaseStore.plan(ctx, id) }))
}

func (s *sqliteStore) plans(ctx context.Context) ([]Plan, error) {
	return domain.ClonedAll(current(ctx, s, s.planList, theList, func() ([]Plan, error) { return s.databaseStore.plans(ctx) }))
}

// close empties the caches. The database belongs to its engine.
func (s *sqliteStore) close() error {
	return errors.Join(s.planList.Close(), s.actionList.Close(), s.planCache.Close(), s.actionCache.Close())
}
