package lifecycle_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/cputime"
	"github.com/jacquard-go/jacquard/lifecycle"
)

// The benchmarks are named operation/store, or operation/store/level if they read.
// make bench-lifecycle runs them in turns and compares them. Their loops have only
// the call: even Helper costs as much as a cached read.

// plansListed is the number of plans in a listing.
const plansListed = 100

// usedAction is the name of the plans' action.
const usedAction = "tools/deploy"

// usedOptions have a description of a usual length.
var usedOptions = lifecycle.UseOptions{
	Description: strings.Repeat("Deploys what was built to where it is to run. ", 10),
	Arguments:   map[string]string{"where": "here", "dry": "true"},
	Profile:     "careful",
}

// reader reads at one of the levels.
type reader interface {
	GetPlan(ctx context.Context, id string) (lifecycle.Plan, error)
	GetAction(ctx context.Context, name string) (lifecycle.Action, error)
	ListPlans(ctx context.Context) ([]lifecycle.Plan, error)
}

func BenchmarkGetPlan(b *testing.B) {
	benchmarkReads(b, func(b *testing.B, r reader, p lifecycle.Plan) {
		for b.Loop() {
			if _, err := r.GetPlan(b.Context(), p.ID); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Four goroutines for each processor read one plan.
func BenchmarkGetPlanTogether(b *testing.B) {
	benchmarkReads(b, func(b *testing.B, r reader, p lifecycle.Plan) {
		b.SetParallelism(4)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := r.GetPlan(b.Context(), p.ID); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

func BenchmarkGetAction(b *testing.B) {
	benchmarkReads(b, func(b *testing.B, r reader, _ lifecycle.Plan) {
		for b.Loop() {
			if _, err := r.GetAction(b.Context(), usedAction); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkListPlans(b *testing.B) {
	benchmarkReads(b, func(b *testing.B, r reader, _ lifecycle.Plan) {
		for b.Loop() {
			if _, err := r.ListPlans(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// benchmarkReads measures a read at each level, of one of plansListed plans that
// nobody changes. It also reports the processor time, which does not depend on the
// other load of the machine.
func benchmarkReads(b *testing.B, read func(*testing.B, reader, lifecycle.Plan)) {
	forEachStoreMeasured(b, func(b *testing.B, s *lifecycle.Service, p lifecycle.Plan) {
		for range plansListed - 1 {
			p = use(b, s)
		}
		level := func(name string, r reader) {
			check(b, errors.Join(ignore(r.GetPlan(b.Context(), p.ID)), ignore(r.GetAction(b.Context(), usedAction))))
			if all, err := r.ListPlans(b.Context()); err != nil || len(all) != plansListed {
				b.Fatalf("got %d plans, %v, want %d", len(all), err, plansListed)
			}
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				before := cputime.Spent()
				read(b, r, p)
				b.ReportMetric(float64((cputime.Spent()-before).Nanoseconds())/float64(b.N), cputime.Unit)
			})
		}
		level("default", s)
		if s.Cached() {
			level("recent", s.Recent())
			level("uncached", s.Uncached())
		}
	})
}

func BenchmarkUseAction(b *testing.B) {
	forEachStoreMeasured(b, func(b *testing.B, s *lifecycle.Service, _ lifecycle.Plan) {
		for b.Loop() {
			if _, err := s.UseAction(b.Context(), usedAction, usedOptions); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkTransition(b *testing.B) {
	forEachStoreMeasured(b, func(b *testing.B, s *lifecycle.Service, p lifecycle.Plan) {
		for b.Loop() {
			var err error
			if p, err = s.Transition(b.Context(), onward(p)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Four goroutines for each processor try to move one plan on from the version that
// they have read. The reported time is per transition.
func BenchmarkTransitionContended(b *testing.B) {
	forEachStoreMeasured(b, func(b *testing.B, s *lifecycle.Service, p lifecycle.Plan) {
		together(4*runtime.GOMAXPROCS(0), func(int) { check(b, ignore(s.GetPlan(b.Context(), p.ID))) }) // opens the connections
		b.ResetTimer()
		var won atomic.Int64
		b.SetParallelism(4)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				held, err := s.GetPlan(b.Context(), p.ID)
				if err == nil {
					_, err = s.Transition(b.Context(), onward(held))
				}
				switch {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, lifecycle.ErrConflict):
					b.Error(err)
				}
			}
		})
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(won.Load()), "ns/transition")
	})
}

// Eight goroutines each move a plan of their own on, while a ninth lists all plans
// (#1281). A write should take as long as without the other plans.
func BenchmarkTransitionApart(b *testing.B) {
	forEachStoreMeasured(b, func(b *testing.B, s *lifecycle.Service, p lifecycle.Plan) {
		ctx, cancel := context.WithCancel(b.Context())
		var lister sync.WaitGroup
		lister.Go(func() {
			for ctx.Err() == nil {
				_, _ = s.ListPlans(ctx)
			}
		})
		b.SetParallelism(max(1, 8/runtime.GOMAXPROCS(0)))
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			mine, err := s.UseAction(ctx, usedAction, usedOptions)
			for pb.Next() {
				if err == nil {
					mine, err = s.Transition(ctx, onward(mine))
				}
			}
			if err != nil {
				b.Error(err)
			}
		})
		cancel()
		lister.Wait()
	})
}

func BenchmarkRecordChange(b *testing.B) {
	forEachStoreMeasured(b, func(b *testing.B, s *lifecycle.Service, p lifecycle.Plan) {
		execution, change := s.ExecutionContext(p.ID), entry("some/file.go")
		check(b, ignore(execution.StartChangeset(b.Context())))
		for b.Loop() {
			if _, err := execution.RecordChange(b.Context(), change); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// forEachStoreMeasured runs a benchmark with one plan on a new service on each
// kind of store, with the default durability.
func forEachStoreMeasured(b *testing.B, measure func(*testing.B, *lifecycle.Service, lifecycle.Plan)) {
	for _, store := range stores {
		b.Run(store.name, func(b *testing.B) {
			engines, err := lifecycle.NewEngines(lifecycle.EnginesConfig{})
			check(b, err)
			defer func() { check(b, engines.Close()) }()
			s := open(b, lifecycle.Config{URL: store.url(b), Engines: engines, MaxAge: time.Hour})
			check(b, ignore(s.CreateAction(b.Context(), fullSpec())))
			b.ReportAllocs()
			measure(b, s, use(b, s))
		})
	}
}

// use makes a plan of usedAction.
func use(t testing.TB, s *lifecycle.Service) lifecycle.Plan {
	t.Helper()
	p, err := s.UseAction(t.Context(), usedAction, usedOptions)
	check(t, err)
	return p
}

// onward returns a transition that a plan can make for ever: its first phase is
// started, fails and is queued again.
func onward(p lifecycle.Plan) lifecycle.Request {
	c := lifecycle.CommandStartStrategize
	switch p.State {
	case lifecycle.StateProcessing:
		c = lifecycle.CommandFailStrategize
	case lifecycle.StateErrored:
		c = lifecycle.CommandResume
	}
	r := request(p.ID, c)
	r.IfVersion = p.Version
	return r
}
