package races

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/reported"
	"github.com/jacquard-go/jacquard/lifecycle/reported/asreported"
)

// This file adapts the specimens of the related races, except N3, which uses those of R6 and R7.

// unitOfWork is the interface that the specimens of #7420 share.
type unitOfWork interface {
	EnsureMigrated(ctx context.Context) error
	CountPlans(ctx context.Context) (int, error)
}

// specimenMigrations is two units of work on one engine.
type specimenMigrations struct {
	factory *reported.EngineFactory
	a, b    specimenMigrator
}

// newSpecimenMigrations opens the units of work one after another, so that both have the same engine.
func newSpecimenMigrations(factory *reported.EngineFactory, open func() (unitOfWork, error)) (Migrations, error) {
	a, errA := open()
	b, errB := open()
	s := specimenMigrations{factory, specimenMigrator{a}, specimenMigrator{b}}
	if err := errors.Join(errA, errB); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s specimenMigrations) A() Migrator  { return s.a }
func (s specimenMigrations) B() Migrator  { return s.b }
func (s specimenMigrations) Close() error { return s.factory.Close() }

// Migrated checks that the schema exists. A second migration shows as an error of that migration.
func (s specimenMigrations) Migrated(ctx context.Context) (int, error) {
	_, err := s.a.work.CountPlans(context.WithoutCancel(ctx))
	return 1, err
}

type specimenMigrator struct{ work unitOfWork }

func (m specimenMigrator) Migrate(ctx context.Context) error {
	return m.work.EnsureMigrated(context.WithoutCancel(ctx))
}

// specimenRefused is one service over a table whose file refuses commits. The specimens must be used by one goroutine at
// a time: a mutex makes the reader come before or after the mover.
type specimenRefused struct {
	table *reported.PlanTable

	mu       sync.Mutex
	instance specimenInstance // used under mu
}

func newSpecimenRefused(t T, service newService) (Refused, error) {
	ctx := context.WithoutCancel(t.Context())
	path := filepath.Join(t.TempDir(), "plans.db")
	table, err := reported.OpenPlanTable(ctx, path)
	if err != nil {
		return nil, err
	}
	s := &specimenRefused{table: table}
	plan, err := insertPlan(ctx, table, queued())
	if err == nil {
		s.instance = specimenInstance{service(table), plan}
		_, err = s.instance.Position(ctx)
	}
	if err == nil {
		err = refuseCommits(ctx, path)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *specimenRefused) Start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.instance.Start(ctx)
}

func (s *specimenRefused) Position(ctx context.Context) (lifecycle.Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.instance.Position(ctx)
}

func (s *specimenRefused) Listed(ctx context.Context) (lifecycle.Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.instance.Listed(ctx)
}

func (s *specimenRefused) Close() error { return s.table.Close() }

// specimenRecorders is two stores over two tables on one file.
type specimenRecorders struct {
	tables []*reported.ChangeTable
	stores []specimenRecorder
}

func reportedRecorders(t T) (Recorders, error) {
	ctx := context.WithoutCancel(t.Context())
	path, plan := filepath.Join(t.TempDir(), "changes.db"), newID()
	s := &specimenRecorders{}
	for range 2 {
		table, err := reported.OpenChangeTable(ctx, path)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.tables = append(s.tables, table)
		s.stores = append(s.stores, specimenRecorder{asreported.NewPersistedChangesets(table, newID), plan})
	}
	return s, nil
}

func (s *specimenRecorders) A() Recorder { return s.stores[0] }
func (s *specimenRecorders) B() Recorder { return s.stores[1] }

func (s *specimenRecorders) Close() error {
	var errs []error
	for _, table := range s.tables {
		errs = append(errs, table.Close())
	}
	return errors.Join(errs...)
}

type specimenRecorder struct {
	store  *asreported.PersistedChangesets
	planID string
}

func (r specimenRecorder) Start(context.Context) (string, error) { return r.store.Start(r.planID), nil }

func (r specimenRecorder) Record(ctx context.Context, path string) error {
	entry := lifecycle.Entry{Operation: lifecycle.OperationModify, Path: path}
	return r.store.Record(context.WithoutCancel(ctx), r.planID, entry)
}

func (r specimenRecorder) List(ctx context.Context) ([]lifecycle.Changeset, error) {
	return r.store.List(context.WithoutCancel(ctx), r.planID)
}

// specimenFiles is two engines on one file.
type specimenFiles struct{ files []*asreported.PlanFile }

func reportedFiles(t T) (Files, error) {
	ctx := context.WithoutCancel(t.Context())
	path := filepath.Join(t.TempDir(), "plans.db")
	s := &specimenFiles{}
	for range 2 {
		file, err := asreported.OpenPlanFile(ctx, path)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.files = append(s.files, file)
	}
	return s, nil
}

func (s *specimenFiles) A() File { return specimenFile{s.files[0]} }
func (s *specimenFiles) B() File { return specimenFile{s.files[1]} }

func (s *specimenFiles) Close() error {
	var errs []error
	for _, file := range s.files {
		errs = append(errs, file.Close())
	}
	return errors.Join(errs...)
}

type specimenFile struct{ file *asreported.PlanFile }

func (f specimenFile) Insert(ctx context.Context) error {
	return f.file.Insert(context.WithoutCancel(ctx), newID())
}

func (f specimenFile) Count(ctx context.Context) (int, error) {
	return f.file.Count(context.WithoutCancel(ctx))
}
