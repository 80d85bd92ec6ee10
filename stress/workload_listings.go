package stress

import (
	"slices"
	"sync/atomic"

	"github.com/jacquard-go/jacquard/lifecycle"
)

// listingWorkloads returns R3's: half of the goroutines make plans, the other half list them.
func listingWorkloads() []Workload {
	return onBothStores("makers and listers of plans", newListingSite)
}

// planAction is the action from which plans are made.
const planAction = "local/review"

// times is how often each goroutine acts in a round. If it continues until an event that may not happen, atMost bounds
// it.
const (
	times  = 4
	atMost = 100
)

type listingSite struct {
	*ground
	made []string // the identifiers of all plans
}

func newListingSite(t *tally, g *ground) (site, error) {
	_, err := g.of(0).CreateAction(t.ctx, actionSpec(planAction, "what the plans are made from"))
	return &listingSite{ground: g}, err
}

// round compares each listing with the plans that every maker had made, in their order.
func (s *listingSite) round(t *tally) {
	own := make([][]string, t.size)        // of each maker
	listings := make([][][]string, t.size) // of each lister
	var returned atomic.Int64
	t.together(t.size, func(i int, m *member) {
		for range times {
			if i%2 == 0 {
				own[i] = append(own[i], s.make(t, i, m))
				if i%4 == 0 {
					returned.Add(1)
				}
			} else {
				listings[i] = append(listings[i], s.list(t, i, m, &returned))
			}
		}
	})
	before := slices.Clone(s.made)
	for _, ids := range own {
		s.made = append(s.made, ids...)
	}
	for _, all := range listings {
		for _, l := range all {
			checkListing(t, l, before, own)
		}
	}
}

func (s *listingSite) make(t *tally, i int, m *member) string {
	plan, err := s.of(i/2).UseAction(t.ctx, planAction, lifecycle.UseOptions{})
	if m.did(err, nil) {
		_, err := s.of(i/2+1).GetPlan(t.ctx, plan.ID) // through the other service, if there is one
		m.did(err, nil)
	}
	return plan.ID
}

// list makes a listing. Half of the listers know how many plans half of the makers had made before, which orders them
// all; the others do not, so that not every data race between an insertion and a listing is hidden.
func (s *listingSite) list(t *tally, i int, m *member, returned *atomic.Int64) []string {
	atLeast := len(s.made)
	if i%4 == 1 {
		atLeast += int(returned.Load())
	}
	plans, err := s.of(i / 2).ListPlans(t.ctx)
	m.did(err, nil)
	var ids []string
	for _, p := range plans {
		ids = append(ids, p.ID)
	}
	if len(ids) < atLeast {
		m.failf("%d plans had been returned, and a listing that began then has %d", atLeast, len(ids))
	}
	return ids
}

// checkListing compares a listing with the only possible result: the plans from before, and for each maker a prefix of
// its new plans.
func checkListing(t *tally, listing, before []string, own [][]string) {
	in := make(map[string]bool)
	for _, id := range listing {
		in[id] = true
	}
	want := slices.Clone(before)
	for _, ids := range own {
		for _, id := range ids {
			if !in[id] {
				break
			}
			want = append(want, id)
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(slices.Values(listing)); !slices.Equal(got, want) {
		t.failf("a listing is not the plans as they were at one moment: got %d %v, want %d %v", len(got), got, len(want), want)
	}
}

func (s *listingSite) settle(t *tally) {
	for i := range s.services {
		plans, err := s.of(i).ListPlans(t.ctx)
		t.done("list the plans", err)
		found := 0
		for _, p := range plans {
			if slices.Contains(s.made, p.ID) {
				found++
			}
		}
		t.sum("plans that a service finds", found, len(s.made))
		t.sum("plans that a service lists", len(plans), len(s.made))
	}
	action, err := s.of(0).GetAction(t.ctx, planAction)
	t.done("get the action", err)
	t.sum("uses of the action", int(action.Uses), len(s.made))
}
