package explore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// small returns a small exploration, which still gets the verdict of each body.
func small(name string) explore.Config {
	return explore.Config{
		Name: name, MaxSteps: 5000,
		Plan: []explore.Stage{
			{Strategy: explore.PCT(3), Schedules: 30},
			{Strategy: explore.RandomWalk(), Schedules: 30},
			{Strategy: explore.DepthFirst(1), Schedules: 200},
		},
	}
}

func run(t *testing.T, cfg explore.Config, body func(*explore.T)) *explore.Result {
	t.Helper()
	r, err := explore.Run(t.Context(), cfg, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every program gets its expected verdict. A failure replays with the same outcome every
// time.
func TestVerdicts(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range append(programs.Canaries(), programs.Odd()...) {
		t.Run(b.Name, func(t *testing.T) { judged(t, b) })
	}
}

// judged checks that b gets its expected verdict, and that its failure replays the same.
func judged(t *testing.T, b programs.Program) {
	t.Helper()
	r := run(t, small(b.Name), b.Run)
	if r.Verdict != b.Verdict {
		t.Fatalf("got %v (%s), want %v", r.Verdict, r.Summary(), b.Verdict)
	}
	if r.Failure == nil {
		return
	}
	if r.Failure.Kind != b.Kind {
		t.Fatalf("got %v (%s), want %v", r.Failure.Kind, r.Failure.Message, b.Kind)
	}
	if n := len(r.Failure.Card); n >= 200 {
		t.Errorf("got a card of %d characters, want less than 200: %s", n, r.Failure.Card)
	}
	for range 3 {
		again, err := explore.Replay(t.Context(), small(b.Name), r.Failure.Card, b.Run)
		if err != nil {
			t.Fatal(err)
		}
		if again.Outcome != explore.Exact {
			t.Fatal(again)
		}
		if got := again.Result.Failure; got.Kind != b.Kind || got.Message != r.Failure.Message || got.Card != r.Failure.Card {
			t.Fatalf("got %v: %s, want %v: %s", got.Kind, got.Message, b.Kind, r.Failure.Message)
		}
	}
}

// The same seed gives the same result and the same card.
func TestSameSeedSameResult(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Canaries() {
		t.Run(b.Name, func(t *testing.T) {
			cfg := small(b.Name)
			cfg.Seed = 7
			one, two := run(t, cfg, b.Run), run(t, cfg, b.Run)
			if one.Summary() != two.Summary() {
				t.Errorf("got %q, then %q, want the same", one.Summary(), two.Summary())
			}
			if one.Failure != nil && one.Failure.Card != two.Failure.Card {
				t.Errorf("got card %q, then %q, want the same", one.Failure.Card, two.Failure.Card)
			}
		})
	}
}

// A body that depends on something outside its schedule is noticed.
func TestNotRepeatable(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	n := 0
	r := run(t, small(t.Name()), func(t *explore.T) {
		n++
		for range n {
			programs.Touch(t)
		}
	})
	if r.Verdict != explore.Unknown || r.Failure != nil {
		t.Errorf("got %v (%s), want unknown", r.Verdict, r.Summary())
	}
}

// A body that calls Inconclusive gets the verdict unknown.
func TestInconclusive(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		programs.Touch(t)
		t.Inconclusive("no disk")
	})
	if r.Verdict != explore.Unknown || r.Reason != "no disk" {
		t.Errorf("got %v (%s), want unknown (no disk)", r.Verdict, r.Reason)
	}
}

// The accesses of a race become scheduling points, so its consequences are found.
func TestRacesNoted(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Races = explore.RacesNote
	r := run(t, cfg, programs.UnlockedCounter)
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindCheck || len(r.Noted) == 0 {
		t.Errorf("got %s with %d races, want a failed check and a race", r.Summary(), len(r.Noted))
	}
	if r.Failure != nil && r.Failure.Preemptions != 1 {
		t.Errorf("got %d preemptions, want 1", r.Failure.Preemptions)
	}
}

// Minimisation finds the fewest preemptions. A lost update needs one.
func TestMinimised(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for seed := uint64(1); seed <= 10; seed++ {
		cfg := small("lost update")
		cfg.Seed = seed
		cfg.Plan = []explore.Stage{{Strategy: explore.RandomWalk(), Schedules: 1000}}
		r := run(t, cfg, programs.LostUpdate)
		if r.Verdict != explore.Violated || r.Failure.Preemptions != 1 {
			t.Errorf("seed %d: got %s, want a violation with 1 preemption", seed, r.Summary())
		}
	}
}

func TestBadConfig(t *testing.T) {
	for _, cfg := range []explore.Config{
		{MaxSteps: 1},
		{Schedules: -1},
		{Watchdog: -1},
		{Workers: -1},
		{Races: -1},
		{Races: 3},
		{Leaks: -1},
		{Leaks: 4},
		{IgnoreLeaks: []explore.LeakFilter{{}}},
		{Streams: []*os.File{os.Stdout, nil}},
		{Trust: []string{""}},
		{Trust: []string{"..."}},
		{Trust: []string{"/..."}},
		{Trust: []string{"./bank/..."}},
		{Trust: []string{"example.com/bank/"}},
		{Trust: []string{"example.com/*"}},
		{Plan: []explore.Stage{}},
		{Plan: []explore.Stage{{}}},
		{Plan: []explore.Stage{{Strategy: explore.RandomWalk()}}},
	} {
		if _, err := explore.Run(t.Context(), cfg, func(*explore.T) {}); !errors.Is(err, explore.ErrConfig) {
			t.Errorf("%+v: got %v, want %v", cfg, err, explore.ErrConfig)
		}
	}
	var none context.Context
	if _, err := explore.Run(none, explore.Config{}, func(*explore.T) {}); !errors.Is(err, explore.ErrConfig) {
		t.Errorf("no context: got %v, want %v", err, explore.ErrConfig)
	}
	if _, err := explore.Run(t.Context(), explore.Config{}, nil); !errors.Is(err, explore.ErrConfig) {
		t.Errorf("no body: got %v, want %v", err, explore.ErrConfig)
	}
}

// The stages after a search use what it leaves of Config.Schedules. No stage starts once
// these are used up.
func TestSchedulesOfAllStages(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, most := range []int{1, 30, 1000} {
		cfg := small(t.Name())
		cfg.Schedules = most
		cfg.Plan = []explore.Stage{{Strategy: explore.POS(), Schedules: 20}, {Strategy: explore.DepthFirst(0), Schedules: 1000}, {Strategy: explore.POS(), Schedules: 1000}}
		r := run(t, cfg, programs.CASLoop)
		if r.Verdict != explore.Holds || r.Schedules != most || most == 1000 && (!r.Exhausted || r.Bound != 0) {
			t.Errorf("at most %d: got %d (%s), want that many, and all without preemptions", most, r.Schedules, r.Summary())
		}
	}
}

// An operation that a goroutine runs directly, as a method value, is a scheduling point too.
func TestMethodValues(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), programs.MethodValues)
	if r.Verdict != explore.Violated || r.Failure.Kind != explore.KindCheck {
		t.Errorf("got %v (%s), want a failed check", r.Verdict, r.Summary())
	}
}

// Each ready case of a select is tried, whatever the goroutine does next.
func TestSelectCases(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Plan = []explore.Stage{{Strategy: explore.DepthFirst(0), Schedules: 10}}
	r := run(t, cfg, programs.SelectAndGoOn)
	if !r.Exhausted || r.Searched != 6 {
		t.Errorf("got %s, want 6 schedules: the first select has 3 ready cases, the second 2", r.Summary())
	}
}

// GOMAXPROCS is 1 while executions run, whatever the program sets.
func TestOneProcessor(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	const wanted = 3
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(wanted))
	cfg := small(t.Name())
	cfg.Prepare = func() {
		if got := runtime.GOMAXPROCS(0); got != 1 {
			t.Errorf("got %d processors, want one", got)
		}
	}
	run(t, cfg, programs.Touch)
	if got := runtime.GOMAXPROCS(0); got != wanted {
		t.Errorf("got %d processors afterwards, want %d", got, wanted)
	}
}

// What a program sets of the collector and the stack has no effect on the explorer, and is what the
// program reads until the end of the execution.
func TestSettingsOfTasks(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, small(t.Name()), func(t *explore.T) {
		for _, s := range []struct {
			name string
			set  func(int) int
		}{
			{"SetGCPercent", debug.SetGCPercent},
			{"SetMaxStack", debug.SetMaxStack},
			{"SetMemoryLimit", func(n int) int { return int(debug.SetMemoryLimit(int64(n))) }},
		} {
			if usual := s.set(1 << 10); usual == 1<<10 {
				t.Errorf("got %s of an earlier execution", s.name)
			}
			if got := s.set(1 << 11); got != 1<<10 {
				t.Errorf("got %s %d, want %d", s.name, got, 1<<10)
			}
		}
		var deep func(int) int
		deep = func(n int) int {
			if n == 0 {
				return 0
			}
			return deep(n-1) + 1
		}
		if got := deep(10_000); got != 10_000 {
			t.Errorf("got %d", got)
		}
		programs.Touch(t)
	})
	if r.Failure != nil || r.Verdict == explore.Unknown {
		t.Errorf("got %s, want no failure: %v", r.Summary(), r.Failure)
	}
}

// What Config.Trust names is told: whether points were left out there, or there was none, as where a
// path is mistyped.
func TestTrustIsTold(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Trust = []string{"github.com/jacquard-go/jacquard/internal/programs", "example.com/mistyped/..."}
	var told logged
	explore.Report(&told, run(t, cfg, programs.Touch))
	if want := "; no point met in example.com/mistyped/..."; !strings.HasSuffix(told.line, want) {
		t.Errorf("got %q, want it to end with %q", told.line, want)
	}
}

// A logged keeps the last line.
type logged struct {
	testing.TB
	line string
}

func (*logged) Helper()                             {}
func (l *logged) Logf(format string, args ...any)   { l.line = fmt.Sprintf(format, args...) }
func (l *logged) Errorf(format string, args ...any) { l.line = fmt.Sprintf(format, args...) }
