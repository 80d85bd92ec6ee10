package stress

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// ground is the system under test of a workload: one service in memory, or two services on one SQLite file, each with
// engines and caches of its own. The workload of R1 makes new engines for each round.
type ground struct {
	services []service
	engines  func(*slog.Logger) (engineSource, error)
	closers  []func() error
}

// service is the part of package lifecycle that workloads use.
type service interface {
	CreateAction(context.Context, lifecycle.ActionSpec) (lifecycle.Action, error)
	GetAction(ctx context.Context, name string) (lifecycle.Action, error)
	ListActions(context.Context) ([]lifecycle.Action, error)
	UseAction(ctx context.Context, name string, opts lifecycle.UseOptions) (lifecycle.Plan, error)
	GetPlan(ctx context.Context, id string) (lifecycle.Plan, error)
	ListPlans(context.Context) ([]lifecycle.Plan, error)
	Transition(context.Context, lifecycle.Request) (lifecycle.Plan, error)
	StartChangeset(ctx context.Context, planID string) (string, error)
	RecordChange(ctx context.Context, planID string, e lifecycle.Entry) (string, error)
	FinishChangeset(ctx context.Context, planID, id string) error
	Changesets(ctx context.Context, planID string) ([]lifecycle.Changeset, error)
}

// ourService gives a service the methods of its execution contexts.
type ourService struct{ *lifecycle.Service }

func (s ourService) StartChangeset(ctx context.Context, planID string) (string, error) {
	return s.ExecutionContext(planID).StartChangeset(ctx)
}

func (s ourService) RecordChange(ctx context.Context, planID string, e lifecycle.Entry) (string, error) {
	return s.ExecutionContext(planID).RecordChange(ctx, e)
}

func (s ourService) FinishChangeset(ctx context.Context, planID, id string) error {
	return s.ExecutionContext(planID).FinishChangeset(ctx, id)
}

func (s ourService) Changesets(ctx context.Context, planID string) ([]lifecycle.Changeset, error) {
	return s.ExecutionContext(planID).Changesets(ctx)
}

// of returns the service that goroutine i works with.
func (g *ground) of(i int) service { return g.services[i%len(g.services)] }

// onMemory returns a ground without a database.
func onMemory(ctx context.Context, _ string) (*ground, error) {
	s, err := lifecycle.Open(ctx, lifecycle.Config{})
	if err != nil {
		return nil, err
	}
	return &ground{services: []service{ourService{s}}, closers: []func() error{s.Close}}, nil
}

// onFile returns a ground of two services on a new file in dir.
func onFile(ctx context.Context, dir string) (*ground, error) {
	g := &ground{}
	for range 2 {
		if err := g.open(ctx, "sqlite:///"+filepath.Join(dir, "plans.db")); err != nil {
			return nil, errors.Join(err, g.close())
		}
	}
	return g, nil
}

func (g *ground) open(ctx context.Context, url string) error {
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: true})
	if err != nil {
		return err
	}
	g.closers = append(g.closers, engines.Close)
	s, err := lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: engines})
	if err != nil {
		return err
	}
	g.closers = append(g.closers, s.Close)
	g.services = append(g.services, ourService{s})
	return nil
}

// close closes everything, in reverse order of opening.
func (g *ground) close() error {
	var errs []error
	for i := len(g.closers) - 1; i >= 0; i-- {
		errs = append(errs, g.closers[i]())
	}
	return errors.Join(errs...)
}

// leave closes the ground and removes its folder, and returns err joined with the errors of both.
func (g *ground) leave(err error, dir string) error {
	return errors.Join(err, g.close(), os.RemoveAll(dir))
}

// engineSource has the two callers of R1, and the call that both make.
type engineSource interface {
	Engine(ctx context.Context, url string) (*lifecycle.Engine, error)
	ForUnitOfWork(ctx context.Context, url string) (*lifecycle.Engine, error)
	ForMigrations(ctx context.Context, url string) (*lifecycle.Engine, error)
	Close() error
}

type ourEngines struct{ *lifecycle.Engines }

func (e ourEngines) ForUnitOfWork(ctx context.Context, url string) (*lifecycle.Engine, error) {
	return lifecycle.NewUnitOfWork(e.Engines, url).Engine(ctx)
}

func (e ourEngines) ForMigrations(ctx context.Context, url string) (*lifecycle.Engine, error) {
	return lifecycle.Migrate(ctx, e.Engines, url)
}

// onEngines returns the ground of R1.
func onEngines(context.Context, string) (*ground, error) {
	return &ground{engines: func(logger *slog.Logger) (engineSource, error) {
		engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{Logger: logger})
		return ourEngines{engines}, err
	}}, nil
}
