package races

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// This file and the two beside it adapt package lifecycle to the races' interfaces: R1 is about in-memory databases, R2
// to R5 run on the store in memory, as their reports do, and R6 and R7 on a file.

// ourEnginesSubject is lifecycle.Engines with its two callers.
type ourEnginesSubject struct {
	engines *lifecycle.Engines
	created *Openings

	mu   sync.Mutex
	seen []*lifecycle.Engine // in the order in which the callers got them; written and read under mu
}

func ourEngines(T) (Engines, error) {
	created := new(Openings)
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{Logger: slog.New(created)})
	if err != nil {
		return nil, err
	}
	return &ourEnginesSubject{engines: engines, created: created}, nil
}

// ForUnitOfWork makes the call with which UnitOfWork.Engine gets its engine, and ForMigrations the one with which Migrate does. The
// next step of both, bringing the schema up to date, takes hundreds of steps, and whether there are two engines is decided before.
func (s *ourEnginesSubject) ForUnitOfWork(ctx context.Context) (Engine, error) {
	return s.fit(s.engines.Engine(ctx, memoryURL))
}

func (s *ourEnginesSubject) ForMigrations(ctx context.Context) (Engine, error) {
	return s.fit(s.engines.Engine(ctx, memoryURL))
}

func (s *ourEnginesSubject) Created() int { return s.created.Count() }
func (s *ourEnginesSubject) Close() error { return s.engines.Close() }

func (s *ourEnginesSubject) fit(e *lifecycle.Engine, err error) (Engine, error) {
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.seen, e) {
		s.seen = append(s.seen, e)
	}
	return ourEngineSubject{s.engines, e, slices.Index(s.seen, e) + 1}, nil
}

type ourEngineSubject struct {
	engines *lifecycle.Engines
	engine  *lifecycle.Engine
	number  int
}

func (e ourEngineSubject) Number() int { return e.number }

func (e ourEngineSubject) Migrate(ctx context.Context) error { return e.engine.Migrate(ctx) }

func (e ourEngineSubject) CountPlans(ctx context.Context) (n int, err error) {
	return countPlans(ctx, e.engines)
}

// countPlans uses a unit of work on the engine's URL, because an engine does not expose its database.
func countPlans(ctx context.Context, engines *lifecycle.Engines) (n int, err error) {
	work := lifecycle.NewUnitOfWork(engines, memoryURL)
	err = work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
		plans, err := r.Plans.List(ctx)
		n = len(plans)
		return err
	})
	return n, err
}
