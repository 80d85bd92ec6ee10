package explore_test

import (
	"os"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// longEnv names the environment variable that makes the tests of the classic bugs take
// minutes instead of seconds, if not empty.
const longEnv = "JACQUARD_LONG"

// An effort is how much the tests of the classic bugs try.
type effort struct {
	seeds     uint64 // for each bug
	replays   int    // of the card of each bug's first seed
	schedules int    // for each twin and strategy
}

func classicEffort() effort {
	if os.Getenv(longEnv) != "" {
		return effort{seeds: 20, replays: 100, schedules: 10_000}
	}
	if testing.Short() {
		return effort{seeds: 1, replays: 1, schedules: 20}
	}
	return effort{seeds: 5, replays: 3, schedules: 100}
}

// The default plan finds every classic bug within a thousand schedules, as the right kind
// of failure.
func TestClassicsAreFound(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range programs.Classics() {
		t.Run(c.Name, func(t *testing.T) {
			for seed := uint64(1); seed <= classicEffort().seeds; seed++ {
				r := run(t, explore.Config{Name: c.Name, Seed: seed, Minimise: -1}, c.Bug.Run)
				if r.Verdict != c.Bug.Verdict {
					t.Fatalf("seed %d: got %v (%s), want %v", seed, r.Verdict, r.Summary(), c.Bug.Verdict)
				}
				if f := r.Failure; f.Kind != c.Bug.Kind || f.Schedule > 1000 {
					t.Errorf("seed %d: got %v (%s) in schedule %d, want %v within 1000", seed, f.Kind, f.Message, f.Schedule, c.Bug.Kind)
				}
			}
		})
	}
}

// Each classic bug's card replays with the same outcome every time.
func TestClassicsReplay(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range programs.Classics() {
		t.Run(c.Name, func(t *testing.T) {
			cfg := explore.Config{Name: c.Name}
			want := run(t, cfg, c.Bug.Run).Failure
			if want == nil || want.Kind != c.Bug.Kind {
				t.Fatalf("got %v, want %v", want, c.Bug.Kind)
			}
			for i := range classicEffort().replays {
				again, err := explore.Replay(t.Context(), cfg, want.Card, c.Bug.Run)
				if err != nil {
					t.Fatalf("replay %d: %v", i+1, err)
				}
				if again.Outcome != explore.Exact {
					t.Fatalf("replay %d: got %v, want an exact replay", i+1, again)
				}
				if got := again.Result.Failure; got.Kind != want.Kind || got.Message != want.Message {
					t.Fatalf("replay %d: got %v: %s, want %v: %s", i+1, got.Kind, got.Message, want.Kind, want.Message)
				}
			}
		})
	}
}

// No strategy reports a failure in a corrected twin.
func TestClassicTwinsHold(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range programs.Classics() {
		t.Run(c.Name, func(t *testing.T) {
			for _, s := range []explore.Strategy{
				explore.RandomWalk(), explore.PCT(3), explore.PCT(0), explore.POS(), explore.SURW(), explore.Directed(), explore.Guided(), explore.DepthFirst(2), explore.Reduced(2), explore.DPOR(),
			} {
				cfg := explore.Config{
					Name: c.Twin.Name, MaxSteps: 5000,
					Plan: []explore.Stage{{Strategy: s, Schedules: classicEffort().schedules}},
				}
				if r := run(t, cfg, c.Twin.Run); r.Verdict != c.Twin.Verdict {
					t.Fatalf("%s: got %v (%s), want %v", s.Name(), r.Verdict, r.Summary(), c.Twin.Verdict)
				}
			}
		})
	}
}

// The classics have different names, and each describes its bug and its correction.
func TestClassicsAreDescribed(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range programs.Classics() {
		if c.Name == "" || seen[c.Name] {
			t.Errorf("got the name %q twice or empty, want names that differ", c.Name)
		}
		seen[c.Name] = true
		for _, line := range []string{c.Wrong, c.Right} {
			if line == "" || strings.ContainsAny(line, "\n|") {
				t.Errorf("%s: got the description %q, want one line", c.Name, line)
			}
		}
	}
	if len(seen) < 15 {
		t.Errorf("got %d classics, want at least 15", len(seen))
	}
}
