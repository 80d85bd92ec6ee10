package search_test

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
)

// A model is a program given by the number of steps of each goroutine. Every order of the
// steps is a schedule.
type model []int

// run plays the next schedule of a strategy, and reports it to the strategy.
func (m model) run(s schedule.Strategy) (order string, preemptions int) {
	order, decisions, preemptions := m.play(s)
	s.End(schedule.Trace{Decisions: decisions})
	return order, preemptions
}

// play plays one schedule of the model.
func (m model) play(s search.Picker) (order string, decisions []schedule.Decision, preemptions int) {
	left := append(model(nil), m...)
	last := -1
	for {
		p := schedule.Point{Index: len(decisions), Current: -1, Created: len(m), Pending: make([]schedule.Operation, len(m)+1)}
		for i, n := range left {
			if n > 0 {
				if i == last {
					p.Current = len(p.Runnable)
				}
				p.Runnable = append(p.Runnable, uint32(i+1))
				p.Pending[i+1] = schedule.Operation{Object: 2}
			}
		}
		if len(p.Runnable) == 0 {
			break
		}
		for i, id := range p.Runnable {
			if int(id) > last+1 {
				p.Next = i
				break
			}
		}
		c := s.Pick(&p)
		if p.Preempts(c.Index) {
			preemptions++
		}
		decisions = append(decisions, schedule.Decision{
			Runnable: len(p.Runnable), Default: p.Default(), Preempts: p.Current >= 0, Chosen: c, Goroutine: p.Runnable[c.Index], Turn: p.Runnable[p.Default()],
		})
		last = int(p.Runnable[c.Index]) - 1
		left[last]--
		order += fmt.Sprint(last)
	}
	return order, decisions, preemptions
}

// all returns every schedule of the model with at most bound preemptions, by plain
// recursion.
func (m model) all(bound int) map[string]bool {
	found := make(map[string]bool)
	var walk func(left model, last, cost int, order string)
	walk = func(left model, last, cost int, order string) {
		if cost > bound {
			return
		}
		done := true
		for i, n := range left {
			if n == 0 {
				continue
			}
			done = false
			next := append(model(nil), left...)
			next[i]--
			price := 0
			if last >= 0 && left[last] > 0 && i != last {
				price = 1
			}
			walk(next, i, cost+price, order+fmt.Sprint(i))
		}
		if done {
			found[order] = true
		}
	}
	walk(m, -1, 0, "")
	return found
}

// DepthFirst runs every schedule up to its bound exactly once, in the order of their
// preemptions.
func TestDepthFirstIsComplete(t *testing.T) {
	for _, m := range []model{{1}, {1, 1}, {2, 3}, {3, 3}, {2, 2, 2}, {1, 2, 3}, {4, 4}} {
		for bound := range 4 {
			want := m.all(bound)
			s := strategy.DepthFirst(bound)
			s.Reset(1)
			got := make(map[string]bool)
			worst := 0
			for {
				if _, ok := s.Begin(); !ok {
					break
				}
				order, n := m.run(s)
				if got[order] {
					t.Errorf("%v, bound %d: got schedule %s twice, want each once", m, bound, order)
				}
				if n < worst {
					t.Errorf("%v, bound %d: schedule %s with %d preemptions came after one with %d", m, bound, order, n, worst)
				}
				worst = n
				got[order] = true
			}
			if len(got) != len(want) {
				t.Errorf("%v, bound %d: got %d schedules, want %d", m, bound, len(got), len(want))
			}
			for order := range got {
				if !want[order] {
					t.Errorf("%v, bound %d: got schedule %s with too many preemptions, want none", m, bound, order)
				}
			}
		}
	}
}

// The sampling strategies reach every schedule of a small model. The same seed gives the
// same schedules.
func TestSamplingReachesEverything(t *testing.T) {
	m := model{2, 2}
	want := m.all(99)
	for _, s := range []schedule.Strategy{strategy.RandomWalk(), strategy.PCT(4), strategy.PCT(0), strategy.POS(), strategy.SURW(), strategy.Directed(), strategy.Guided(), strategy.Aimed(strategy.Aim{})} {
		orders := func() []string {
			s.Reset(3)
			var list []string
			for range 300 {
				if _, ok := s.Begin(); !ok {
					t.Fatalf("%s: got no schedule, want one", s.Name())
				}
				order, _ := m.run(s)
				list = append(list, order)
			}
			return list
		}
		first, second := orders(), orders()
		got := make(map[string]bool)
		for i, order := range first {
			got[order] = true
			if order != second[i] {
				t.Fatalf("%s: schedule %d: got %s, then %s, want the same", s.Name(), i, order, second[i])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: got %d schedules, want %d", s.Name(), len(got), len(want))
		}
	}
}

// A strategy's second turn does not repeat the schedules of the first one.
func TestTurnsDiffer(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	distinct := func(stages int) int {
		plan := slices.Repeat([]schedule.Stage{{Strategy: strategy.POS(), Schedules: 20}}, stages)
		return run(t, search.Config{Plan: plan}, func(t *engine.T) {
			var sums [4]atomic.Int64
			for i := range sums {
				t.Go(fmt.Sprint("task ", i), func() {
					for j := range sums {
						sums[j].Add(sums[i].Load())
					}
				})
			}
			t.Wait()
		}).Distinct
	}
	if one, two := distinct(1), distinct(2); two <= one {
		t.Errorf("got %d distinct schedules in one turn and %d in two, want more in two", one, two)
	}
}

// If no depth of PCT is given it grows, up to six.
func TestPCTDepthGrows(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Plan = []schedule.Stage{{Strategy: strategy.PCT(0), Schedules: 28}}
	got := run(t, cfg, programs.Touch).PCT.Schedules // 1; 1, 2; up to 1, 2, 3, 4, 5, 6, twice; 1
	if want := []int{8, 6, 5, 4, 3, 2}; !slices.Equal(got, want) {
		t.Errorf("got %v schedules by depth, want %v", got, want)
	}
}

// PCT places its priority changes within the usual length of schedules, even if a few
// schedules were far longer because goroutines spun.
func TestPCTWithLongSchedules(t *testing.T) {
	s := strategy.PCT(3)
	s.Reset(1)
	two := model{10, 10}
	changed, tried := 0, 0
	for i := range 400 {
		s.Begin()
		_, decisions, preemptions := two.play(s)
		if i%20 == 0 {
			decisions = slices.Repeat(decisions, 200)
		}
		s.End(schedule.Trace{Decisions: decisions})
		if i >= 40 {
			tried++
			if preemptions > 0 {
				changed++
			}
		}
	}
	if changed < tried/4 {
		t.Errorf("got %d of %d schedules with a change of priorities, want at least a quarter", changed, tried)
	}
}

// PCT's first schedule has no change points. The goroutine with the highest priority runs
// to its end.
func TestPCTFirstRunsWithoutPreemption(t *testing.T) {
	s := strategy.PCT(3)
	s.Reset(1)
	if _, ok := s.Begin(); !ok {
		t.Fatal("got no schedule, want one")
	}
	if _, n := (model{5, 5, 5}).run(s); n != 0 {
		t.Errorf("got %d preemptions, want 0", n)
	}
}

// PCT draws no more changes of priority than a schedule has points.
func TestPCTDeeperThanSchedulesAreLong(t *testing.T) {
	s := strategy.PCT(math.MaxInt)
	s.Reset(1)
	for range 3 {
		s.Begin()
		_, decisions, _ := model{5, 5}.play(s)
		s.End(schedule.Trace{Decisions: decisions})
	}
}

// SURW makes all interleavings about equally likely. A random walk prefers those in which
// the short goroutine ends early.
func TestSURWIsUniform(t *testing.T) {
	m := model{1, 6}
	spread := func(s schedule.Strategy) (least, most int) {
		s.Reset(5)
		count := make(map[string]int)
		for order := range m.all(99) {
			count[order] = 0
		}
		for range 7000 {
			s.Begin()
			order, _ := m.run(s)
			count[order]++
		}
		least = 7000
		for _, n := range count {
			least, most = min(least, n), max(most, n)
		}
		return least, most
	}
	if least, most := spread(strategy.SURW()); least < 850 || most > 1150 {
		t.Errorf("surw: got counts from %d to %d, want about 1000 each", least, most)
	}
	if least, most := spread(strategy.RandomWalk()); most < 10*least {
		t.Errorf("random walk: got counts from %d to %d, want them far apart", least, most)
	}
}
