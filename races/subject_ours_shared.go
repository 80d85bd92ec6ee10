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

// sharedFile is the SQLite file with which R6 and R7 begin. To make one takes dozens of statements (a schema, an action, two plans, a
// plan's way to execute/complete), which have nothing to do with the races and would be done over in each of thousands of
// executions. A test makes it again, by way of package lifecycle, and compares.
//
//go:embed shared.db
var sharedFile []byte

// The plans in the shared file.
const (
	queuedPlan   = "01KAGJ5FG0040G2081040G2081" // at strategize/queued, version 1
	executedPlan = "01KAGJ5FG0040G2081041040G3" // at execute/complete, version 6
)

// ourSharedSubject is two services with engines of their own on one file.
type ourSharedSubject struct {
	engines  []*lifecycle.Engines
	services []*lifecycle.Service
	planID   string
	version  int64 // of the plan at the beginning
}

// ourShared writes the shared file and opens it twice, for a race about one of its plans.
func ourShared(planID string) func(T) (Shared, error) {
	return func(t T) (Shared, error) {
		s := &ourSharedSubject{planID: planID}
		if err := s.setUp(t); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		return s, nil
	}
}

func (s *ourSharedSubject) setUp(t T) error {
	path := filepath.Join(t.TempDir(), "plans.db")
	if err := os.WriteFile(path, sharedFile, 0o600); err != nil {
		return fmt.Errorf("write the shared file: %w", err)
	}
	for range 2 {
		if err := s.open(t.Context(), "sqlite:///"+path); err != nil {
			return err
		}
	}
	plan, err := s.services[0].GetPlan(t.Context(), s.planID)
	s.version = plan.Version
	return err
}

func (s *ourSharedSubject) open(ctx context.Context, url string) error {
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: true})
	if err != nil {
		return err
	}
	s.engines = append(s.engines, engines)
	service, err := lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: engines, Entropy: runtimeEntropy{}})
	if err != nil {
		return err
	}
	s.services = append(s.services, service)
	return nil
}

func (s *ourSharedSubject) A() Instance { return ourInstanceSubject{s.services[0], s.planID} }
func (s *ourSharedSubject) B() Instance { return ourInstanceSubject{s.services[1], s.planID} }

// Moves compares versions: a plan's goes up by one with each transition.
func (s *ourSharedSubject) Moves(ctx context.Context) (int, error) {
	plan, err := s.services[0].GetPlan(ctx, s.planID)
	return int(plan.Version - s.version), err
}

func (s *ourSharedSubject) Close() error {
	var errs []error
	for _, service := range s.services {
		errs = append(errs, service.Close())
	}
	for _, engines := range s.engines {
		errs = append(errs, engines.Close())
	}
	return errors.Join(errs...)
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
