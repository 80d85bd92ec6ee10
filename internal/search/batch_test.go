package search_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
)

// The result of a depth-first search does not depend on how many of its schedules are
// run at once.
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

// A search makes no claim about schedules that were drawn and not run, wherever it ends.
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
					t.Errorf("%v, in batches of %d, after %d schedules: got %d as all at ≤ %d, of which %d were run, want %d", m, most+1, ran, e.Schedules, e.Bound, within, want)
				}
			}
			if e := s.(schedule.Exhauster).Exhausted(); !e.Complete || e.Bound != 3 {
				t.Errorf("%v, in batches of %d: got %+v in the end, want all at ≤ 3", m, most+1, e)
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

// A strategy that is no Drawer is asked for one schedule at a time.
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

// A schedule is the same in another process.
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
			t.Errorf("%s: got other schedules there than here", s.Name())
		}
	}
}
