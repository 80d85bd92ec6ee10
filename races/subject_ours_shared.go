package races

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// sharedFile is the SQLite file with which R6, R7 and N2 to N10 begin. Making it takes dozens of statements (a schema, an
// action, four plans, an expired lock, a queued job, a plan's way to execute/complete), which have nothing to do with the
// races and would be repeated in each of thousands of executions. A test makes it again, with package lifecycle, and compares.
//
//go:embed shared.db
var sharedFile []byte

// The plans in the shared file. None has a changeset.
const (
	queuedPlan   = "01KAGJ5FG0040G2081040G2081" // at strategize/queued, version 1
	executedPlan = "01KAGJ5FG0040G2081040G2082" // at execute/complete, version 6
	readyPlan    = "01KAGJ5FG0040G2081040G2083" // at execute/queued, version 4
	begunPlan    = "01KAGJ5FG0040G2081040G2084" // at strategize/processing, version 2; worker A's first claim of it has expired
)

// ourFile is services with engines of their own on one copy of the shared file.
type ourFile struct {
	path     string
	engines  []*lifecycle.Engines
	services []*lifecycle.Service
}

// openOurFile writes the shared file, calls prepare on it, and opens it n times.
func openOurFile(t T, n int, prepare func(ctx context.Context, path string) error) (*ourFile, error) {
	f := &ourFile{path: filepath.Join(t.TempDir(), "plans.db")}
	if err := os.WriteFile(f.path, sharedFile, 0o600); err != nil {
		return nil, fmt.Errorf("write the shared file: %w", err)
	}
	if prepare != nil {
		if err := prepare(t.Context(), f.path); err != nil {
			return nil, err
		}
	}
	for range n {
		if err := f.open(t.Context()); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}

func (f *ourFile) open(ctx context.Context) error {
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: true})
	if err != nil {
		return err
	}
	f.engines = append(f.engines, engines)
	service, err := lifecycle.Open(ctx, lifecycle.Config{URL: "sqlite:///" + f.path, Engines: engines, Entropy: runtimeEntropy{}})
	if err != nil {
		return err
	}
	f.services = append(f.services, service)
	return nil
}

func (f *ourFile) Close() error {
	var errs []error
	for _, service := range f.services {
		errs = append(errs, service.Close())
	}
	for _, engines := range f.engines {
		errs = append(errs, engines.Close())
	}
	return errors.Join(errs...)
}

// ourSharedSubject is two instances that share a plan.
type ourSharedSubject struct {
	*ourFile
	planID  string
	version int64 // of the plan at the beginning
}

// ourShared opens the shared file twice, for a race about one of its plans.
func ourShared(planID string) func(T) (Shared, error) {
	return func(t T) (Shared, error) {
		file, err := openOurFile(t, 2, nil)
		if err != nil {
			return nil, err
		}
		plan, err := file.services[0].GetPlan(t.Context(), planID)
		if err != nil {
			return nil, errors.Join(err, file.Close())
		}
		return &ourSharedSubject{file, planID, plan.Version}, nil
	}
}

func (s *ourSharedSubject) A() Instance { return ourInstanceSubject{s.services[0], s.planID} }
func (s *ourSharedSubject) B() Instance { return ourInstanceSubject{s.services[1], s.planID} }

// Moves compares versions: a plan's goes up by one with each transition.
func (s *ourSharedSubject) Moves(ctx context.Context) (int, error) {
	plan, err := s.services[0].GetPlan(ctx, s.planID)
	return int(plan.Version - s.version), err
}

type ourInstanceSubject struct {
	service *lifecycle.Service
	planID  string
}

func (i ourInstanceSubject) Position(ctx context.Context) (lifecycle.Position, error) {
	plan, err := i.service.GetPlan(ctx, i.planID)
	return plan.Position(), err
}

func (i ourInstanceSubject) Start(ctx context.Context) error {
	_, err := i.service.StartStrategize(ctx, i.planID)
	return err
}

func (i ourInstanceSubject) Apply(ctx context.Context) error {
	_, err := i.service.ApplyPlan(ctx, i.planID)
	return err
}
