package subplans_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/subplans"
)

// A subplan that is deleted during the work ends the run. The next run makes it
// again. It leaves an archived one as it is.
func TestDeletedByOthers(t *testing.T) {
	forEachStore(t, func(t *testing.T, m mill) {
		ctx := context.Background()
		var worked journal
		var cause error
		cfg := m.config(subplans.Sequential, func(ctx context.Context, task subplans.Task) error {
			worked.write(task.Name)
			if task.Name != "b" || cause != nil {
				return nil
			}
			p, err := m.GetPlan(ctx, task.Plan.ID)
			check(t, err)
			check(t, m.DeletePlan(ctx, p.ID, p.Claim.Fence))
			<-ctx.Done()
			cause = context.Cause(ctx)
			return nil
		})
		cfg.Lease = 3 * time.Second // it notices after a third of that
		_, err := subplans.Run(ctx, cfg, list("a", "b"))
		for what, err := range map[string]error{"run": err, "cause": cause} {
			if !errors.Is(err, lifecycle.ErrNotFound) {
				t.Errorf("%s: got %v, want ErrNotFound", what, err)
			}
		}
		results, err := subplans.Run(ctx, cfg, list("a", "b"))
		check(t, err)
		_, err = m.ArchivePlan(ctx, results[0].Plan.ID)
		check(t, err)
		again, err := subplans.Run(ctx, cfg, list("a", "b"))
		if want := []string{"a", "b", "b"}; err != nil || !slices.Equal(worked.words, want) || again[0].Plan.ID != results[0].Plan.ID {
			t.Errorf("got %+v, %v, worked on %q, want %q and a to stay %s", again, err, worked.words, want, results[0].Plan.ID)
		}
		if err := m.DeletePlan(ctx, m.parent.PlanID, m.parent.Fence); !errors.Is(err, lifecycle.ErrReferred) {
			t.Errorf("parent: got %v, want ErrReferred", err)
		}
	})
}
