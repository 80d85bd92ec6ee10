package lifecycle

import (
	"context"

	"github.com/jacquard-go/jacquard/cache"
)

// postgresStore is the store on PostgreSQL.
//
// Every read asks the server, and must: that another machine has committed
// something is known there first, and a notification of it arrives after the
// commit has returned to its caller. What a cached plan saves is its document,
// which is neither sent nor decoded again while the plan has the same version.
type postgresStore struct {
	databaseStore
	counters  *counters
	planCache *cache.Cache[string, Plan]
}

// openStore implements database.
func (d *postgresDatabase) openStore(c *counters) (store, error) {
	plans, err := cache.New(cache.Config[string, Plan]{})
	return &postgresStore{databaseStore{d}, c, plans}, err
}

func (s *postgresStore) action(ctx context.Context, name Name) (a Action, err error) {
	err = s.database.read(ctx, func(ctx context.Context, se session) error {
		a, err = repositories(se).Actions.Get(ctx, name)
		return err
	})
	s.counters.looked(false, false) // an action is small
	return a, err
}

// plan returns a plan as it is now. Which of several readers fills the cache
// last does not matter: an older version is only a worse thing to know.
func (s *postgresStore) plan(ctx context.Context, id string) (p Plan, err error) {
	known, cached := s.planCache.Get(id)
	known.ID = id
	err = s.database.read(ctx, func(ctx context.Context, se session) error {
		p, err = repositories(se).Plans.getKnowing(ctx, known)
		return err
	})
	if err != nil {
		return Plan{}, err
	}
	s.counters.looked(cached, p.Version == known.Version)
	if p.Version != known.Version {
		_ = s.planCache.Set(id, p) // refused only while the service closes
	}
	return p.clone(), nil
}

// close empties the cache. The database belongs to its engine.
func (s *postgresStore) close() error { return s.planCache.Close() }
