package stress

import (
	"context"
	"errors"
	"slices"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/races"
)

// starterAndLooker lets one goroutine start changesets while another reads, again and again, which one the plan has.
func starterAndLooker(t races.T, s *lifecycle.Service, planID string) (string, error) {
	const starts, looks = 8, 50
	c := s.ExecutionContext(planID)
	if _, err := c.StartChangeset(t.Context()); err != nil {
		return "", err
	}
	what := "listed"
	var started, looked error
	both(t, func() {
		for range starts {
			_, err := c.StartChangeset(t.Context())
			started = errors.Join(started, err)
		}
	}, func() {
		for range looks {
			p, err1 := s.GetPlan(t.Context(), planID)
			all, err2 := c.Changesets(t.Context())
			if !slices.ContainsFunc(all, func(c lifecycle.Changeset) bool { return c.ID == p.ChangesetID }) {
				what = "not listed"
			}
			looked = errors.Join(looked, err1, err2)
		}
	})
	return what, errors.Join(started, looked)
}

// applierAndRecorder lets one goroutine apply a plan while another records a change in it.
func applierAndRecorder(t races.T, s *lifecycle.Service, planID string) (string, error) {
	for _, command := range []lifecycle.Command{
		lifecycle.CommandStartStrategize, lifecycle.CommandCompleteStrategize, lifecycle.CommandExecutePlan,
		lifecycle.CommandStartExecute, lifecycle.CommandCompleteExecute, lifecycle.CommandApplyPlan,
	} {
		if _, err := s.Transition(t.Context(), lifecycle.Request{PlanID: planID, Command: command}); err != nil {
			return "", err
		}
	}
	c := s.ExecutionContext(planID)
	if _, err := c.StartChangeset(t.Context()); err != nil {
		return "", err
	}
	brought := 0
	var applied, recorded error
	both(t, func() {
		_, applied = c.Apply(t.Context(), func(context.Context, lifecycle.Change) error { brought++; return nil })
	}, func() {
		_, recorded = c.RecordChange(t.Context(), lifecycle.Entry{Operation: lifecycle.OperationModify, Path: "loom/weft.go"})
	})
	what := map[bool]string{true: "recorded, ", false: "refused, "}[recorded == nil] + map[bool]string{true: "brought", false: "not brought"}[brought == 1]
	if errors.Is(recorded, lifecycle.ErrFinished) {
		recorded = nil
	}
	return what, errors.Join(applied, recorded)
}

// releaserAndClaimer has two workers with one name, whose claims differ only in the fence.
func releaserAndClaimer(t races.T) (string, error) {
	return withEngines(t, func(ctx context.Context, e *lifecycle.Engines, _ *races.Openings) (string, error) {
		return withPlan(ctx, lifecycle.Config{URL: litmusURL, Engines: e}, func(s *lifecycle.Service, planID string) (string, error) {
			mine, err := s.Claim(ctx, planID, "weaver", 0)
			if err != nil {
				return "", err
			}
			var kept, refused, lost error
			both(t, func() {
				_ = s.Release(ctx, mine)
				_ = s.Release(ctx, mine) // the claim may now be another's, or free
				_, kept = s.Renew(ctx, mine, 0)
			}, func() {
				var next lifecycle.Claim
				if next, refused = s.Claim(ctx, planID, "weaver", 0); refused == nil {
					_, lost = s.Renew(ctx, next, 0)
				}
			})
			switch {
			case kept == nil:
				return "kept what was given back", nil
			case errors.Is(refused, lifecycle.ErrClaimed):
				return "refused", nil
			case errors.Is(lost, lifecycle.ErrClaimed):
				return "claimed, lost", nil
			}
			return "claimed, kept", errors.Join(refused, lost)
		})
	})
}

// closerAndLister has two services that share the process's engine of an in-memory database.
func closerAndLister(t races.T) (string, error) {
	a, err := lifecycle.Open(t.Context(), lifecycle.Config{URL: litmusURL})
	if err != nil {
		return "", err
	}
	b, err := lifecycle.Open(t.Context(), lifecycle.Config{URL: litmusURL})
	if err != nil {
		return "", errors.Join(err, a.Close())
	}
	var closed, during error
	both(t, func() { closed = a.Close() }, func() { _, during = b.ListActions(t.Context()) })
	_, after := b.ListActions(t.Context())
	what := "listed"
	if errors.Is(during, lifecycle.ErrClosed) || errors.Is(after, lifecycle.ErrClosed) {
		what, during, after = "closed", nil, nil
	}
	return what, errors.Join(closed, during, after, b.Close())
}
