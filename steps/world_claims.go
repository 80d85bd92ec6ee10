package steps

import (
	"context"
	"sync"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
)

// theHolder is the name of every worker that claims a plan: only the fence tells two workers apart.
const theHolder = "the weaver"

// claims holds the claim that each caller had last.
type claims struct {
	mu   sync.Mutex
	last map[string]lifecycle.Claim // by caller; written and read under mu
}

// enterClaims adds the calls of workers that claim plans.
func (s *service) enterClaims(w *world) {
	c := &claims{last: make(map[string]lifecycle.Claim)}
	s.claims = c
	w.calls["claim the plan"] = func(ctx context.Context, by asker) answer {
		return c.note(by)(s.of(by).Claim(ctx, s.planned(by), theHolder, 0))
	}
	w.calls["keep the plan"] = func(ctx context.Context, by asker) answer {
		return c.note(by)(s.of(by).Renew(ctx, c.mine(by, s.planned(by)), 0))
	}
	w.calls["give the plan back"] = func(ctx context.Context, by asker) answer {
		return answer{err: s.of(by).Release(ctx, c.mine(by, s.planned(by)))}
	}
	w.calls["run the plan's parts"] = s.runParts
	w.calls["bring the plan home"] = func(ctx context.Context, by asker) answer {
		a := answer{ids: []string{}}
		_, a.err = s.work(by).Apply(ctx, func(_ context.Context, change lifecycle.Change) error {
			a.ids = append(a.ids, change.Path)
			return nil
		})
		return a
	}
}

// parts are the names of the subplans of each plan.
var parts = []string{"warp", "weft"}

// partPaths returns the paths that the parts of a plan change.
func partPaths(plan string) (paths []string) {
	for _, name := range parts {
		paths = append(paths, plan+"/"+name)
	}
	return paths
}

// runParts runs the parts of a plan in parallel.
func (s *service) runParts(ctx context.Context, by asker) answer {
	a := answer{id: s.planned(by)}
	var list []subplans.Subplan
	for _, name := range parts {
		list = append(list, subplans.Subplan{Name: name, Action: theAction})
	}
	_, a.err = subplans.Run(ctx, subplans.Config{
		Service: s.of(by), Parent: lifecycle.Claim{PlanID: a.id}, Mode: subplans.Parallel,
		Work: func(ctx context.Context, task subplans.Task) error {
			_, err := task.Changes.StartChangeset(ctx)
			if err == nil {
				_, err = task.Changes.RecordChange(ctx, lifecycle.Entry{Operation: lifecycle.OperationModify, Path: task.Plan.ParentID + "/" + task.Name})
			}
			return err
		},
		Merge: func(_ context.Context, _ lifecycle.Plan, change lifecycle.Change) error {
			a.ids = append(a.ids, change.Path)
			return nil
		},
	}, list)
	return a
}

// note records a claim that a caller has got.
func (c *claims) note(by asker) func(lifecycle.Claim, error) answer {
	return func(claim lifecycle.Claim, err error) answer {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err == nil {
			c.last[by.by] = claim
		}
		return answer{err: err}
	}
}

// mine returns the claim that a caller had last, or, without one, a claim that no caller holds.
func (c *claims) mine(by asker, planID string) lifecycle.Claim {
	c.mu.Lock()
	defer c.mu.Unlock()
	if claim, ok := c.last[by.by]; ok {
		return claim
	}
	return lifecycle.Claim{PlanID: planID, Holder: theHolder, Fence: 1 << 40}
}

// carried returns the fence under which a caller works: that of the claim it had last, even if it has ended; 0 without
// one.
func (c *claims) carried(by asker) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last[by.by].Fence
}
