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

// OpenOn opens a service on whatever database a connector leads to: the tests
// put faults between the service and SQLite with it. The engine is the one of
// url in engines from then on.
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

// InsertPlan puts a plan with an identifier of the caller's choice into the
// service's store.
func (s *Service) InsertPlan(ctx context.Context, p Plan) (Plan, error) {
	a, err := s.store.action(ctx, p.Action)
	if err != nil {
		return Plan{}, err
	}
	return s.store.insertPlan(ctx, p, a)
}

// InsertPlanOf does so on what the caller takes for the plan's action.
func (s *Service) InsertPlanOf(ctx context.Context, p Plan, of Action) error {
	_, err := s.store.insertPlan(ctx, p, of)
	return err
}

// StartChangesetAs starts a changeset with an identifier of the caller's choice.
func (s *Service) StartChangesetAs(ctx context.Context, planID, id string) error {
	return s.store.startChangeset(ctx, planID, id, time.Unix(0, 0).UTC(), 0)
}

// SwapPlan is the store's.
func (s *Service) SwapPlan(ctx context.Context, next Plan, held int64) (Plan, bool, error) {
	return s.store.swapPlan(ctx, next, held, 0)
}

// Cached reports whether the service has caches, in front of a database.
func (s *Service) Cached() bool { return s.engine != nil }

type uncached struct{ *databaseStore }

func (uncached) close() error { return nil }

// Uncached returns a service that reads all from the same database, as it would
// without any cache. It need not be closed.
func (s *Service) Uncached() *Service {
	return &Service{
		store: uncached{&databaseStore{engine.On(s.engine)}}, engine: s.engine,
		clock: s.clock, ids: s.ids, logger: s.logger, bell: s.bell, poll: s.poll,
	}
}

// Engine is the engine that the service is on.
func (s *Service) Engine() *Engine { return s.engine }

// ProcessEngines is how many engines the process has for services without
// Config.Engines.
func ProcessEngines() int { return process.Len() }

// HoldListing begins a listing of a service in memory, which ends when the
// function that it returns is called.
func (s *Service) HoldListing() (done func()) {
	_, done = s.store.(*memoryStore).history.List()
	return done
}

// VersionsKept is how many versions of a plan a service in memory keeps.
func (s *Service) VersionsKept(planID string) (kept int) {
	n, _ := s.store.(*memoryStore).planCache.Get(planID)
	for ; n != nil; n = n.Past() {
		kept++
	}
	return kept
}

// Late is the repository in a transaction whose first update comes before another
// has created the action.
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
