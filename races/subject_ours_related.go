package races

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// This file adapts package lifecycle to the related races: N1 is about an in-memory database, the others about a file.

// ourMigrationsSubject is two units of work on the engine of an in-memory URL, which is open and not migrated.
type ourMigrationsSubject struct {
	engines *lifecycle.Engines
	seen    *Openings
}

func ourMigrations(t T) (Migrations, error) {
	seen := new(Openings)
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{Logger: slog.New(seen)})
	if err != nil {
		return nil, err
	}
	if _, err := engines.Engine(t.Context(), memoryURL); err != nil {
		return nil, errors.Join(err, engines.Close())
	}
	return ourMigrationsSubject{engines, seen}, nil
}

func (s ourMigrationsSubject) A() Migrator {
	return ourMigrator{lifecycle.NewUnitOfWork(s.engines, memoryURL)}
}
func (s ourMigrationsSubject) B() Migrator {
	return ourMigrator{lifecycle.NewUnitOfWork(s.engines, memoryURL)}
}
func (s ourMigrationsSubject) Close() error { return s.engines.Close() }

// Migrated reads the schema, and returns how often package lifecycle has logged a migration.
func (s ourMigrationsSubject) Migrated(ctx context.Context) (int, error) {
	_, err := countPlans(ctx, s.engines)
	return s.seen.Migrated(), err
}

type ourMigrator struct{ work *lifecycle.UnitOfWork }

// Migrate makes the call with which a transaction of the unit of work begins.
func (m ourMigrator) Migrate(ctx context.Context) error {
	_, err := m.work.Engine(ctx)
	return err
}

// ourRefusedSubject is one service on a file that refuses commits.
type ourRefusedSubject struct {
	*ourFile
	ourInstanceSubject
}

func ourRefused(t T) (Refused, error) {
	file, err := openOurFile(t, 1, refuseCommits)
	if err != nil {
		return nil, err
	}
	s := ourRefusedSubject{file, ourInstanceSubject{file.services[0], queuedPlan}}
	if _, err := s.Position(t.Context()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s ourRefusedSubject) Listed(ctx context.Context) (lifecycle.Position, error) {
	plans, err := s.service.ListPlans(ctx)
	for _, plan := range plans {
		if plan.ID == s.planID {
			return plan.Position(), err
		}
	}
	return lifecycle.Position{}, errors.Join(errNotListed, err)
}

type ourWorkersSubject struct{ *ourFile }

func ourWorkers(t T) (Workers, error) {
	file, err := openOurFile(t, 2, nil)
	if err != nil {
		return nil, err
	}
	return ourWorkersSubject{file}, nil
}

func (s ourWorkersSubject) A() Worker { return ourWorker{ourInstanceSubject{s.services[0], readyPlan}} }
func (s ourWorkersSubject) B() Worker { return ourWorker{ourInstanceSubject{s.services[1], readyPlan}} }

type ourWorker struct{ ourInstanceSubject }

// Execute does what the documentation of package lifecycle tells a worker to do: start, work, and report the result.
func (w ourWorker) Execute(ctx context.Context, work func() error) error {
	if _, err := w.service.StartExecute(ctx, w.planID); err != nil {
		return err
	}
	if failed := work(); failed != nil {
		_, err := w.service.FailExecute(ctx, w.planID, lifecycle.Failure{Message: failed.Error()})
		return err
	}
	_, err := w.service.CompleteExecute(ctx, w.planID)
	return err
}

func (w ourWorker) Resume(ctx context.Context) error {
	_, err := w.service.Resume(ctx, w.planID)
	return err
}

type ourRecordersSubject struct{ *ourFile }

func ourRecorders(t T) (Recorders, error) {
	file, err := openOurFile(t, 2, nil)
	if err != nil {
		return nil, err
	}
	return ourRecordersSubject{file}, nil
}

func (s ourRecordersSubject) A() Recorder { return ourRecorder(s.services[0]) }
func (s ourRecordersSubject) B() Recorder { return ourRecorder(s.services[1]) }

// ourRecorder records the changes of a plan that has no changeset yet.
func ourRecorder(service *lifecycle.Service) Recorder {
	return ourChangesetsSubject{Service: service, context: service.ExecutionContext(queuedPlan)}
}

type ourFilesSubject struct {
	*ourFile
	had int // plans at the beginning
}

func ourFiles(t T) (Files, error) {
	file, err := openOurFile(t, 2, nil)
	if err != nil {
		return nil, err
	}
	plans, err := file.services[0].ListPlans(t.Context())
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return ourFilesSubject{file, len(plans)}, nil
}

func (s ourFilesSubject) A() File { return ourFileEngine{s.services[0], s.had} }
func (s ourFilesSubject) B() File { return ourFileEngine{s.services[1], s.had} }

type ourFileEngine struct {
	service *lifecycle.Service
	had     int
}

func (e ourFileEngine) Insert(ctx context.Context) error {
	_, err := e.service.UseAction(ctx, planAction, lifecycle.UseOptions{})
	return err
}

func (e ourFileEngine) Count(ctx context.Context) (int, error) {
	plans, err := e.service.ListPlans(ctx)
	if err == nil && len(plans) < e.had {
		err = fmt.Errorf("%d of the %d plans that were there from the start are listed", len(plans), e.had)
	}
	return len(plans) - e.had, err
}
