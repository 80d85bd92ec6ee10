package stress

import (
	"slices"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// readerWorkloads returns R6's: one goroutine leads a plan from one end of its life to the other, through each service in
// turn, and the other goroutines read it through both.
func readerWorkloads() []Workload {
	return []Workload{{Name: "readers of a plan that is moved, two services on one file", ground: onFile, site: newReaderSite}}
}

// life returns the commands that lead a plan from strategize/queued to apply/applied.
func life() []lifecycle.Command {
	return []lifecycle.Command{
		lifecycle.CommandStartStrategize, lifecycle.CommandCompleteStrategize, lifecycle.CommandExecutePlan,
		lifecycle.CommandStartExecute, lifecycle.CommandCompleteExecute, lifecycle.CommandApplyPlan,
		lifecycle.CommandStartApply, lifecycle.CommandCompleteApply,
	}
}

type readerSite struct {
	*ground
	plans int // that were led to their end
}

func newReaderSite(t *tally, g *ground) (site, error) {
	_, err := g.of(0).CreateAction(t.ctx, actionSpec(planAction, "what the plans are made from"))
	return &readerSite{ground: g}, err
}

// round lets readers read until the plan is at its end, and checks that no read is older than a commit that returned before it began.
func (s *readerSite) round(t *tally) {
	plan, err := s.of(0).UseAction(t.ctx, planAction, lifecycle.UseOptions{})
	if !t.done("use the action", err) {
		return
	}
	s.plans++
	var committed atomic.Int64 // the plan's version
	committed.Store(plan.Version)
	reads, fresh := make([]int, t.size), make([]int, t.size)
	t.together(t.size, func(i int, m *member) {
		if i == 0 {
			for k, command := range life() {
				moved, err := s.of(k).Transition(t.ctx, lifecycle.Request{PlanID: plan.ID, Command: command})
				m.did(err, nil)
				committed.Store(moved.Version)
			}
			return
		}
		last := int64(0)
		for k := 0; k < times || k < atMost && last <= int64(len(life())); k++ {
			atLeast := max(last, committed.Load())
			last = s.read(t, i, m, plan.ID)
			reads[i]++
			if last >= atLeast {
				fresh[i]++
			} else {
				m.failf("the commit of version %d had returned, and service %d read version %d", atLeast, i%2, last)
			}
		}
	})
	t.sum("reads that saw the last commit", total(fresh), total(reads))
	for i := range s.services {
		end, err := s.of(i).GetPlan(t.ctx, plan.ID)
		if err != nil || end.State != lifecycle.StateApplied {
			t.failf("service %d has the plan at %s (%v), want it applied", i, end.Position(), err)
		}
		t.sum("versions of the plans at their end", int(end.Version), 1+len(life()))
	}
}

// read returns the plan's version as goroutine i reads it: every third goroutine uses a listing.
func (s *readerSite) read(t *tally, i int, m *member, id string) int64 {
	if i%3 != 0 {
		p, err := s.of(i).GetPlan(t.ctx, id)
		m.did(err, nil)
		return p.Version
	}
	all, err := s.of(i).ListPlans(t.ctx)
	m.did(err, nil)
	k := slices.IndexFunc(all, func(p lifecycle.Plan) bool { return p.ID == id })
	if k < 0 {
		m.failf("plan %s is missing from a listing", id)
		return 0
	}
	return all[k].Version
}

func (s *readerSite) settle(t *tally) {
	all, err := s.of(1).ListPlans(t.ctx)
	t.done("list the plans", err)
	t.sum("plans in the listing", len(all), s.plans)
}

func total(all []int) int {
	sum := 0
	for _, n := range all {
		sum += n
	}
	return sum
}
