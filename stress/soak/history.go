package soak

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/jobs"
	"github.com/jacquard-go/jacquard/lifecycle/locks"
)

// history is everything that was done in a run, and the content of the database afterwards. A run deletes nothing, so
// every operation that had an effect has left a trace there.
type history struct {
	began      int64
	settled    int64        // the time after which nothing changed
	operations []*operation // in the order of their calls; the last ones are the parent's, which read everything
	stats      counts

	plans   map[string]*planEnd
	actions map[string]actionView

	jobs   []jobs.Job                 // at the end, as the next
	claims map[string]lifecycle.Claim // by plan
	locks  map[string]locks.Lock      // by resource

	families map[string]*family // by parent

	doubtful map[string]bool // labels of uses and changes that were pending when the processes had ended
}

// parent is the number of the process that started the others.
const parent = 0

// planEnd is a plan as it is at the end.
type planEnd struct {
	planView
	changesets []changesetView // the oldest first
}

// nth returns the place of a changeset among those of its plan, from 1, or 0 if it is not there.
func (p *planEnd) nth(changeset string) int {
	return 1 + slices.IndexFunc(p.changesets, func(c changesetView) bool { return c.ID == changeset })
}

// collect reads the journals of all lives and the whole database, in a bounded time.
func collect(ctx context.Context, f *fleet, began int64) (*history, error) {
	ctx, cancel := context.WithTimeout(ctx, f.cfg.CheckTime)
	defer cancel()
	h := &history{began: began, plans: make(map[string]*planEnd), actions: make(map[string]actionView)}
	for _, l := range f.lives {
		all, stats, err := readJournal(f.dir, l)
		if err != nil {
			return nil, err
		}
		h.operations = append(h.operations, all...)
		h.stats = sum(h.stats, stats)
	}
	if err := h.readDatabase(ctx, f.url, f.cfg); err != nil {
		return nil, fmt.Errorf("soak: read what is there at the end: %w", err)
	}
	h.sort()
	return h, nil
}

// sort sorts the operations by their calls, and resolves the pending ones.
func (h *history) sort() {
	slices.SortStableFunc(h.operations, func(a, b *operation) int { return cmp.Compare(a.call.At, b.call.At) })
	h.resolve()
}

func sum(a, b counts) counts {
	return counts{lifecycle.Stats{
		Hits: a.Hits + b.Hits, Refreshes: a.Refreshes + b.Refreshes, Misses: a.Misses + b.Misses,
		RecentHits: a.RecentHits + b.RecentHits, Invalidations: a.Invalidations + b.Invalidations,
		Conflicts: a.Conflicts + b.Conflicts, Retries: a.Retries + b.Retries,
	}, a.Jumps + b.Jumps}
}

// readDatabase reads everything through the parent's own service, and records it as operations. First it waits, with a
// transaction that has the database alone, for work that a server may still do for dead processes.
func (h *history) readDatabase(ctx context.Context, url string, cfg Config) (err error) {
	engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{RelaxedDurability: cfg.Relaxed})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engines.Close()) }()
	barrier := func(context.Context, lifecycle.Repositories) error { return nil }
	if err := lifecycle.NewUnitOfWork(engines, url).Transaction(ctx, barrier); err != nil {
		return err
	}
	h.settled = clock()
	s, err := lifecycle.Open(ctx, lifecycle.Config{URL: url, Engines: engines})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return errors.Join(h.readAll(ctx, s), h.readOffices(ctx, s))
}

// readOffices reads the last owners of jobs, plans and locks.
func (h *history) readOffices(ctx context.Context, s *lifecycle.Service) error {
	work, err := s.UnitOfWork()
	if err != nil {
		return err
	}
	queue, err1 := jobs.New(jobs.Config{Work: work})
	service, err2 := locks.New(work)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if h.jobs, err = queue.List(ctx, ""); err != nil {
		return err
	}
	plans, err := s.ListPlans(ctx)
	if err != nil {
		return err
	}
	h.claims, h.locks = make(map[string]lifecycle.Claim), make(map[string]locks.Lock)
	for _, p := range plans {
		h.claims[p.ID] = p.Claim
	}
	if err := h.readFamilies(ctx, s, plans); err != nil {
		return err
	}
	for _, o := range h.operations {
		if _, read := h.locks[o.Subject]; o.Kind != AcquireLock || read {
			continue
		}
		if h.locks[o.Subject], _, err = service.Find(ctx, locks.Resource{Type: "soak", ID: o.Subject}); err != nil {
			return err
		}
	}
	return nil
}

func (h *history) readAll(ctx context.Context, s Service) error {
	n := int64(0)
	read := func(kind Kind, subject string) (answer, error) {
		n++
		o := &operation{life: life{Process: parent}, call: call{Number: n, At: clock(), Kind: kind, Subject: subject}}
		o.answer = perform(ctx, s, o.call, "")
		o.answer.At = clock()
		h.operations = append(h.operations, o)
		if o.answer.Outcome != OK {
			return o.answer, fmt.Errorf("%s %s: %s %s", kind, subject, o.answer.Outcome, o.answer.Error)
		}
		return o.answer, nil
	}
	actions, err1 := read(ListActions, "")
	plans, err2 := read(ListPlans, "")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for _, a := range actions.Actions {
		if _, err := read(GetAction, a.Name); err != nil {
			return err
		}
		h.actions[a.Name] = a
	}
	for _, p := range plans.Plans {
		_, err1 := read(GetPlan, p.ID)
		changesets, err2 := read(ListChangesets, p.ID)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		h.plans[p.ID] = &planEnd{p, changesets.Changesets}
	}
	return nil
}

// resolve decides the pending uses of actions: a use whose plan exists took effect before everything was settled, and a
// use whose plan does not exist never did.
func (h *history) resolve() {
	made := make(map[string]*planEnd)
	for _, p := range h.plans {
		made[p.Label] = p
	}
	h.doubtful = make(map[string]bool)
	turns := make(map[string]int) // by action
	for _, o := range h.operations {
		if o.Kind != UseAction && o.Kind != RecordChange || !o.answer.Outcome.pending() {
			continue
		}
		h.doubtful[o.label()] = true
		if o.Kind == RecordChange {
			continue // the model handles it
		}
		if p := made[o.label()]; p != nil {
			turns[o.Subject]++
			o.answer.Outcome, o.answer.At, o.turn = OK, h.settled, turns[o.Subject]
			o.answer.Plan = &planView{ID: p.ID, Label: p.Label, Action: p.Action, Version: 1, At: start().String(), Attempt: 1}
		} else {
			o.answer.Outcome = GaveUp
		}
	}
}

// start returns the position in which every plan starts.
func start() lifecycle.Position {
	return lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateQueued}
}
