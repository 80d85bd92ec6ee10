package search_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs/files"
	"github.com/jacquard-go/jacquard/internal/programs/finals"
	"github.com/jacquard-go/jacquard/internal/strategy"
)

// A reduced search leaves out schedules that are equivalent to another one. It reaches every
// final state and every order that the full search reaches with as many preemptions. The
// orders may differ only if a TryRLock retries because another goroutine came in between.
func TestReducedReachesEverything(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	bounds := []int{0, 1, 2, 3}
	if testing.Short() {
		bounds = bounds[:3]
	}
	var all, some int
	for class, programs := range map[string][]finals.Final{
		"finals": finals.All(), "timers": finals.Timers(), "tells": finals.Observers(), "tries": finals.Tries(), "reflected": finals.Reflected(), "files": files.Shared(),
	} {
		for _, b := range programs {
			telling := class == "tries"
			t.Run(class+"/"+b.Name, func(t *testing.T) {
				for _, bound := range bounds {
					want := findings(t, b, strategy.DepthFirst(bound), 3000)
					if !want.Complete {
						break
					}
					got := searchAll(t, b, strategy.Reduced(bound))
					t.Logf("≤ %d: %d schedules, reduced %d; %d orders", bound, want.Schedules, got.Schedules, want.Orders)
					if finals := slices.Sorted(maps.Keys(got.Finals)); !slices.Equal(finals, slices.Sorted(maps.Keys(want.Finals))) || got.Orders != want.Orders && !telling || got.Why != "" {
						t.Errorf("≤ %d: got %d orders and the final states %q, %s; want %d and %q", bound, got.Orders, finals, got.Why, want.Orders, slices.Sorted(maps.Keys(want.Finals)))
					}
					all, some = all+want.Schedules, some+got.Schedules
				}
			})
		}
	}
	if t.Logf("%d of %d schedules", some, all); 4*some > 3*all {
		t.Errorf("got %d of %d schedules, want at most three in four", some, all)
	}
}
