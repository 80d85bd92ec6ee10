package explore_test

import (
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

// What a depth-first search finds does not depend on how many of its schedules
// are run at once.
func TestDepthFirstInBatchesIsComplete(t *testing.T) {
	for _, m := range []model{{1}, {2, 3}, {2, 2, 2}, {1, 2, 3}, {4, 4}} {
		for bound := range 4 {
			want := m.all(bound)
			s := explore.DepthFirst(bound)
			s.Reset(1)
			got := make(map[string]bool)
			batches := explore.InBatches(s, 1<<20, func(p explore.Picker) []explore.Decision {
				order, decisions, _ := m.play(p)
				if got[order] {
					t.Errorf("%v, bound %d: schedule %s was run twice", m, bound, order)
				}
				got[order] = true
				return decisions
			})
			if len(got) != len(want) {
				t.Errorf("%v, bound %d: got %d schedules, want %d", m, bound, len(got), len(want))
			}
			if len(want) > 20 && slices.Max(batches) < 4 {
				t.Errorf("%v, bound %d: got batches of %v: nothing can be done at once", m, bound, batches)
			}
		}
	}
}

// Batches grow with what is known, up to a bound.
func TestBatchesGrow(t *testing.T) {
	for _, s := range []explore.Strategy{explore.RandomWalk(), explore.PCT(3), explore.POS(), explore.SURW()} {
		s.Reset(1)
		got := explore.InBatches(s, 3000, func(p explore.Picker) []explore.Decision {
			_, decisions, _ := model{2, 3}.play(p)
			return decisions
		})
		if want := []int{1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 952}; !slices.Equal(got, want) {
			t.Errorf("%s: got batches of %v, want %v", s.Name(), got, want)
		}
	}
}

// A strategy that chooses step by step is asked for one schedule at a time.
func TestStrategyWithoutBatches(t *testing.T) {
	s := struct{ explore.Strategy }{explore.RandomWalk()} // hides what else it can
	s.Reset(1)
	got := explore.InBatches(s, 5, func(p explore.Picker) []explore.Decision {
		_, decisions, _ := model{2, 3}.play(p)
		return decisions
	})
	if want := []int{1, 1, 1, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("got batches of %v, want %v", got, want)
	}
}
