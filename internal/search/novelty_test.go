package search_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/programs/finals"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// samples returns the stages of the default plan that sample, with n samples in all.
func samples(n int) func() []schedule.Stage {
	return func() []schedule.Stage {
		return []schedule.Stage{
			{Strategy: strategy.Directed(), Schedules: n / 2}, {Strategy: strategy.PCT(0), Schedules: n / 4}, {Strategy: strategy.SURW(), Schedules: n / 4},
		}
	}
}

// The chance that one more sample shows something new is within its bounds for at least nine of
// ten programs. It is known for programs that can be searched completely.
func TestNoveltyIsCalibrated(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	seeds, most, least := uint64(10), 3000, 60 // seeds to measure the chance; most schedules of a program; least number of programs
	if testing.Short() {
		most, least = 300, 20
	}
	known, held := make(map[int]int), make(map[int]int)
	all := slices.Concat(finals.All(), finals.Timers(), finals.Tries(), finals.Observers(), finals.Polls(3))
	for _, b := range all {
		whole := drawn(t, b, func() []schedule.Stage {
			return []schedule.Stage{{Strategy: strategy.DepthFirst(1000), Schedules: most}}
		}, 1)
		if whole == nil {
			continue // the search was not complete
		}
		space := union(whole[0])
		for _, n := range []int{20, 60} {
			runs := drawn(t, b, samples(n), slices.Collect(upTo(seeds))...)
			first, chance := union(runs[0]), 0.0
			others := slices.Concat(runs[1:]...)
			for _, pairs := range others {
				if slices.ContainsFunc(pairs, func(p uint64) bool { return !first[p] }) {
					chance += 1 / float64(len(others))
				}
				for _, p := range pairs {
					if !space[p] {
						t.Fatalf("%s: got a pair in a sample that is in no schedule", b.Name)
					}
				}
			}
			got := search.NoveltyOf(runs[0])
			low, high, ok := got.Chance()
			if !ok {
				t.Logf("%s: %d samples that did not fail", b.Name, got.Samples)
				continue
			}
			known[n]++
			if low <= chance && chance <= high {
				held[n]++
			}
			t.Logf("%-40s %3d samples, %3d of %3d orders: %.3f to %.3f, got %.3f", b.Name, got.Samples, got.All, len(space), low, high, chance)
		}
	}
	for n, of := range known {
		t.Logf("of %d samples: within the bounds in %d of %d", n, held[n], of)
		if of < least || 10*held[n] < 9*of {
			t.Errorf("%d samples: the chance is within its bounds in %d of %d programs, want 9 of 10 of at least %d", n, held[n], of, least)
		}
	}
}

func upTo(n uint64) func(func(uint64) bool) {
	return func(yield func(uint64) bool) {
		for i := uint64(1); i <= n && yield(i); i++ {
		}
	}
}

func union(samples [][]uint64) map[uint64]bool {
	all := make(map[uint64]bool)
	for _, pairs := range samples {
		for _, p := range pairs {
			all[p] = true
		}
	}
	return all
}

func drawn(t *testing.T, b finals.Final, plan func() []schedule.Stage, seeds ...uint64) [][][]uint64 {
	t.Helper()
	body := func(t *engine.T) { b.Run(t, func(func() string) {}) }
	runs, complete, err := search.Drawn(search.Config{Name: b.Name, MaxSteps: 2000}, plan, seeds, body)
	if err != nil {
		t.Fatalf("%s: %v", b.Name, err)
	}
	if len(seeds) == 1 && !complete {
		return nil
	}
	return runs
}

// The bounds hold in at least nine of ten series of samples, whatever the probabilities of the
// orders. They are narrow if all orders are known.
func TestNoveltyOfKnownChances(t *testing.T) {
	for name, chance := range map[string]func(i int) float64{
		"100 alike":                       func(int) float64 { return 0.01 },
		"100 of which each half as often": func(i int) float64 { return math.Pow(0.5, float64(i)) },
		"harmonic":                        func(i int) float64 { return 1 / float64(i+1) },
		"harmonic and rare":               func(i int) float64 { return 0.1 / float64(i+1) },
		"often or hardly ever":            func(i int) float64 { return []float64{0.5, 0.002}[i%2] },
		"always":                          func(int) float64 { return 1 },
	} {
		for _, n := range []int{20, 60, 200, 1000} {
			const series, orders = 100, 100
			random, held, wide := rand.New(rand.NewPCG(1, uint64(n))), 0, 0.0
			for range series {
				samples, never := make([][]uint64, n), 1.0
				seen := make([]bool, orders)
				for i := range samples {
					for o := range orders {
						if random.Float64() < chance(o) {
							samples[i] = append(samples[i], uint64(o))
							seen[o] = true
						}
					}
				}
				for o := range orders {
					if !seen[o] {
						never *= 1 - chance(o)
					}
				}
				low, high, _ := search.NoveltyOf(samples).Chance()
				wide += (high - low) / series
				if low <= 1-never && 1-never <= high {
					held++
				}
			}
			t.Logf("%-32s %4d samples: within the bounds in %3d of %d, %.3f wide", name, n, held, series, wide)
			if 10*held < 9*series {
				t.Errorf("%s, %d samples: got the chance within its bounds in %d of %d series, want 9 of 10", name, n, held, series)
			}
			if name == "always" && wide > 3.1/float64(n) {
				t.Errorf("%s, %d samples: got bounds %.3f wide, want them narrower", name, n, wide)
			}
		}
	}
}

// The counts are right, few samples give no chance, and its bounds are printed rounded.
func TestNoveltyCounts(t *testing.T) {
	samples := [][]uint64{{1, 2}, {2, 3}, {3}, {4, 5}, {5, 6}, {6, 5, 1}, {7}}
	want := verdict.Novelty{Samples: 7, Alone: 2, Twos: 4, All: 7}
	if got := search.NoveltyOf(samples); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if low, high, ok := (verdict.Novelty{Samples: 19}).Chance(); ok {
		t.Errorf("got %v to %v of 19 samples, want no chance", low, high)
	}
	for n, want := range map[verdict.Novelty]string{
		{Samples: 100}:             "0 to 3 %",
		{Samples: 100, Alone: 100}: "100 to 100 %",
		{Samples: 1000, Alone: 5}:  "0 to 1.3 %",
	} {
		if got := n.String(); got != "one more sample shows a new order with a chance of "+want {
			t.Errorf("%+v: got %q, want %s", n, got, want)
		}
	}
}
