package search_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// warm is the number of executions before the first schedule.
const warm = 3

// A watched body records, for each execution, in which order its goroutines took a lock and
// changed a number.
type watched struct{ orders []string }

func (w *watched) body(t *engine.T) {
	var mu sync.Mutex
	var n atomic.Int64
	var order []byte
	var wg sync.WaitGroup
	for id := byte('a'); id <= 'c'; id++ {
		wg.Go(func() {
			for range 2 {
				mu.Lock()
				order = append(order, id)
				mu.Unlock()
				n.Store(2*n.Load() + int64(id))
			}
		})
	}
	wg.Wait()
	w.orders = append(w.orders, fmt.Sprintf("%s %d", order, n.Load()))
}

// inParts explores in parts. Enough stops each part at the given number of schedules, and
// the next one continues from its checkpoint. It returns all executions but those before
// the first schedule of a part.
func inParts(t *testing.T, cfg search.Config, ends ...int) (*verdict.Result, []string) {
	t.Helper()
	var all []string
	for _, end := range append(ends, 0) {
		var w watched
		cfg.Enough = func(sofar verdict.Result) bool { return sofar.Schedules == end }
		r := run(t, cfg, w.body)
		all = append(all, w.orders[warm:]...)
		if cfg.Bookmark = r.Bookmark; r.Bookmark == nil {
			return r, all
		}
	}
	t.Fatal("got a checkpoint after the last part, want none")
	return nil, nil
}

// An exploration in parts runs the same schedules as one without a break.
func TestCheckpointsOfRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("did not run: only in make test-long SHORT=")
	}
	if !explore.Control(t) {
		return
	}
	for _, s := range []func() schedule.Strategy{
		strategy.RandomWalk, strategy.POS, strategy.SURW, strategy.Directed, strategy.Guided, strategy.DPOR,
		func() schedule.Strategy { return strategy.PCT(0) }, func() schedule.Strategy { return strategy.DepthFirst(2) }, func() schedule.Strategy { return strategy.Reduced(2) },
		func() schedule.Strategy {
			return strategy.Aimed(strategy.Aim{Targets: []string{"github.com/jacquard-go/jacquard/internal/search_test.(*watched).body"}})
		},
	} {
		t.Run(s().Name(), func(t *testing.T) {
			plan := func() []schedule.Stage {
				s := s()
				return []schedule.Stage{
					{Strategy: strategy.POS(), Schedules: 7}, {Strategy: s, Schedules: 50}, {Strategy: strategy.SURW(), Schedules: 20}, {Strategy: s, Schedules: 100},
				}
			}
			cfg := search.Config{Name: "parts", Seed: 5, Plan: plan()}
			want, executions := inParts(t, cfg)
			for _, ends := range [][]int{{1}, {7}, {8, 9, 10}, {6, 50, 101}, {57, 60, 77}, {70, 170}} {
				cfg.Plan = plan() // fresh strategies know only what the checkpoint has
				got, parts := inParts(t, cfg, ends...)
				if !slices.Equal(parts, executions) {
					t.Errorf("parts that end at %v: got\n%q\nwant\n%q", ends, parts, executions)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("parts that end at %v: got %+v, want %+v", ends, got, want)
				}
			}
		})
	}
}

// A strategy's second turn continues where the first one ended, unless new points were
// found in between.
func TestTurns(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range []struct {
		name  string
		body  func(*engine.T)
		again int // schedules of the first turn that are run again
	}{
		{"goes on", threeAdd, 0},
		{"begins anew", racesBehindAFlag, 1},
	} {
		cfg := func(plan ...schedule.Stage) search.Config {
			return search.Config{Name: c.name, Races: engine.RacesNote, Plan: plan}
		}
		alone := run(t, cfg(schedule.Stage{Strategy: strategy.DPOR(), Schedules: 5000}), c.body)
		dpor := strategy.DPOR()
		r := run(t, cfg(schedule.Stage{Strategy: dpor, Schedules: 1}, schedule.Stage{Strategy: strategy.POS(), Schedules: 30}, schedule.Stage{Strategy: dpor, Schedules: 5000}), c.body)
		if want := alone.Searched + 30 + c.again; !alone.Unbounded || !r.Unbounded || r.Searched != alone.Searched || r.Schedules != want {
			t.Errorf("%s: got %d schedules, %d of them searched (%s), want %d and %d", c.name, r.Schedules, r.Searched, r.Summary(), want, alone.Searched)
		}
	}
}

// threeAdd has three goroutines that lose one another's updates.
func threeAdd(t *engine.T) {
	var n atomic.Int64
	var wg sync.WaitGroup
	for id := range int64(3) {
		wg.Go(func() { n.Store(2*n.Load() + id) })
	}
	wg.Wait()
}

// racesBehindAFlag has a data race only if one goroutine comes late.
func racesBehindAFlag(t *engine.T) {
	var late atomic.Bool
	var n, sum int
	var wg sync.WaitGroup
	wg.Go(func() {
		if late.Load() {
			n++
		}
	})
	wg.Go(func() {
		late.Store(true)
		sum += n
	})
	wg.Wait()
}

// A failure is found at the same schedule with the same card, whichever part finds it.
// Noted races are carried from part to part.
func TestCheckpointsOfFailures(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	rare := programs.Rare(100)
	for _, c := range []struct {
		body search.Config
		run  func(*engine.T)
	}{
		{search.Config{Name: rare.Name, Seed: 2, Plan: []schedule.Stage{{Strategy: strategy.RandomWalk(), Schedules: 3000}}}, rare.Run},
		{search.Config{Name: "races", Races: engine.RacesNote, Plan: []schedule.Stage{{Strategy: strategy.SURW(), Schedules: 100}}}, programs.Touch},
	} {
		want := withoutAddresses(run(t, c.body, c.run))
		cfg := c.body
		cfg.Enough = func(sofar verdict.Result) bool { return sofar.Schedules == want.Schedules/2 }
		first := run(t, cfg, c.run)
		cfg.Enough, cfg.Bookmark = nil, first.Bookmark
		got := withoutAddresses(run(t, cfg, c.run))
		if first.Bookmark == nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", cfg.Name, got, want)
		}
	}
}

// A checkpoint fits only the exploration that wrote it.
func TestCheckpointOfAnother(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var w watched
	cfg := search.Config{Name: "one", Enough: func(sofar verdict.Result) bool { return sofar.Schedules == 10 }}
	mark := run(t, cfg, w.body).Bookmark
	for what, change := range map[string]func(*search.Config){
		"name":     func(c *search.Config) { c.Name = "other" },
		"seed":     func(c *search.Config) { c.Seed = 2 },
		"plan":     func(c *search.Config) { c.Plan = []schedule.Stage{{Strategy: strategy.POS(), Schedules: 50}} },
		"steps":    func(c *search.Config) { c.MaxSteps = 1000 },
		"cut":      func(c *search.Config) { c.Bookmark = mark[:len(mark)/2] },
		"no gob":   func(c *search.Config) { c.Bookmark = []byte("checkpoint") },
		"tampered": func(c *search.Config) { c.Bookmark = append([]byte{^mark[0]}, mark[1:]...) },
	} {
		cfg := search.Config{Name: "one", Bookmark: mark}
		change(&cfg)
		if _, err := search.Run(t.Context(), cfg, w.body); !errors.Is(err, search.ErrConfig) {
			t.Errorf("%s: got %v, want ErrConfig", what, err)
		}
	}
	short := func(*engine.T) { new(atomic.Int64).Add(1) }
	afresh := run(t, search.Config{Name: "one", Bookmark: mark, Enough: func(sofar verdict.Result) bool { return sofar.Schedules == 3 }}, short)
	if afresh.Schedules > 3 {
		t.Errorf("another course: got %d schedules, want it explored afresh", afresh.Schedules)
	}
}

// The digest of a Config does not depend on addresses. Otherwise no other process could
// continue from a checkpoint or be a worker.
func TestDigestHasNoAddresses(t *testing.T) {
	configured := func() (c search.Config) {
		v := reflect.ValueOf(&c).Elem()
		for i := range v.NumField() {
			switch f := v.Field(i); {
			case f.Kind() == reflect.Pointer:
				f.Set(reflect.New(f.Type().Elem()))
			case f.Kind() == reflect.Slice && f.Type().Elem().Kind() == reflect.Pointer:
				f.Set(reflect.Append(f, reflect.New(f.Type().Elem().Elem())))
			case f.Kind() == reflect.Func:
				f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value { panic(t) }))
			}
		}
		return c
	}
	if a, b := search.Digest(configured()), search.Digest(configured()); a != b {
		t.Errorf("got digests %x and %x, want them equal", a, b)
	}
}
