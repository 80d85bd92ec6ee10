package lifecycle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// claimSoon claims a plan as soon as its current claim has expired.
func claimSoon(t *testing.T, s *lifecycle.Service, planID, holder string) lifecycle.Claim {
	t.Helper()
	for {
		c, err := s.Claim(context.Background(), planID, holder, time.Minute)
		if !errors.Is(err, lifecycle.ErrClaimed) {
			check(t, err)
			return c
		}
		time.Sleep(time.Millisecond)
	}
}

// claimed fails the test unless err says that the plan is claimed.
func claimed(t *testing.T, what string, err error, holder string, fence, yours int64) {
	t.Helper()
	var e *lifecycle.ClaimedError
	if !errors.Is(err, lifecycle.ErrClaimed) || !errors.As(err, &e) {
		t.Errorf("%s: got %v, want a ClaimedError", what, err)
		return
	}
	if e.Claim.Holder != holder || e.Claim.Fence != fence || e.Yours != yours || !strings.Contains(err.Error(), holder) {
		t.Errorf("%s: got %v (%+v), want it to name %q with %d, and %d", what, err, *e, holder, fence, yours)
	}
}

// N10: a worker hangs in the middle of its work. Its claim expires and another
// worker takes the plan over. Later calls of the first one are refused with an
// error that names the new holder.
func TestN10LateHolder(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := newPlan(t, s)
		a, err := s.Claim(ctx, p.ID, "A", time.Millisecond)
		check(t, err)
		b := claimSoon(t, s, p.ID, "B")
		if a.Fence != 1 || b.Fence != 2 || b.Holder != "B" || b.PlanID != p.ID || !b.ExpiresAt.After(a.ExpiresAt) {
			t.Errorf("got claims %+v and %+v, want the second to follow the first", a, b)
		}
		check(t, ignore(s.Transition(ctx, b.Request(lifecycle.CommandStartStrategize))))
		ofA, ofB := s.ExecutionContext(p.ID).Under(a), s.ExecutionContext(p.ID).Under(b)
		id, err := ofB.StartChangeset(ctx)
		check(t, err)
		before := state(t, s)
		late := map[string]error{
			"complete": ignore(s.Transition(ctx, a.Request(lifecycle.CommandCompleteStrategize))),
			"cancel":   ignore(s.Transition(ctx, a.Request(lifecycle.CommandCancel))),
			"start":    ignore(ofA.StartChangeset(ctx)),
			"record":   ignore(ofA.RecordChange(ctx, entry("late"))),
			"finish":   ofA.FinishChangeset(ctx, id),
			"renew":    ignore(s.Renew(ctx, a, 0)),
			"release":  s.Release(ctx, a),
		}
		for what, err := range late {
			claimed(t, what, err, "B", 2, 1)
		}
		none := s.ExecutionContext(p.ID)
		for what, err := range map[string]error{
			"complete": ignore(s.CompleteStrategize(ctx, p.ID)),
			"start":    ignore(none.StartChangeset(ctx)),
			"record":   ignore(none.RecordChange(ctx, entry("foreign"))),
			"finish":   none.FinishChangeset(ctx, id),
			"claim":    ignore(s.Claim(ctx, p.ID, "C", 0)),
		} {
			claimed(t, what+" without a claim", err, "B", 2, 0)
		}
		if after := state(t, s); after != before {
			t.Errorf("got %s\nwant it unchanged: %s", after, before)
		}
		check(t, ignore(ofB.RecordChange(ctx, entry("in time"))))
		check(t, ignore(s.Transition(ctx, b.Request(lifecycle.CommandCompleteStrategize))))
	})
}

// An expired claim is not accepted, even if nobody has claimed the plan since:
// somebody without a claim may have worked on it.
func TestExpiredClaim(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := newPlan(t, s)
		a, err := s.Claim(ctx, p.ID, "A", time.Millisecond)
		check(t, err)
		for { // until the claim has expired
			_, err := s.StartStrategize(ctx, p.ID)
			if err == nil {
				break
			}
			claimed(t, "start while it lasts", err, "A", 1, 0)
			time.Sleep(time.Millisecond)
		}
		claimed(t, "complete", ignore(s.Transition(ctx, a.Request(lifecycle.CommandCompleteStrategize))), "A", 1, 1)
		claimed(t, "renew", ignore(s.Renew(ctx, a, 0)), "A", 1, 1)
		check(t, s.Release(ctx, a))
		check(t, s.Release(ctx, a))
		got, err := s.GetPlan(ctx, p.ID)
		check(t, err)
		if want := (lifecycle.Claim{PlanID: p.ID, Fence: 1}); got.Claim != want {
			t.Errorf("got claim %+v of the plan, want %+v", got.Claim, want)
		}
		_, err = s.Transition(ctx, a.Request(lifecycle.CommandCompleteStrategize))
		if !errors.Is(err, lifecycle.ErrClaimed) || !strings.Contains(err.Error(), "released") {
			t.Errorf("got %v, want it to say that the claim was released", err)
		}
		check(t, ignore(s.CompleteStrategize(ctx, p.ID)))
	})
}

// Nobody holds a plan that was never claimed: the error of each call that carries a claim says so.
func TestRenewNothing(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := newPlan(t, s)
		c := lifecycle.Claim{PlanID: p.ID, Fence: 5}
		want := "lifecycle: plan " + p.ID + ": got claim 5, but the plan was never claimed"
		for what, err := range map[string]error{
			"renew":   ignore(s.Renew(ctx, c, 0)),
			"release": s.Release(ctx, c),
			"delete":  s.DeletePlan(ctx, p.ID, c.Fence),
			"start":   ignore(s.Transition(ctx, c.Request(lifecycle.CommandStartStrategize))),
			"record":  ignore(s.ExecutionContext(p.ID).Under(c).StartChangeset(ctx)),
			"details": ignore(s.AddErrorDetails(ctx, lifecycle.Note{PlanID: p.ID, Fence: c.Fence, Details: map[string]string{"k": "v"}})),
		} {
			if !errors.Is(err, lifecycle.ErrClaimed) || err.Error() != want {
				t.Errorf("%s: got %v, want %s", what, err, want)
			}
		}
		if _, err := s.Renew(ctx, lifecycle.Claim{PlanID: p.ID}, 0); !errors.Is(err, lifecycle.ErrClaimed) {
			t.Errorf("renew no claim: got error %v, want one that matches ErrClaimed", err)
		}
		if got, err := s.GetPlan(ctx, p.ID); err != nil || got.Claim != (lifecycle.Claim{}) {
			t.Errorf("got claim %+v of the plan, %v; want none", got.Claim, err)
		}
	})
}

// A renewed claim lasts longer, so one holder leads the plan to its end. That
// ends the claim, and nothing can be recorded in the plan.
func TestClaimToTheEnd(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := newPlan(t, s)
		c, err := s.Claim(ctx, p.ID, "A", time.Minute)
		check(t, err)
		for _, command := range way(applyApplied) {
			longer, err := s.Renew(ctx, c, time.Hour)
			check(t, err)
			if longer.Fence != c.Fence || longer.ExpiresAt.Before(c.ExpiresAt) {
				t.Fatalf("got %+v from renewing %+v, want it to last longer", longer, c)
			}
			c = longer
			if p, err = s.Transition(ctx, c.Request(command)); err != nil {
				t.Fatalf("%s: %v", command, err)
			}
		}
		if want := (lifecycle.Claim{PlanID: p.ID, Fence: 1}); p.Claim != want {
			t.Errorf("got claim %+v of an applied plan, want %+v", p.Claim, want)
		}
		of := s.ExecutionContext(p.ID)
		for what, err := range map[string]error{
			"claim":  ignore(s.Claim(ctx, p.ID, "B", 0)),
			"start":  ignore(of.StartChangeset(ctx)),
			"record": ignore(of.RecordChange(ctx, entry("late"))),
		} {
			var e *lifecycle.FinishedError
			if !errors.Is(err, lifecycle.ErrFinished) || !errors.As(err, &e) || e.Current != applyApplied || !strings.Contains(err.Error(), "apply/applied") {
				t.Errorf("%s: got %v, want a FinishedError", what, err)
			}
		}
		cancelled := newPlan(t, s)
		open := s.ExecutionContext(cancelled.ID)
		check(t, ignore(open.StartChangeset(ctx)))
		check(t, ignore(s.Claim(ctx, cancelled.ID, "A", 0)))
		check(t, ignore(s.Cancel(ctx, cancelled.ID, "needs no claim")))
		if _, err := open.RecordChange(ctx, entry("late")); !errors.Is(err, lifecycle.ErrFinished) {
			t.Errorf("got %v, want nothing recorded in a cancelled plan", err)
		}
	})
}

// Of many callers that claim a plan at once one gets it. The others learn who.
func TestOneClaim(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		for range rounds(t) / 10 {
			p := newPlan(t, s)
			claims, errs := make([]lifecycle.Claim, 8), make([]error, 8)
			together(8, func(i int) { claims[i], errs[i] = s.Claim(ctx, p.ID, fmt.Sprint("worker ", i), 0) })
			winner := ""
			for i, err := range errs {
				if err == nil && winner == "" {
					winner = claims[i].Holder
				} else if err == nil {
					t.Fatalf("got the plan for %q and %q, want one holder", winner, claims[i].Holder)
				}
			}
			for i, err := range errs {
				if err != nil {
					claimed(t, fmt.Sprint("worker ", i), err, winner, 1, 0)
				}
			}
		}
	})
}

func TestBadClaims(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := newPlan(t, s)
		missing := lifecycle.Claim{PlanID: "nobody", Fence: 1}
		tests := map[string]struct{ got, want error }{
			"no holder":      {ignore(s.Claim(ctx, p.ID, "", 0)), lifecycle.ErrInvalid},
			"long holder":    {ignore(s.Claim(ctx, p.ID, strings.Repeat("x", lifecycle.MaxText+1), 0)), lifecycle.ErrInvalid},
			"no time":        {ignore(s.Claim(ctx, p.ID, "A", -1)), lifecycle.ErrInvalid},
			"for ever":       {ignore(s.Claim(ctx, p.ID, "A", 25*time.Hour)), lifecycle.ErrInvalid},
			"renew for ever": {ignore(s.Renew(ctx, lifecycle.Claim{PlanID: p.ID, Fence: 1}, 25*time.Hour)), lifecycle.ErrInvalid},
			"negative fence": {ignore(s.Transition(ctx, lifecycle.Request{PlanID: p.ID, Command: lifecycle.CommandCancel, Fence: -1})), lifecycle.ErrInvalid},
			"claim":          {ignore(s.Claim(ctx, "nobody", "A", 0)), lifecycle.ErrNotFound},
			"renew":          {ignore(s.Renew(ctx, missing, 0)), lifecycle.ErrNotFound},
			"release":        {s.Release(ctx, missing), lifecycle.ErrNotFound},
			"start":          {ignore(s.ExecutionContext("nobody").Under(missing).StartChangeset(ctx)), lifecycle.ErrNotFound},
			"no text":        {s.Release(ctx, lifecycle.Claim{PlanID: "a\x00b"}), lifecycle.ErrNotFound},
			"never made":     {ignore(s.Renew(ctx, lifecycle.Claim{PlanID: p.ID, Fence: 1}, 0)), lifecycle.ErrClaimed},
		}
		for name, tc := range tests {
			if !errors.Is(tc.got, tc.want) {
				t.Errorf("%s: got %v, want %v", name, tc.got, tc.want)
			}
		}
	})
}

// A unit of work carries a claim as a service does.
func TestUnitOfWorkUnderAClaim(t *testing.T) {
	ctx := context.Background()
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		u, err := s.UnitOfWork()
		if errors.Is(err, lifecycle.ErrInvalid) {
			return // there are no units of work in memory
		}
		check(t, err)
		p := newPlan(t, s)
		c, err := s.Claim(ctx, p.ID, "A", 0)
		check(t, err)
		start := func(under bool) error {
			return u.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
				if under {
					r = r.Under(c)
				}
				return r.Changesets.Start(ctx, p.ID, fmt.Sprint("changeset ", under), time.Unix(0, 0))
			})
		}
		claimed(t, "without", start(false), "A", 1, 0)
		check(t, start(true))
	})
}

// A claim in a transaction has the same limits and defaults as one of the service.
func TestClaimInATransaction(t *testing.T) {
	ctx := context.Background()
	forEachDatabase(t, func(t *testing.T, url string) {
		s := open(t, lifecycle.Config{URL: url})
		p := newPlan(t, s)
		work, err := s.UnitOfWork()
		check(t, err)
		check(t, work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
			for what, err := range map[string]error{
				"no holder": ignore(r.Plans.Claim(ctx, p.ID, "", 0)),
				"too long":  ignore(r.Plans.Claim(ctx, p.ID, "A", lifecycle.LongestClaim+1)),
				"too short": ignore(r.Plans.Claim(ctx, p.ID, "A", -1)),
			} {
				if !errors.Is(err, lifecycle.ErrInvalid) {
					t.Errorf("%s: got %v, want ErrInvalid", what, err)
				}
			}
			c, err := r.Plans.Claim(ctx, p.ID, "A", 0)
			check(t, err)
			if err := ignore(r.Plans.Renew(ctx, c, lifecycle.LongestClaim+1)); !errors.Is(err, lifecycle.ErrInvalid) {
				t.Errorf("renew for too long: got %v, want ErrInvalid", err)
			}
			return ignore(r.Plans.Renew(ctx, c, 0))
		}))
		got, err := s.GetPlan(ctx, p.ID)
		check(t, err)
		if left := time.Until(got.Claim.ExpiresAt); got.Claim.Holder != "A" || left < lifecycle.DefaultClaim/2 {
			t.Errorf("got %+v, for %v more, want A's claim for %v", got.Claim, left, lifecycle.DefaultClaim)
		}
	})
}

// A negative fence, which no claim has, does not open a claimed plan.
func TestNegativeFence(t *testing.T) {
	ctx := context.Background()
	forged := lifecycle.Claim{Fence: -1}
	forEachStore(t, func(t *testing.T, s *lifecycle.Service) {
		p := newPlan(t, s)
		held, err := s.Claim(ctx, p.ID, "A", 0)
		check(t, err)
		id, err := s.ExecutionContext(p.ID).Under(held).StartChangeset(ctx)
		check(t, err)
		c := s.ExecutionContext(p.ID).Under(forged)
		for what, err := range map[string]error{
			"start": ignore(c.StartChangeset(ctx)), "record": ignore(c.RecordChange(ctx, entry("foreign"))), "finish": c.FinishChangeset(ctx, id),
			"delete": s.DeletePlan(ctx, p.ID, forged.Fence),
		} {
			if !errors.Is(err, lifecycle.ErrInvalid) || !strings.Contains(err.Error(), `"-1"`) {
				t.Errorf("%s: got %v, want ErrInvalid for -1", what, err)
			}
		}
		work, err := s.UnitOfWork()
		if err != nil {
			return // in memory
		}
		claimed(t, "in a transaction", work.Transaction(ctx, func(ctx context.Context, r lifecycle.Repositories) error {
			return ignore(r.Under(forged).Changesets.Record(ctx, p.ID, entry("foreign")))
		}), "A", 1, 0)
	})
}
