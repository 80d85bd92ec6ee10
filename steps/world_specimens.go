package steps

import (
	"context"
	"errors"
	"fmt"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// openSpecimen opens the subjects of the catalogue that a plot is about, in its column.
func (p *plot) openSpecimen(t races.T) (*world, error) {
	w := newWorld(p.String())
	for _, row := range p.rows() {
		_, cell, err := races.Find(row + "/" + string(p.column))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%w: %s: %w", errScenario, p, err), w.close())
		}
		subject, err := cell.Open(t)
		if err != nil {
			return nil, errors.Join(err, w.close())
		}
		w.closes = append(w.closes, subject.Close)
		p.enter(w, subject)
	}
	return w, nil
}

// rows returns the races whose specimens have the calls that the scenario makes.
func (p *plot) rows() []string {
	switch {
	case p.place == engineCache:
		return []string{"R1"}
	case p.place == noSchema:
		return []string{"N1"}
	case p.place == withParts && p.does("run the subplans"):
		return []string{"N9"}
	case p.place == withParts:
		return []string{"N6"}
	case p.place == lockService:
		return []string{"N4"}
	case p.place == jobQueue:
		return []string{"N5"}
	case p.does("take the plan over"):
		return []string{"N10"}
	case p.refuses:
		return []string{"N2"}
	case p.place == inMemory && p.changeset:
		return []string{"R4"}
	case p.place == inMemory:
		return []string{"R2", "R3"}
	case p.does("start a changeset"):
		return []string{"N7"}
	case p.does("make a plan"):
		return []string{"N8"}
	case p.does("execute the plan"):
		return []string{"N3"}
	case p.does("apply the plan"):
		return []string{"R7"}
	}
	return []string{"R6"}
}

// enter adds the calls and facts of a subject.
func (p *plot) enter(w *world, subject races.Subject) {
	switch s := subject.(type) {
	case races.Engines:
		w.engines(s)
	case races.Migrations:
		of := pair(s.A(), s.B())
		w.calls["bring the schema up to date"] = func(ctx context.Context, by asker) answer { return answer{err: of(by).Migrate(ctx)} }
		w.facts["migrations"] = s.Migrated
	case races.Actions:
		w.specimenActions(s)
	case races.Plans:
		w.specimenPlans(s)
	case races.Changesets:
		w.specimenChangesets(s)
	case races.Refused:
		w.refused(s)
	case races.Workers:
		w.workers(s)
	case races.Shared:
		w.shared(s)
	case races.Recorders:
		w.recorders(s)
	case races.Files:
		w.files(s)
	case races.Failures:
		w.failures(s)
	case races.Parts:
		w.parts(s)
	case races.Lockers:
		w.lockers(s, p)
	case races.Pollers:
		w.pollers(s)
	case races.Leases:
		w.leases(s)
	}
}

// pair returns the choice between the two instances of a specimen, by the caller.
func pair[I any](a, b I) func(asker) I {
	return func(by asker) I { return []I{a, b}[by.instance%2] }
}

func (w *world) engines(s races.Engines) {
	w.calls["ask for the engine"] = func(ctx context.Context, by asker) answer {
		ask := s.ForUnitOfWork
		if by.instance%2 == 1 {
			ask = s.ForMigrations
		}
		e, err := ask(ctx)
		return answer{object: e, err: err}
	}
	w.facts["engines"] = func(context.Context) (int, error) { return s.Created(), nil }
}

func (w *world) specimenActions(s races.Actions) {
	w.calls["create the action"] = func(ctx context.Context, by asker) answer {
		return answer{err: s.Create(ctx, actionSpec(by.arg, by.by))}
	}
	w.calls["read the action"] = func(ctx context.Context, by asker) answer {
		text, err := s.Description(ctx, by.arg)
		return answer{text: text, err: err}
	}
}

func (w *world) specimenPlans(s races.Plans) {
	w.calls["make a plan"] = func(ctx context.Context, _ asker) answer {
		id, err := s.Use(ctx)
		return answer{id: id, err: err}
	}
	w.calls["list the plans"] = func(ctx context.Context, _ asker) answer {
		ids, err := s.List(ctx)
		return answer{ids: append([]string{}, ids...), err: err}
	}
	w.calls["find the plan"] = func(ctx context.Context, by asker) answer { return answer{err: s.Get(ctx, by.arg)} }
	w.facts["plans at first"] = func(context.Context) (int, error) { return 1, nil }
}

func (w *world) specimenChangesets(s races.Changesets) {
	w.calls["start a changeset"] = func(ctx context.Context, _ asker) answer {
		id, err := s.Start(ctx)
		return answer{id: id, err: err}
	}
	w.calls["record a change"] = func(ctx context.Context, by asker) answer { return answer{err: s.Record(ctx, pathOf(by.n))} }
	w.calls["finish the changeset"] = write(func(ctx context.Context) error { return s.Finish(ctx, s.First()) })
	w.calls["list the changesets"] = func(ctx context.Context, _ asker) answer { return setsOf(s.List(ctx)) }
}

func (w *world) refused(s races.Refused) {
	w.calls["start the plan"] = write(s.Start)
	w.calls["read the plan"] = func(ctx context.Context, _ asker) answer { return positionOf(s.Position(ctx)) }
	w.calls["list the plans"] = func(ctx context.Context, _ asker) answer { return positionOf(s.Listed(ctx)) }
}

func (w *world) workers(s races.Workers) {
	of := pair(s.A(), s.B())
	w.calls["execute the plan"] = func(ctx context.Context, by asker) answer {
		a := answer{}
		a.err = of(by).Execute(ctx, a.work)
		return a
	}
	w.calls["execute the plan again"] = func(ctx context.Context, by asker) answer {
		a := answer{}
		a.err = errors.Join(of(by).Resume(ctx), of(by).Execute(ctx, func() error { a.worked++; return nil }))
		return a
	}
	w.calls["read the plan"] = func(ctx context.Context, by asker) answer { return positionOf(of(by).Position(ctx)) }
}

func (w *world) shared(s races.Shared) {
	of := pair(s.A(), s.B())
	w.calls["read the plan"] = func(ctx context.Context, by asker) answer { return positionOf(of(by).Position(ctx)) }
	w.calls["list the plans"] = func(ctx context.Context, by asker) answer {
		listing, ok := of(by).(interface {
			Listed(context.Context) (lifecycle.Position, error)
		})
		if !ok {
			return answer{err: fmt.Errorf("%w: %T lists no plans", errScenario, of(by))}
		}
		return positionOf(listing.Listed(ctx))
	}
	w.calls["start the plan"] = func(ctx context.Context, by asker) answer { return answer{err: of(by).Start(ctx)} }
	w.calls["apply the plan"] = func(ctx context.Context, by asker) answer { return answer{err: of(by).Apply(ctx)} }
	w.facts["moves"] = s.Moves
}

func (w *world) recorders(s races.Recorders) {
	of := pair(s.A(), s.B())
	w.calls["start a changeset"] = func(ctx context.Context, by asker) answer {
		id, err := of(by).Start(ctx)
		return answer{id: id, err: err}
	}
	w.calls["record a change"] = func(ctx context.Context, by asker) answer { return answer{err: of(by).Record(ctx, pathOf(by.n))} }
	w.calls["list the changesets"] = func(ctx context.Context, by asker) answer { return setsOf(of(by).List(ctx)) }
}

func (w *world) files(s races.Files) {
	of := pair(s.A(), s.B())
	w.calls["make a plan"] = func(ctx context.Context, by asker) answer { return answer{err: of(by).Insert(ctx)} }
	w.calls["list the plans"] = func(ctx context.Context, by asker) answer {
		n, err := of(by).Count(ctx)
		return answer{ids: make([]string, n), err: err}
	}
	w.facts["plans at first"] = func(context.Context) (int, error) { return 0, nil }
}

func (w *world) failures(s races.Failures) {
	w.calls["note a failure"] = func(ctx context.Context, by asker) answer {
		return answer{err: s.Fail(ctx, fmt.Sprint("part ", by.n))}
	}
	w.facts["failures"] = func(ctx context.Context) (int, error) {
		failed, err := s.Failed(ctx)
		return len(failed), err
	}
}

func (w *world) parts(s races.Parts) {
	w.calls["run the subplans"] = func(ctx context.Context, _ asker) answer {
		var work races.PartsWork
		parts, err := s.Run(ctx, work.Do)
		return answer{text: work.Wrong(parts), err: err}
	}
	w.facts["subplans"] = func(context.Context) (int, error) { return 3, nil }
}

func (w *world) lockers(s races.Lockers, p *plot) {
	of := pair(s.A(), s.B())
	resource := "weft"
	if p.expired {
		resource = races.ExpiredResource
	}
	w.calls["acquire the resource"] = func(ctx context.Context, by asker) answer {
		return answer{err: of(by).Acquire(ctx, by.by, resource)}
	}
}

func (w *world) pollers(s races.Pollers) {
	of := pair(s.A(), s.B())
	w.calls["look for a job"] = func(ctx context.Context, by asker) answer {
		a := answer{}
		_, a.err = of(by).Poll(ctx, func() error { a.worked++; return nil })
		return a
	}
}

func (w *world) leases(s races.Leases) {
	of := pair(s.A(), s.B())
	w.calls["hang in the middle of the plan"] = func(context.Context, asker) answer { return answer{} } // the subject has begun it
	w.calls["take the plan over"] = func(ctx context.Context, by asker) answer { return answer{err: of(by).TakeOver(ctx)} }
	w.calls["complete the plan"] = func(ctx context.Context, by asker) answer { return answer{err: of(by).Finish(ctx)} }
	w.calls["read the plan"] = func(ctx context.Context, by asker) answer { return positionOf(of(by).Position(ctx)) }
}

// errWork is the error of the work on a plan.
var errWork = errors.New("the loom is jammed")

// work does the work of a plan, which fails.
func (a *answer) work() error {
	a.worked++
	return errWork
}

// pathOf returns the path that the n-th call changes.
func pathOf(n int) string { return fmt.Sprintf("loom/weft-%d.go", n) }

func positionOf(at lifecycle.Position, err error) answer {
	return answer{at: []lifecycle.Position{at}, err: err}
}

func setsOf(sets []lifecycle.Changeset, err error) answer {
	return answer{sets: append([]lifecycle.Changeset{}, sets...), err: err}
}

// actionSpec describes an action that can be used any number of times.
func actionSpec(name, description string) lifecycle.ActionSpec {
	return lifecycle.ActionSpec{
		Name: name, Description: description, DefinitionOfDone: "the change is reviewed", Reusable: true,
		Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
	}
}
