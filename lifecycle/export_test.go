package lifecycle

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle/internal/databases"
	"github.com/jacquard-go/jacquard/lifecycle/internal/engine"
	"github.com/jacquard-go/jacquard/lifecycle/internal/schema"
	"github.com/jacquard-go/jacquard/lifecycle/internal/sqlite"
)

// OpenOn opens a service on the database of a connector. With it, tests inject
// faults between the service and SQLite. The engine becomes that of url in its
// engines.
func OpenOn(ctx context.Context, connector driver.Connector, url string, cfg EnginesConfig) (*Service, error) {
	engines, err := engine.New(cfg, func(_ context.Context, u databases.URL, cfg EnginesConfig) (engine.Database, error) {
		return sqlite.On(sql.OpenDB(connector), u, cfg, schema.SQLite()), nil
	})
	if err != nil {
		return nil, err
	}
	s, err := Open(ctx, Config{URL: url, Engines: engines})
	if err != nil {
		_ = engines.Close()
		return nil, err
	}
	s.giveBack = engines.Close
	return s, nil
}

// InsertPlan stores a plan with an identifier chosen by the caller.
func (s *Service) InsertPlan(ctx context.Context, p Plan) (Plan, error) {
	a, err := s.store.action(ctx, p.Action)
	if err != nil {
		return Plan{}, err
	}
	return s.store.insertPlan(ctx, p, a)
}

// InsertPlanOf does so with what the caller holds for the plan's action.
func (s *Service) InsertPlanOf(ctx context.Context, p Plan, of Action) error {
	_, err := s.store.insertPlan(ctx, p, of)
	return err
}

// StartChangesetAs starts a changeset with an identifier chosen by the caller.
func (s *Service) StartChangesetAs(ctx context.Context, planID, id string) error {
	return s.store.startChangeset(ctx, planID, id, time.Unix(0, 0).UTC(), 0)
}

// SwapPlan is the store's.
func (s *Service) SwapPlan(ctx context.Context, next Plan, held int64) (Plan, bool, error) {
	return s.store.swapPlan(ctx, next, held, 0)
}

// Cached reports whether the service caches what a database has.
func (s *Service) Cached() bool { return s.engine != nil }

type uncached struct{ *databaseStore }

func (uncached) close() error { return nil }

// Uncached returns a service that reads everything from the same database,
// without a cache. It need not be closed.
func (s *Service) Uncached() *Service {
	return &Service{
		store: uncached{&databaseStore{engine.On(s.engine)}}, engine: s.engine,
		clock: s.clock, ids: s.ids, logger: s.logger, bell: s.bell, poll: s.poll,
	}
}

// Engine returns the service's engine.
func (s *Service) Engine() *Engine { return s.engine }

// ProcessEngines returns the number of the process's engines, which services
// without Config.Engines use.
func ProcessEngines() int { return process.Len() }

// HoldListing begins a listing of a service in memory. It ends when the returned
// function is called.
func (s *Service) HoldListing() (done func()) {
	_, done = s.store.(*memoryStore).history.List()
	return done
}

// VersionsKept returns how many versions of a plan a service in memory keeps.
func (s *Service) VersionsKept(planID string) (kept int) {
	n, _ := s.store.(*memoryStore).planCache.Get(planID)
	for ; n != nil; n = n.Past() {
		kept++
	}
	return kept
}

// Late returns the repository in a transaction whose first update runs before
// another caller has created the action.
func (r *ActionRepository) Late() *ActionRepository {
	return &ActionRepository{&late{session: r.session}}
}

type late struct {
	session
	updates int
}

func (l *late) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if l.updates++; l.updates == 1 {
		return 0, nil
	}
	return l.session.Exec(ctx, query, args...)
}
