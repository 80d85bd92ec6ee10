package stress_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

// crowdsOf returns the crowds of a row.
func crowdsOf(t *testing.T, id string) []stress.Crowd {
	t.Helper()
	rows := stress.Rows()
	return rows[slices.IndexFunc(rows, func(r stress.Row) bool { return r.Race.ID == id })].Crowds
}

// meet runs a crowd for a time, or until it fails.
func meet(t *testing.T, c stress.Crowd, length time.Duration) stress.Result {
	t.Helper()
	row := plant("crowd", nil)
	row.Crowds = []stress.Crowd{c}
	return inProcess(t, row, c.Name, length)
}

// enough is how long a crowd has to find what is wrong. It needs a round or two.
const enough = 10 * time.Second

// Against package lifecycle as it is, every crowd is clean.
func TestCrowds(t *testing.T) {
	for _, row := range stress.Rows() {
		for _, c := range row.Crowds {
			if r := meet(t, c, 0); !r.Clean() || r.Operations < 10 || r.Rounds != 1 {
				t.Errorf("%s, %s: got %+v, want one clean round", row.Race.ID, c.Name, r)
			}
		}
	}
}

// Each of these is wrong in one way, and the crowd that it is for must find it.
func TestCrowdsFindWhatIsWrong(t *testing.T) {
	for row, doubles := range map[string]map[string]func(stress.Service) stress.Service{
		"R2": {
			"nothing works": broken,
			"both are told that they have created it":   func(s stress.Service) stress.Service { return &generous{Service: s} },
			"nobody is told that he has created it":     func(s stress.Service) stress.Service { return &stingy{Service: s} },
			"the loser's error is another":              func(s stress.Service) stress.Service { return &mumbling{Service: s} },
			"an action is missing from the listing":     func(s stress.Service) stress.Service { return &forgetful{Service: s} },
			"the last one to create it has overwritten": func(s stress.Service) stress.Service { return &overwriting{Service: s} },
		},
		"R3": {
			"nothing works":                          broken,
			"a plan is missing from the listings":    func(s stress.Service) stress.Service { return &forgetful{Service: s} },
			"the listings are torn":                  func(s stress.Service) stress.Service { return &tearing{Service: s} },
			"a plan is there twice":                  func(s stress.Service) stress.Service { return &doubling{Service: s} },
			"a plan that was returned is not stored": func(s stress.Service) stress.Service { return &losing{Service: s} },
		},
		"R4": {
			"nothing works":                             broken,
			"changesets do not start":                   func(s stress.Service) stress.Service { return &unstarted{Service: s} },
			"the recorder is told another changeset":    func(s stress.Service) stress.Service { return &misleading{Service: s} },
			"a change that is refused is recorded":      func(s stress.Service) stress.Service { return &late{Service: s} },
			"a changeset that is listed gets an entry":  func(s stress.Service) stress.Service { return &early{Service: s} },
			"a changeset that was started is not there": func(s stress.Service) stress.Service { return &unlisted{Service: s} },
		},
		"R5": {
			"changesets do not start":                 func(s stress.Service) stress.Service { return &unstarted{Service: s} },
			"a change is lost without an error":       func(s stress.Service) stress.Service { return &silent{Service: s} },
			"the error is another":                    func(s stress.Service) stress.Service { return &mumbling{Service: s} },
			"a finished changeset gets another entry": func(s stress.Service) stress.Service { return &early{Service: s} },
		},
		"R6": {
			"nothing works":                   broken,
			"the plan is not listed":          func(s stress.Service) stress.Service { return &empty{Service: s} },
			"a plan is read once and for all": func(s stress.Service) stress.Service { return &caching{Service: s, plans: new(sync.Map)} },
			"a listing is old":                func(s stress.Service) stress.Service { return &laggard{Service: s} },
		},
		"R7": {
			"nothing works":                    broken,
			"the plan is elsewhere":            func(s stress.Service) stress.Service { return &elsewhere{Service: s} },
			"both are told that they have won": func(s stress.Service) stress.Service { return &generous{Service: s} },
			"the loser is not told to what":    func(s stress.Service) stress.Service { return &mumbling{Service: s} },
			"nobody wins":                      func(s stress.Service) stress.Service { return &stingy{Service: s} },
		},
	} {
		for _, c := range crowdsOf(t, row) {
			for what, double := range doubles {
				r := meet(t, stress.WithServices(c, double), enough)
				if f, ok := r.Met(); !ok || f.Kind != races.KindCheck || r.Clean() || r.Trouble != "" {
					t.Errorf("%s, %s: %s: got %+v, want a failed check", row, c.Name, what, r)
				}
			}
		}
	}
}

func TestEngineCrowdFindsWhatIsWrong(t *testing.T) {
	for what, double := range map[string]func(stress.EngineSource) stress.EngineSource{
		"there are two engines": newTwin,
		"one caller gets none":  func(e stress.EngineSource) stress.EngineSource { return &refusing{EngineSource: e} },
		"it cannot be closed":   func(e stress.EngineSource) stress.EngineSource { return &stuck{EngineSource: e} },
	} {
		r := meet(t, stress.WithEngines(crowdsOf(t, "R1")[0], double), enough)
		if f, ok := r.Met(); !ok || f.Kind != races.KindCheck || r.Clean() {
			t.Errorf("%s: got %+v, want a failed check", what, r)
		}
	}
}

// A crowd whose ground cannot be made has nothing to judge.
func TestNoGround(t *testing.T) {
	c := stress.WithServices(crowdsOf(t, "R6")[0], func(s stress.Service) stress.Service { return &useless{Service: s} })
	if r := meet(t, c, enough); r.Clean() || len(r.Findings) > 0 || !strings.HasPrefix(r.Trouble, "set-up: ") {
		t.Errorf("got %+v, want trouble", r)
	}
}

// The doubles. Each changes one thing about a service.

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
	if err == nil && spec.Name != "local/review" { // which the other crowds need
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

// unusable can do nothing after its first action.
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

// elsewhere reads plans that have been applied, whatever they are.
type elsewhere struct{ stress.Service }

func (s *elsewhere) GetPlan(ctx context.Context, id string) (lifecycle.Plan, error) {
	p, err := s.Service.GetPlan(ctx, id)
	p.Phase, p.State = lifecycle.PhaseApply, lifecycle.StateApplied
	return p, err
}

// mumbling says that something went wrong, and not what.
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

// overwriting shows the action as the last one to create it wanted it.
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

// tearing leaves a plan out of the middle of a listing.
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

// late records a change that it refuses.
type late struct{ stress.Service }

func (s *late) RecordChange(ctx context.Context, planID string, e lifecycle.Entry) (string, error) {
	id, err := s.Service.RecordChange(ctx, planID, e)
	if err == nil {
		err = lifecycle.ErrNoActiveChangeset
	}
	return id, err
}

// early lists changesets without the last of their entries, which come into them after they are closed, so to say.
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
	if s.lists[planID] > 4 { // the last listing is the one that tells the truth
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

// silent says of every change that it was recorded in the changeset that was started last.
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

// caching never reads a plan again.
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

// laggard lists the plans as they were when they were made.
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

// twin has two engines for one URL: one for each spelling.
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
