package lifecycle_test

import (
	"context"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/lifecycle"
	"github.com/jacquard-go/jacquard/lifecycle/internal/storetest"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(childEnv); url != "" {
		os.Exit(runChild(url))
	}
	storetest.Main(m)
}

// stores are the kinds of store. All must behave alike.
var stores = []struct {
	name string
	url  func(t testing.TB) string
}{
	{"memory", func(testing.TB) string { return "" }},
	{"sqlite in memory", func(testing.TB) string { return "sqlite:///:memory:" }},
	{"sqlite file", storetest.FileURL},
	{"postgres", storetest.PostgresURL},
}

// forEachStore runs a test on a new service on each kind of store.
func forEachStore(t *testing.T, test func(t *testing.T, s *lifecycle.Service)) {
	for _, store := range stores {
		t.Run(store.name, func(t *testing.T) {
			test(t, open(t, lifecycle.Config{URL: store.url(t)}))
		})
	}
}

// open opens a service that is closed with the test. Its database does not sync to the
// disk, which would only slow tests down.
func open(t testing.TB, cfg lifecycle.Config) *lifecycle.Service {
	t.Helper()
	if cfg.URL != "" && cfg.Engines == nil {
		cfg.Engines = storetest.Engines(t)
	}
	s, err := lifecycle.Open(context.Background(), cfg)
	check(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// patience limits waits. It is far more than a busy machine needs.
const patience = 10 * time.Minute

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// spec returns the spec of a reusable action.
func spec(name string) lifecycle.ActionSpec {
	return lifecycle.ActionSpec{
		Name:     name,
		Actors:   lifecycle.Actors{Strategy: "strategist", Execution: "executor"},
		Reusable: true,
	}
}

// newPlan makes a plan of an action, which it creates if necessary.
func newPlan(t *testing.T, s *lifecycle.Service) lifecycle.Plan {
	t.Helper()
	ctx := context.Background()
	if _, err := s.GetAction(ctx, "build"); err != nil {
		_, err := s.CreateAction(ctx, spec("build"))
		check(t, err)
	}
	p, err := s.UseAction(ctx, "build", lifecycle.UseOptions{})
	check(t, err)
	return p
}

// way returns the commands from strategize/queued to a position.
func way(p lifecycle.Position) []lifecycle.Command {
	phases := []lifecycle.Phase{lifecycle.PhaseStrategize, lifecycle.PhaseExecute, lifecycle.PhaseApply}
	begin := map[lifecycle.Phase]lifecycle.Command{
		lifecycle.PhaseExecute: lifecycle.CommandExecutePlan, lifecycle.PhaseApply: lifecycle.CommandApplyPlan,
	}
	var commands []lifecycle.Command
	for _, phase := range phases {
		if c, ok := begin[phase]; ok {
			commands = append(commands, c)
		}
		if phase == p.Phase {
			return append(commands, within(p)...)
		}
		commands = append(commands, within(lifecycle.Position{Phase: phase, State: lifecycle.StateComplete})...)
	}
	panic("no way to " + p.String())
}

// within returns the commands from queued to a state of the same phase.
func within(p lifecycle.Position) []lifecycle.Command {
	in := func(verb string) lifecycle.Command { return lifecycle.Command(verb + "_" + string(p.Phase)) }
	switch p.State {
	case lifecycle.StateQueued:
		return nil
	case lifecycle.StateProcessing:
		return []lifecycle.Command{in("start")}
	case lifecycle.StateComplete, lifecycle.StateApplied:
		return []lifecycle.Command{in("start"), in("complete")}
	case lifecycle.StateErrored:
		return []lifecycle.Command{in("start"), in("fail")}
	case lifecycle.StateConstrained:
		return []lifecycle.Command{in("start"), in("constrain")}
	case lifecycle.StateCancelled:
		return []lifecycle.Command{lifecycle.CommandCancel}
	}
	panic("no way to " + p.String())
}

// positions returns all positions of a plan.
func positions() []lifecycle.Position {
	var all []lifecycle.Position
	for _, phase := range []lifecycle.Phase{lifecycle.PhaseStrategize, lifecycle.PhaseExecute, lifecycle.PhaseApply} {
		for _, state := range []lifecycle.State{
			lifecycle.StateQueued, lifecycle.StateProcessing, lifecycle.StateComplete, lifecycle.StateErrored,
			lifecycle.StateCancelled, lifecycle.StateApplied, lifecycle.StateConstrained,
		} {
			if p := (lifecycle.Position{Phase: phase, State: state}); p.Valid() {
				all = append(all, p)
			}
		}
	}
	return all
}

// request returns a request that the command accepts.
func request(planID string, c lifecycle.Command) lifecycle.Request {
	r := lifecycle.Request{PlanID: planID, Command: c}
	switch c {
	case lifecycle.CommandFailStrategize, lifecycle.CommandFailExecute, lifecycle.CommandFailApply, lifecycle.CommandConstrainApply:
		r.Reason = "for the test"
	}
	return r
}

// planAt makes a plan and moves it to a position.
func planAt(t *testing.T, s *lifecycle.Service, at lifecycle.Position) lifecycle.Plan {
	t.Helper()
	p := newPlan(t, s)
	for _, c := range way(at) {
		var err error
		p, err = s.Transition(context.Background(), request(p.ID, c))
		check(t, err)
	}
	if p.Position() != at {
		t.Fatalf("got a plan at %v, want %v", p.Position(), at)
	}
	return p
}

var (
	strategizeQueued = lifecycle.Position{Phase: lifecycle.PhaseStrategize, State: lifecycle.StateQueued}
	executeComplete  = lifecycle.Position{Phase: lifecycle.PhaseExecute, State: lifecycle.StateComplete}
	executeErrored   = lifecycle.Position{Phase: lifecycle.PhaseExecute, State: lifecycle.StateErrored}
	applyQueued      = lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateQueued}
	applyApplied     = lifecycle.Position{Phase: lifecycle.PhaseApply, State: lifecycle.StateApplied}
)

// together runs f on n goroutines that start at the same moment, and waits for them. The
// ready ones spin: a goroutine that must be woken would be too late for races that last a
// few nanoseconds.
func together(n int, f func(i int)) {
	var missing atomic.Int64
	var done sync.WaitGroup
	missing.Store(int64(n))
	for i := range n {
		done.Add(1)
		go func() {
			defer done.Done()
			missing.Add(-1)
			for missing.Load() > 0 {
				runtime.Gosched()
			}
			f(i)
		}()
	}
	done.Wait()
}

// ticker returns a clock that advances by a second at each reading.
func ticker() func() time.Time {
	var mu sync.Mutex
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

// zeros is entropy that has only zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// broken is entropy that fails.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func entry(path string) lifecycle.Entry {
	return lifecycle.Entry{Operation: lifecycle.OperationModify, Path: path, BeforeHash: "a", AfterHash: "b"}
}

func paths(c lifecycle.Changeset) []string {
	var all []string
	for _, e := range c.Entries {
		all = append(all, e.Path)
	}
	return all
}
