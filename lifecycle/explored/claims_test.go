package explored_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/lifecycle"
)

// A claim is a register of a fence. What two workers of one name see is linearizable:
// after a release a worker can neither renew nor end the other's claim.
func TestClaimsAreLinearizable(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	t.Run("memory", func(t *testing.T) {
		explore.Test(t, effort{schedules: 480}.config(), func(t *explore.T) { claimTwice(t, "") })
	})
	t.Run("sqlite-memory", func(t *testing.T) {
		explore.Test(t, effort{schedules: 18}.config(), func(t *explore.T) { claimTwice(t, "sqlite:///:memory:") })
	})
}

// A claimCall is a call with the fence of the caller's last claim. A claimAnswer is
// whether it succeeded, and the fence of the claim that it made.
type (
	claimCall struct {
		do    string
		fence int64
	}
	claimAnswer struct {
		ok    bool
		fence int64
	}
)

// claimStep applies a call to the last claim, which is valid if ok is set.
func claimStep(last claimAnswer, c claimCall) (claimAnswer, claimAnswer) {
	switch {
	case c.do == "claim" && !last.ok:
		last = claimAnswer{true, last.fence + 1}
		return last, last
	case c.do == "renew" && last.ok && last.fence == c.fence:
		return last, claimAnswer{ok: true}
	case c.do == "release" && last.fence == c.fence:
		return claimAnswer{false, last.fence}, claimAnswer{ok: true}
	}
	return last, claimAnswer{}
}

// claimTwice lets two workers of one name claim one plan.
func claimTwice(t *explore.T, url string) {
	ctx := context.Background()
	s, plan := claimable(t, lifecycle.Config{URL: url})
	h := explore.NewHistory(t, explore.Model[claimAnswer, claimCall, claimAnswer]{Step: claimStep})
	work := func(calls ...string) func() {
		var mine lifecycle.Claim
		apply := func(c claimCall) (a claimAnswer) {
			var err error
			switch c.do {
			case "claim":
				var got lifecycle.Claim
				if got, err = s.Claim(ctx, plan, "weaver", 0); err == nil {
					mine, a.fence = got, got.Fence
				}
			case "renew":
				_, err = s.Renew(ctx, mine, 0)
			case "release":
				err = s.Release(ctx, mine)
			}
			if err != nil && !errors.Is(err, lifecycle.ErrClaimed) {
				t.Errorf("%s: got %v, want none or a ClaimedError", c.do, err)
			}
			a.ok = err == nil
			return a
		}
		return func() {
			for _, do := range calls {
				if do == "claim" || mine.Fence != 0 {
					h.Do(claimCall{do, mine.Fence}, apply)
				}
			}
		}
	}
	t.Go("A", work("claim", "release", "release", "renew"))
	t.Go("B", work("claim", "renew", "renew"))
	t.Wait()
	h.Check()
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// claimable returns a service with a plan.
func claimable(t *explore.T, cfg lifecycle.Config) (*lifecycle.Service, string) {
	ctx := context.Background()
	s, err := lifecycle.Open(ctx, cfg)
	if err != nil {
		t.Inconclusive("set-up: %v", err)
	}
	_, err = s.CreateAction(ctx, lifecycle.ActionSpec{Name: "weave", Reusable: true, Actors: lifecycle.Actors{Strategy: "strategist", Execution: "executor"}})
	if err != nil {
		t.Inconclusive("set-up: %v", err)
	}
	p, err := s.UseAction(ctx, "weave", lifecycle.UseOptions{})
	if err != nil {
		t.Inconclusive("set-up: %v", err)
	}
	return s, p.ID
}
