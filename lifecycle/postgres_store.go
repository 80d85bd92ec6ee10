package lifecycle

import (
	"context"
	"errors"

	"github.com/jacquard-go/jacquard/cache"
	"github.com/jacquard-go/jacquard/lifecycle/internal/domain"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
)

// postgresStore is the store on PostgreSQL.
//
// Every read asks the server, and must. A value cached here is current only if it has not been
// changed since, and other machines change it without this process: they share no memory with it,
// as connections to a SQLite file do, and a notification arrives after the commit has returned to
// its caller. Leases that writers wait out, or writers that ask every reader first, would work, but
// either makes writers wait for machines that may be gone. So a read costs a round trip.
//
// A cached plan saves its document, which is neither sent nor decoded again while the plan has the
// same version. Actions and listings are always read whole.
type postgresStore struct {
	databaseStore
	counters  *counters
	planCache *cache.Cache[string, *Plan]
}

func newPostgresStore(d engine.Database, c *counters) (store, error) {
	plans, err := cache.New(cache.Config[string, *Plan]{})
	return &postgresStore{databaseStore{d}, c, plans}, err
}

func (s *postgresStore) action(ctx context.Context, name Name) (Action, error) {
	s.counters.looked(false, false)
	return s.databaseStore.action(ctx, name)
}

func (s *postgresStore) actions(ctx context.Context) ([]Action, error) {
	s.counters.looked(false, false)
	return s.databaseStore.actions(ctx)
}

func (s *postgresStore) plans(ctx context.Context) ([]Plan, error) {
	s.counters.looked(false, false)
	return s.databaseStore.plans(ctx)
}

// plan returns the latest plan. If several readers race, it does not matter which fills the cache
// last: an older version only saves less.
func (s *postgresStore) plan(ctx context.Context, id string) (p Plan, err error) {
	known := Plan{ID: id}
	kept, cached := s.planCache.Get(id)
	if cached {
		known = *kept
	}
	err = s.database.Read(ctx, func(ctx context.Context, se session) error {
		p, err = repositories(se).Plans.getKnowing(ctx, known)
		return err
	})
	if err != nil {
		if errors.Is(err, ErrNotFound) {
			s.planCache.Delete(id) // it was deleted, and identifiers are never reused
		}
		return Plan{}, err
	}
	s.counters.looked(cached, p.Version == known.Version)
	if p.Version != known.Version {
		read := p
		_ = s.planCache.Set(id, &read) // refused only while the service closes
	}
	return domain.Clone(p), nil
}

// close empties the cache. The database belongs to its engine.
func (s *postgresStore) close() error { return s.planCache.Close() }
