package search_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
)

// A depth-first search runs every schedule exactly once, however many of them run at the
// same time.
func TestDepthFirstInBatchesIsComplete(t *testing.T) {
	for _, m := range []model{{1}, {2, 3}, {2, 2, 2}, {1, 2, 3}, {4, 4}} {
		for bound := range 4 {
			want := m.all(bound)
			s := strategy.DepthFirst(bound)
			s.Reset(1)
			got := make(map[string]bool)
			batches := search.InBatches(s, 1<<20, func(p search.Picker) []schedule.Decision {
				order, decisions, _ := m.play(p)
				if got[order] {
					t.Errorf("%v, bound %d: got schedule %s twice, want each once", m, bound, order)
				}
				got[order] = true
				return decisions
			})
			if len(got) != len(want) {
				t.Errorf("%v, bound %d: got %d schedules, want %d", m, bound, len(got), len(want))
			}
			if len(want) > 20 && slices.Max(batches) < 4 {
				t.Errorf("%v, bound %d: got batches of %v, want one of at least 4", m, bound, batches)
			}
		}
	}
}

// A search claims nothing about schedules that were drawn and not run, wherever it stops.
func TestDepthFirstClaimsOnlyWhatWasRun(t *testing.T) {
	for _, m := range []model{{1}, {2, 3}, {2, 2, 2}, {1, 2, 3}} {
		for most := range 6 {
			s := schedule.DrawerOf(strategy.DepthFirst(3))
			s.Reset(1)
			ran, batch, costs := 0, []schedule.Schedule(nil), [20]int{}
			for {
				for len(batch) <= most {
					next, ok := s.Draw()
					if !ok {
						break
					}
					batch = append(batch, next)
				}
				if len(batch) == 0 {
					break
				}
				p, _ := batch[0].Start()
				_, decisions, cost := m.play(p)
				s.Ran(batch[0], schedule.Trace{Decisions: decisions})
				batch = batch[1:]
				ran++
				costs[cost]++
				e := s.(schedule.Exhauster).Exhausted()
				within := 0
				for _, n := range costs[:e.Bound+1] {
					within += n
				}
				if want := len(m.all(e.Bound)); e.Complete && (within != want || e.Schedules != want) {
					t.Errorf("%v, in batches of %d, after %d schedules: got a claim of %d schedules at ≤ %d, of which %d were run, want %d", m, most+1, ran, e.Schedules, e.Bound, within, want)
				}
			}
			if e := s.(schedule.Exhauster).Exhausted(); !e.Complete || e.Bound != 3 {
				t.Errorf("%v, in batches of %d: got %+v at the end, want all at ≤ 3", m, most+1, e)
			}
		}
	}
}

// Batches grow with the number of schedules already run, up to a bound.
func TestBatchesGrow(t *testing.T) {
	for _, s := range []schedule.Strategy{strategy.RandomWalk(), strategy.PCT(3), strategy.POS(), strategy.SURW()} {
		s.Reset(1)
		got := search.InBatches(s, 3000, func(p search.Picker) []schedule.Decision {
			_, decisions, _ := model{2, 3}.play(p)
			return decisions
		})
		if want := []int{1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 952}; !slices.Equal(got, want) {
			t.Errorf("%s: got batches of %v, want %v", s.Name(), got, want)
		}
	}
}

// A strategy that is no Drawer draws one schedule at a time.
func TestStrategyWithoutBatches(t *testing.T) {
	s := struct{ schedule.Strategy }{strategy.RandomWalk()} // hides its other methods
	s.Reset(1)
	got := search.InBatches(s, 5, func(p search.Picker) []schedule.Decision {
		_, decisions, _ := model{2, 3}.play(p)
		return decisions
	})
	if want := []int{1, 1, 1, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("got batches of %v, want %v", got, want)
	}
}

// A schedule makes the same choices in another process.
func TestSchedulesTravel(t *testing.T) {
	play := func(p search.Picker) []schedule.Decision {
		_, decisions, _ := model{2, 3, 2}.play(p)
		for i := range decisions {
			decisions[i].Ready = 2
		}
		return decisions
	}
	for _, s := range []schedule.Strategy{strategy.RandomWalk(), strategy.PCT(3), strategy.POS(), strategy.SURW(), strategy.DepthFirst(2)} {
		want, err := search.Played(s, 100, false, play)
		if err != nil {
			t.Fatal(err)
		}
		got, err := search.Played(s, 100, true, play)
		if err != nil {
			t.Fatalf("%s: %v", s.Name(), err)
		}
		if !reflect.DeepEqual(got, want) || len(got) != 100 {
			t.Errorf("%s: got other choices in another process, want the same", s.Name())
		}
	}
}
