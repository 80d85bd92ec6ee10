package lifecycle

import (
	"context"
	"errors"
	"time"

	"github.com/jacquard-go/jacquard/cache"
)

// sqliteStore is the store on SQLite. The database is the authority: every
// decision is taken by a statement or a transaction. What it returns of single
// actions and plans may come from its own cache, if that is proved current.
type sqliteStore struct {
	engine *Engine
	work   *UnitOfWork

	actionCache *cache.Cache[Name, stamped[Action]]
	planCache   *cache.Cache[string, stamped[Plan]]
}

func newSQLiteStore(engine *Engine, engines *Engines) (*sqliteStore, error) {
	actions, err1 := cache.New(cache.Config[Name, stamped[Action]]{})
	plans, err2 := cache.New(cache.Config[string, stamped[Plan]]{})
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return &sqliteStore{
		engine: engine, work: NewUnitOfWork(engines, engine.URL()),
		actionCache: actions, planCache: plans,
	}, nil
}

// stamped is a value as it was in the state of the database that the stamp
// identifies, or a later one.
type stamped[V any] struct {
	stamp stamp
	value V
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
	ctx context.Context, e *Engine, c *cache.Cache[K, stamped[V]], key K, read func(Repositories) (V, error),
) (V, error) {
	var v V
	err := e.read(ctx, func(l *lane) error {
		now, err := e.stamp(ctx)
		if err != nil {
			return err
		}
		if cached, ok := c.Get(key); ok && cached.stamp == now {
			v = cached.value
			return nil
		}
		if v, err = read(repositories(l)); err != nil {
			return err
		}
		_ = c.Set(key, stamped[V]{now, v}) // refused only while the service closes
		return nil
	})
	return v, err
}

func (s *sqliteStore) insertAction(ctx context.Context, a Action) error {
	return s.engine.write(ctx, func(l *lane) error { return repositories(l).Actions.Insert(ctx, a) })
}

func (s *sqliteStore) action(ctx context.Context, name Name) (Action, error) {
	a, err := current(ctx, s.engine, s.actionCache, name, func(r Repositories) (Action, error) {
		return r.Actions.Get(ctx, name)
	})
	return a.clone(), err
}

func (s *sqliteStore) actions(ctx context.Context) (all []Action, err error) {
	err = s.engine.read(ctx, func(l *lane) error {
		all, err = repositories(l).Actions.List(ctx)
		return err
	})
	return all, err
}

func (s *sqliteStore) archiveAction(ctx context.Context, name Name, at time.Time) (a Action, err error) {
	err = s.work.Transaction(ctx, func(ctx context.Context, r Repositories) error {
		a, err = r.Actions.Archive(ctx, name, at)
		return err
	})
	return a, err
}

func (s *sqliteStore) insertPlan(ctx context.Context, p Plan) (Plan, error) {
	err := s.work.Transaction(ctx, func(ctx context.Context, r Repositories) error {
		if _, err := r.Actions.Use(ctx, p.Action, p.CreatedAt); err != nil {
			return err
		}
		var err error
		p, err = r.Plans.Insert(ctx, p)
		return err
	})
	return p, err
}

func (s *sqliteStore) plan(ctx context.Context, id string) (Plan, error) {
	p, err := current(ctx, s.engine, s.planCache, id, func(r Repositories) (Plan, error) {
		return r.Plans.Get(ctx, id)
	})
	return p.clone(), err
}

func (s *sqliteStore) plans(ctx context.Context) (all []Plan, err error) {
	err = s.engine.read(ctx, func(l *lane) error {
		all, err = repositories(l).Plans.List(ctx)
		return err
	})
	return all, err
}

func (s *sqliteStore) swapPlan(ctx context.Context, next Plan, held int64) (p Plan, swapped bool, err error) {
	err = s.work.Transaction(ctx, func(ctx context.Context, r Repositories) error {
		p, swapped, err = r.Plans.Swap(ctx, next, held)
		return err
	})
	return p, swapped, err
}

func (s *sqliteStore) startChangeset(ctx context.Context, planID, id string, at time.Time) error {
	return s.work.Transaction(ctx, func(ctx context.Context, r Repositories) error {
		return r.Changesets.Start(ctx, planID, id, at)
	})
}

func (s *sqliteStore) recordChange(ctx context.Context, planID string, entry Entry) (id string, err error) {
	err = s.work.Transaction(ctx, func(ctx context.Context, r Repositories) error {
		id, err = r.Changesets.Record(ctx, planID, entry)
		return err
	})
	return id, err
}

func (s *sqliteStore) finishChangeset(ctx context.Context, planID, id string, at time.Time) error {
	return s.engine.write(ctx, func(l *lane) error {
		return repositories(l).Changesets.Finish(ctx, planID, id, at)
	})
}

func (s *sqliteStore) changesets(ctx context.Context, planID string) (all []Changeset, err error) {
	err = s.engine.read(ctx, func(l *lane) error {
		all, err = repositories(l).Changesets.List(ctx, planID)
		return err
	})
	return all, err
}

// close empties the caches. The engine belongs to its Engines.
func (s *sqliteStore) close() error {
	return errors.Join(s.planCache.Close(), s.actionCache.Close())
}
