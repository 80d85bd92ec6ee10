package steps

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// A service is package lifecycle, opened as often as a plot has instances.
type service struct {
	*given
	instances []*lifecycle.Service
	claims    *claims
}

// A given describes what exists from the start.
type given struct {
	Plans   map[string]string // their identifiers, by the names that the scenario gives them
	First   map[string]string // the open changeset of each plan
	Had     int               // the number of plans
	Version int64             // the sum of their versions
}

// of returns a caller's instance.
func (s *service) of(by asker) *lifecycle.Service { return s.instances[by.instance%len(s.instances)] }

// theAction is the action of plans for which no step names one.
const theAction = "local/review"

// sharedURL is the URL of an in-memory database, which services share only because they have the
// same URL.
const sharedURL = "sqlite:///:memory:"

// openService opens the instances. In memory all callers have one; on a file each has its own
// engines, as a process has. The prepared file is copied, because making it takes longer than
// everything that is done to it.
func (p *plot) openService(t races.T, prepared []byte) (*world, error) {
	w := newWorld(p.String())
	switch p.place {
	case inMemory:
		return p.serve(t.Context(), w, []string{""}, true)
	case inDatabase:
		return p.serve(t.Context(), w, slices.Repeat([]string{sharedURL}, p.instances), true)
	}
	path := filepath.Join(t.TempDir(), "plans.db")
	if err := os.WriteFile(path, prepared, 0o600); err != nil {
		return nil, fmt.Errorf("copy the prepared file: %w", err)
	}
	urls := make([]string, p.instances)
	for i := range urls {
		urls[i] = "sqlite:///" + path
	}
	return p.serve(t.Context(), w, urls, prepared == nil)
}

// serve opens an instance for each URL. If fresh, it also prepares what exists from the start.
func (p *plot) serve(ctx context.Context, w *world, urls []string, fresh bool) (*world, error) {
	s := &service{given: p.given}
	for _, url := range urls {
		if err := s.open(ctx, w, url); err != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	if fresh {
		if err := s.prepare(ctx, p); err != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	if p.place == onFile {
		p.given = s.given // the same in each execution, because a file is prepared once
	}
	s.enter(w)
	return w, nil
}

func (s *service) open(ctx context.Context, w *world, url string) error {
	cfg := lifecycle.Config{URL: url, Entropy: entropy{}}
	if url != "" && url != sharedURL {
		engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: true})
		if err != nil {
			return err
		}
		w.closes = append(w.closes, engines.Close)
		cfg.Engines = engines
	}
	one, err := lifecycle.Open(ctx, cfg)
	if err != nil {
		return err
	}
	s.instances = append(s.instances, one)
	w.closes = append(w.closes, func() error { return ignoring(one.Close(), lifecycle.ErrClosed) }) // a caller may have closed it
	return nil
}

// prepareFile makes the SQLite file with which each execution of a plot begins.
func (p *plot) prepareFile(ctx context.Context, dir string) ([]byte, error) {
	path := filepath.Join(dir, "prepared.db")
	w, err := p.serve(ctx, newWorld(p.String()), []string{"sqlite:///" + path}, true)
	if err != nil {
		return nil, err
	}
	if err := w.close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path) // the last service to close has merged the log into the file
}

// prepare makes the actions and the plans, and moves the plans to their positions.
func (s *service) prepare(ctx context.Context, p *plot) error {
	first := s.instances[0]
	for _, name := range append([]string{theAction}, p.actions...) {
		if _, err := first.CreateAction(ctx, actionSpec(name, "there from the start")); err != nil && !errors.Is(err, lifecycle.ErrAlreadyExists) {
			return err
		}
	}
	for _, plan := range p.planned() {
		made, err := first.UseAction(ctx, theAction, lifecycle.UseOptions{Description: "plan " + plan.name})
		if err != nil {
			return err
		}
		commands, err := wayTo(plan.at)
		for _, c := range commands {
			if err == nil {
				_, err = first.Transition(ctx, lifecycle.Request{PlanID: made.ID, Command: c})
			}
		}
		if err != nil {
			return err
		}
		if p.changeset {
			if _, err := first.ExecutionContext(made.ID).StartChangeset(ctx); err != nil {
				return err
			}
		}
	}
	return s.find(ctx)
}

// planned returns the plans of a plot. If no step names one, there is one if the plot needs a plan
// for changesets.
func (p *plot) planned() []planAt {
	if len(p.plans) == 0 && (p.changeset || p.does("start a changeset")) {
		return []planAt{{at: way()[0].at}}
	}
	return p.plans
}

// find reads back what was prepared.
func (s *service) find(ctx context.Context) error {
	all, err := s.instances[0].ListPlans(ctx)
	s.given = &given{Plans: make(map[string]string), First: make(map[string]string), Had: len(all), Version: versions(all)}
	for _, plan := range all {
		name := nameIn(plan)
		s.Plans[name], s.First[name] = plan.ID, plan.ChangesetID
	}
	return err
}

// nameIn returns the scenario's name of a plan that exists from the start.
func nameIn(p lifecycle.Plan) string { return p.Description[min(len("plan "), len(p.Description)):] }

// planned returns the identifier of a plan that a scenario names.
func (s *service) planned(by asker) string { return s.Plans[by.arg] }

// enter adds the calls and facts of a service.
func (s *service) enter(w *world) {
	s.enterActions(w)
	s.enterPlans(w)
	s.enterClaims(w)
	s.enterChangesets(w)
}

func (s *service) enterActions(w *world) {
	w.calls["create the action"] = func(ctx context.Context, by asker) answer {
		_, err := s.of(by).CreateAction(ctx, actionSpec(by.arg, by.by))
		return answer{err: err}
	}
	w.calls["read the action"] = func(ctx context.Context, by asker) answer {
		a, err := s.of(by).GetAction(ctx, by.arg)
		return answer{text: a.Description, id: string(a.State), err: err}
	}
	w.calls["archive the action"] = func(ctx context.Context, by asker) answer {
		_, err := s.of(by).ArchiveAction(ctx, by.arg)
		return answer{err: err}
	}
	w.calls["delete the action"] = func(ctx context.Context, by asker) answer {
		return answer{err: s.of(by).DeleteAction(ctx, by.arg)}
	}
	w.calls["list the actions"] = func(ctx context.Context, by asker) answer {
		all, err := s.of(by).ListActions(ctx)
		a := answer{ids: []string{}, err: err}
		for _, action := range all {
			a.ids = append(a.ids, action.Name.String()+" "+string(action.State))
		}
		return a
	}
	w.facts["uses of the action"] = func(ctx context.Context) (int, error) {
		a, err := s.instances[0].GetAction(ctx, theAction)
		return int(a.Uses), err
	}
}

func (s *service) enterPlans(w *world) {
	w.calls["make a plan"] = func(ctx context.Context, by asker) answer {
		if by.arg == "" {
			by.arg = theAction
		}
		plan, err := s.of(by).UseAction(ctx, by.arg, lifecycle.UseOptions{})
		return answer{id: plan.ID, err: err}
	}
	w.calls["list the plans"] = func(ctx context.Context, by asker) answer {
		all, err := s.of(by).ListPlans(ctx)
		a := answer{ids: []string{}, err: err}
		for _, plan := range all {
			a.ids, a.at, a.names = append(a.ids, plan.ID), append(a.at, plan.Position()), append(a.names, nameIn(plan))
		}
		return a
	}
	w.calls["hear the events"] = s.hear
	w.calls["find the plan"] = func(ctx context.Context, by asker) answer {
		_, err := s.of(by).GetPlan(ctx, by.arg)
		return answer{err: err}
	}
	w.calls["read the plan"] = func(ctx context.Context, by asker) answer {
		plan, err := s.of(by).GetPlan(ctx, s.planned(by))
		return positionOf(plan.Position(), err)
	}
	for verb, command := range map[string]lifecycle.Command{
		"start the plan": lifecycle.CommandStartStrategize, "apply the plan": lifecycle.CommandApplyPlan, "cancel the plan": lifecycle.CommandCancel,
	} {
		w.calls[verb] = func(ctx context.Context, by asker) answer {
			_, err := s.of(by).Transition(ctx, lifecycle.Request{PlanID: s.planned(by), Command: command, Fence: s.claims.carried(by)})
			return answer{err: err}
		}
	}
	w.calls["archive the plan"] = func(ctx context.Context, by asker) answer {
		_, err := s.of(by).ArchivePlan(ctx, s.planned(by))
		return answer{err: err}
	}
	w.calls["delete the plan"] = func(ctx context.Context, by asker) answer {
		return answer{err: s.of(by).DeletePlan(ctx, s.planned(by), s.claims.carried(by))}
	}
	w.calls["execute the plan"] = s.execute
	w.calls["execute the plan again"] = func(ctx context.Context, by asker) answer {
		if _, err := s.of(by).Resume(ctx, s.planned(by)); err != nil {
			return answer{err: err}
		}
		_, err := s.of(by).StartExecute(ctx, s.planned(by))
		return answer{err: err, worked: 1}
	}
	w.calls["close the plan service"] = func(_ context.Context, by asker) answer { return answer{err: s.of(by).Close()} }
	w.facts["plans at first"] = func(context.Context) (int, error) { return s.Had, nil }
	w.facts["moves"] = s.moves
}

// execute does what the documentation of package lifecycle tells a worker to do: start, work, and
// report the result.
func (s *service) execute(ctx context.Context, by asker) (a answer) {
	if _, a.err = s.of(by).StartExecute(ctx, s.planned(by)); a.err != nil {
		return a
	}
	_, a.err = s.of(by).FailExecute(ctx, s.planned(by), lifecycle.Failure{Message: a.work().Error()})
	return a
}

// work returns the execution context of a caller's work on a plan, under the claim that the caller had last.
func (s *service) work(by asker) *lifecycle.ExecutionContext {
	return s.of(by).ExecutionContext(s.planned(by)).Under(lifecycle.Claim{Fence: s.claims.carried(by)})
}

// moves returns how often the plans were moved in the scenario: each transition raises a plan's
// version by one.
func (s *service) moves(ctx context.Context) (int, error) {
	all, err := s.instances[0].ListPlans(ctx)
	return int(versions(all)-s.Version) - (len(all) - s.Had), err
}

func versions(all []lifecycle.Plan) (sum int64) {
	for _, plan := range all {
		sum += plan.Version
	}
	return sum
}

func (s *service) enterChangesets(w *world) {
	of := s.work
	w.calls["start a changeset"] = func(ctx context.Context, by asker) answer {
		id, err := of(by).StartChangeset(ctx)
		return answer{id: id, err: err}
	}
	w.calls["record a change"] = func(ctx context.Context, by asker) answer {
		id, err := of(by).RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationModify, Path: pathOf(by.n), At: doneAt(by.n)})
		return answer{id: id, err: err}
	}
	w.calls["finish the changeset"] = func(ctx context.Context, by asker) answer {
		return answer{err: of(by).FinishChangeset(ctx, s.First[by.arg])}
	}
	w.calls["list the changesets"] = func(ctx context.Context, by asker) answer { return setsOf(of(by).Changesets(ctx)) }
	w.calls["read the plan's changeset"] = func(ctx context.Context, by asker) answer {
		plan, err := s.of(by).GetPlan(ctx, s.planned(by))
		return answer{id: plan.ChangesetID, err: err}
	}
}

// doneAt is the time of the n-th call's change, by the clock of its caller: later calls have
// earlier times, so that changes are recorded out of order.
func doneAt(n int) time.Time {
	return time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC).Add(-time.Duration(n) * time.Minute)
}

// entropy reads the runtime's random numbers, which the explorer seeds. It needs no lock, so it
// orders no calls.
type entropy struct{}

// Read fills p.
func (entropy) Read(p []byte) (int, error) {
	var word [8]byte
	for i := 0; i < len(p); i += len(word) {
		binary.LittleEndian.PutUint64(word[:], rand.Uint64())
		copy(p[i:], word[:])
	}
	return len(p), nil
}
