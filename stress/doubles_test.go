package stress_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/stress"
)

// These doubles are services with one fault each.

type generous struct{ stress.Service }

func (s *generous) CreateAction(ctx context.Context, spec lifecycle.ActionSpec) (lifecycle.Action, error) {
	a, err := s.Service.CreateAction(ctx, spec)
	if errors.Is(err, lifecycle.ErrAlreadyExists) {
		err = nil
	}
	return a, err
}

func (s *generous) Transition(ctx context.Context, r lifecycle.Request) (lifecycle.Plan, error) {
	p, err := s.Service.Transition(ctx, r)
	if errors.Is(err, lifecycle.ErrConflict) || errors.Is(err, lifecycle.ErrNotReady) || errors.Is(err, lifecycle.ErrInvalidTransition) {
		err = nil
	}
	return p, err
}

type stingy struct{ stress.Service }

func (s *stingy) CreateAction(ctx context.Context, spec lifecycle.ActionSpec) (lifecycle.Action, error) {
	a, err := s.Service.CreateAction(ctx, spec)
	if err == nil && spec.Name != "local/review" { // the other workloads need that action
		err = &lifecycle.AlreadyExistsError{Kind: lifecycle.KindAction, ID: spec.Name}
	}
	return a, err
}

func (s *stingy) Transition(ctx context.Context, r lifecycle.Request) (lifecycle.Plan, error) {
	p, err := s.Service.Transition(ctx, r)
	if err == nil {
		err = &lifecycle.ConflictError{Current: p.Position()}
	}
	return p, err
}

type useless struct{ stress.Service }

func (*useless) CreateAction(context.Context, lifecycle.ActionSpec) (lifecycle.Action, error) {
	return lifecycle.Action{}, errMumble
}

// unusable fails after its first action.
type unusable struct{ stress.Service }

func broken(s stress.Service) stress.Service { return &unusable{s} }

func (s *unusable) CreateAction(ctx context.Context, spec lifecycle.ActionSpec) (lifecycle.Action, error) {
	a, err := s.Service.CreateAction(ctx, spec)
	if spec.Name != "local/review" {
		err = errMumble
	}
	return a, err
}

func (*unusable) UseAction(context.Context, string, lifecycle.UseOptions) (lifecycle.Plan, error) {
	return lifecycle.Plan{}, errMumble
}

type unstarted struct{ stress.Service }

func (*unstarted) StartChangeset(context.Context, string) (string, error) { return "", errMumble }

// empty lists no plans.
type empty struct{ stress.Service }

func (*empty) ListPlans(context.Context) ([]lifecycle.Plan, error) { return nil, nil }

// elsewhere returns every plan as applied, whatever its state.
type elsewhere struct{ stress.Service }

func (s *elsewhere) GetPlan(ctx context.Context, id string) (lifecycle.Plan, error) {
	p, err := s.Service.GetPlan(ctx, id)
	p.Phase, p.State = lifecycle.PhaseApply, lifecycle.StateApplied
	return p, err
}

// mumbling returns errors that do not say what failed.
type mumbling struct{ stress.Service }

var errMumble = errors.New("something went wrong")

func mumble[T any](v T, err error) (T, error) {
	if err != nil {
		err = errMumble
	}
	return v, err
}

func (s *mumbling) CreateAction(ctx context.Context, spec lifecycle.ActionSpec) (lifecycle.Action, error) {
	return mumble(s.Service.CreateAction(ctx, spec))
}

func (s *mumbling) Transition(ctx context.Context, r lifecycle.Request) (lifecycle.Plan, error) {
	return mumble(s.Service.Transition(ctx, r))
}

func (s *mumbling) RecordChange(ctx context.Context, planID string, e lifecycle.Entry) (string, error) {
	return mumble(s.Service.RecordChange(ctx, planID, e))
}

type forgetful struct{ stress.Service }

func (s *forgetful) ListActions(ctx context.Context) ([]lifecycle.Action, error) {
	all, err := s.Service.ListActions(ctx)
	return all[:max(len(all)-1, 0)], err
}

func (s *forgetful) ListPlans(ctx context.Context) ([]lifecycle.Plan, error) {
	all, err := s.Service.ListPlans(ctx)
	return all[:max(len(all)-1, 0)], err
}

// overwriting returns actions with the description of the last refused creation.
type overwriting struct {
	stress.Service
	mu   sync.Mutex
	last string
}

func (s *overwriting) CreateAction(ctx context.Context, spec lifecycle.ActionSpec) (lifecycle.Action, error) {
	a, err := s.Service.CreateAction(ctx, spec)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.last = spec.Description
	}
	return a, err
}

func (s *overwriting) GetAction(ctx context.Context, name string) (lifecycle.Action, error) {
	a, err := s.Service.GetAction(ctx, name)
	a.Description = s.last
	return a, err
}

// tearing omits a plan from the middle of a listing.
type tearing struct{ stress.Service }

func (s *tearing) ListPlans(ctx context.Context) ([]lifecycle.Plan, error) {
	all, err := s.Service.ListPlans(ctx)
	if n := len(all); n > 2 {
		all = slices.Delete(all, n/2, n/2+1)
	}
	return all, err
}

type doubling struct{ stress.Service }

func (s *doubling) ListPlans(ctx context.Context) ([]lifecycle.Plan, error) {
	all, err := s.Service.ListPlans(ctx)
	return append(all, all[:min(len(all), 1)]...), err
}

// losing returns plans that are not stored.
type losing struct{ stress.Service }

func (s *losing) UseAction(ctx context.Context, name string, opts lifecycle.UseOptions) (lifecycle.Plan, error) {
	p, err := s.Service.UseAction(ctx, name, opts)
	p.ID = strings.ToLower(p.ID)
	return p, err
}

type misleading struct{ stress.Service }

func (s *misleading) RecordChange(ctx context.Context, planID string, e lifecycle.Entry) (string, error) {
	id, err := s.Service.RecordChange(ctx, planID, e)
	return "not " + id, err
}

// late records a change but returns a refusal.
type late struct{ stress.Service }

func (s *late) RecordChange(ctx context.Context, planID string, e lifecycle.Entry) (string, error) {
	id, err := s.Service.RecordChange(ctx, planID, e)
	if err == nil {
		err = lifecycle.ErrNoActiveChangeset
	}
	return id, err
}

// early lists changesets as closed and with an extra entry. Only the last listing is right.
type early struct {
	stress.Service
	mu    sync.Mutex
	lists map[string]int
}

func (s *early) Changesets(ctx context.Context, planID string) ([]lifecycle.Changeset, error) {
	all, err := s.Service.Changesets(ctx, planID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lists == nil {
		s.lists = make(map[string]int)
	}
	if len(all) > 0 {
		s.lists[planID]++
	}
	if s.lists[planID] > 4 { // the last listing is right
		return all, err
	}
	for i := range all {
		all[i].FinishedAt = all[i].StartedAt // closed
		all[i].Entries = append(all[i].Entries, lifecycle.Entry{Path: "one more"})
	}
	return all, err
}

type unlisted struct{ stress.Service }

func (s *unlisted) Changesets(ctx context.Context, planID string) ([]lifecycle.Changeset, error) {
	all, err := s.Service.Changesets(ctx, planID)
	return slices.DeleteFunc(all, func(c lifecycle.Changeset) bool { return len(c.Entries) == 0 })[:0], err
}

// silent accepts refused changes, and some others, as if the last changeset had them.
type silent struct {
	stress.Service
	started string
}

func (s *silent) StartChangeset(ctx context.Context, planID string) (string, error) {
	id, err := s.Service.StartChangeset(ctx, planID)
	s.started = id
	return id, err
}

func (s *silent) RecordChange(ctx context.Context, planID string, e lifecycle.Entry) (string, error) {
	id, err := s.Service.RecordChange(ctx, planID, e)
	if errors.Is(err, lifecycle.ErrNoActiveChangeset) || strings.HasSuffix(e.Path, "/1") {
		return s.started, nil
	}
	return id, err
}

// caching reads each plan only once.
type caching struct {
	stress.Service
	plans *sync.Map
}

func (s *caching) GetPlan(ctx context.Context, id string) (lifecycle.Plan, error) {
	if p, ok := s.plans.Load(id); ok {
		return p.(lifecycle.Plan), nil
	}
	p, err := s.Service.GetPlan(ctx, id)
	s.plans.Store(id, p)
	return p, err
}

// laggard lists plans as they were in the previous listing.
type laggard struct {
	stress.Service
	mu    sync.Mutex
	plans map[string]lifecycle.Plan
}

func (s *laggard) ListPlans(ctx context.Context) ([]lifecycle.Plan, error) {
	all, err := s.Service.ListPlans(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	old := maps.Clone(s.plans)
	if s.plans == nil {
		s.plans = make(map[string]lifecycle.Plan)
	}
	for i, p := range all {
		s.plans[p.ID] = p
		if before, ok := old[p.ID]; ok {
			all[i] = before
		} else {
			all[i].Version--
		}
	}
	return all, err
}

// twin has two engines for one URL, one for each spelling of it.
type twin struct {
	stress.EngineSource
	other *lifecycle.Engines
}

func newTwin(e stress.EngineSource) stress.EngineSource {
	other, err := lifecycle.NewEngines(lifecycle.EnginesConfig{})
	if err != nil {
		panic(err)
	}
	return &twin{e, other}
}

func (e *twin) Engine(ctx context.Context, url string) (*lifecycle.Engine, error) {
	if url == "sqlite://" {
		return e.other.Engine(ctx, url)
	}
	return e.EngineSource.Engine(ctx, url)
}

func (e *twin) ForUnitOfWork(ctx context.Context, url string) (*lifecycle.Engine, error) {
	return e.Engine(ctx, url)
}

func (e *twin) ForMigrations(ctx context.Context, url string) (*lifecycle.Engine, error) {
	return e.Engine(ctx, url)
}

func (e *twin) Close() error { return errors.Join(e.EngineSource.Close(), e.other.Close()) }

type refusing struct{ stress.EngineSource }

func (e *refusing) Engine(ctx context.Context, url string) (*lifecycle.Engine, error) {
	if url == "sqlite://" {
		return nil, errMumble
	}
	return e.EngineSource.Engine(ctx, url)
}

type stuck struct{ stress.EngineSource }

func (e *stuck) Close() error { return errors.Join(errMumble, e.EngineSource.Close()) }
