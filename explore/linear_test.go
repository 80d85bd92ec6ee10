package explore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
)

// Every object gets its expected verdict. An exhaustive search shows that a correct one
// holds, and the failure of a wrong one replays.
func TestLinearizable(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Linear() {
		t.Run(b.Name, func(t *testing.T) {
			cfg := explore.Config{Name: b.Name}
			r := run(t, cfg, b.Run)
			if r.Verdict != b.Verdict {
				t.Fatalf("got %v (%s), want %v", r.Verdict, r.Summary(), b.Verdict)
			}
			if r.Failure == nil {
				if !r.Unbounded && (!r.Exhausted || r.Bound < 2) {
					t.Errorf("got %s, want an exhausted search", r.Summary())
				}
				return
			}
			if r.Failure.Kind != b.Kind {
				t.Fatalf("got %v (%s), want %v", r.Failure.Kind, r.Failure.Message, b.Kind)
			}
			again, err := explore.Replay(t.Context(), cfg, r.Failure.Card, b.Run)
			if err != nil {
				t.Fatal(err)
			}
			if got := again.Result.Failure; got == nil || !slices.Equal(got.Messages, r.Failure.Messages) {
				t.Errorf("got %q, then %v, want an exact replay", r.Failure.Messages, again)
			}
		})
	}
}

// Correct objects hold under every strategy.
func TestLinearizableHolds(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Linear() {
		if b.Verdict != explore.Holds {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			for _, s := range []explore.Strategy{explore.RandomWalk(), explore.PCT(3), explore.POS(), explore.SURW()} {
				cfg := explore.Config{Name: b.Name, Plan: []explore.Stage{{Strategy: s, Schedules: 200}}}
				if r := run(t, cfg, b.Run); r.Verdict != explore.Holds {
					t.Errorf("%s: got %v (%s), want %v", s.Name(), r.Verdict, r.Summary(), explore.Holds)
				}
			}
		})
	}
}

// histories maps each program to the exact text shown of its history for one seed.
var histories = map[string]string{
	"register that loses an update": `
not linearizable: no order explains these 2 operations, whatever the other one did
    thread 1  10 = 11    ├────────┤
    thread 2  100 = 101     ├──┤
    the nearest order: 1, 10 = 11, then 100 = 101, where the model has 111`,
	"register with a stale copy": `
not linearizable: no order explains these 2 operations, whatever the other one did
    thread 1  Write(5) = 5  ├──┤
    thread 2  Read() = 0          ├──┤
    the nearest order: Write(5) = 5, then Read() = 0, where the model has 5`,
	"register with a stale cache": `
not linearizable: no order explains these 2 operations, whatever the other one did
    thread 1  Write(5) = 5  ├──┤
    thread 2  Read() = 0          ├──┤
    the nearest order: Write(5) = 5, then Read() = 0, where the model has 5`,
	"counter whose read is late": `
not linearizable: no order explains these 2 operations, whatever the other one did
    thread 1  1 = 101    ├────────┤
    thread 2  100 = 101     ├──┤
    the nearest order: 100 = 101, where the model has 100`,
	"queue that takes twice": `
not linearizable: no order explains these 2 operations, whatever the other 2 did
    thread 1  Pop() = 1  ├────────┤
    thread 2  Pop() = 1     ├──┤
    the nearest order: Push(1), Pop() = 1, then Pop() = 1, where the model has 0`,
	"map that forgets": `
not linearizable on "a": no order explains these 2 operations
    thread 1  Set(a, 1) = 1  ├──┤
    thread 1  Get(a) = 0           ├──┤
    the nearest order: Set(a, 1) = 1, then Get(a) = 0, where the model has 1`,
	"pending and never called": `
not linearizable: no order explains this operation, whatever the other 2 did
    thread 2  Read() = 2  ├──┤
    the nearest order: Read() = 2, where the model has 0`,
}

func TestHistoriesShown(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Linear() {
		if b.Kind != explore.KindCheck {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			for range 2 {
				r := run(t, explore.Config{Name: b.Name, Seed: 7}, b.Run)
				got := strings.Join(r.Failure.Messages, "\n")
				if want := strings.TrimPrefix(histories[b.Name], "\n"); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			}
		})
	}
}

// The calls and their results are in the columns of the interleaving.
func TestHistoryInTheColumns(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs.Linear() {
		if b.Kind != explore.KindCheck {
			continue
		}
		r := run(t, explore.Config{Name: b.Name}, b.Run)
		calls, returns := 0, 0
		for _, s := range r.Failure.Timeline.Steps {
			if s.Op != "log" {
				continue
			}
			if strings.HasPrefix(s.Value, "call ") {
				calls++
			} else if strings.Contains(s.Value, " = ") {
				returns++
			}
		}
		if calls < 2 || returns == 0 || returns > calls {
			t.Errorf("%s: got %d calls and %d returns, want equally many, and some", b.Name, calls, returns)
		}
	}
}

// If a check takes too long, the result is unknown.
func TestLinearizableUndecided(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, explore.Config{Name: t.Name()}, programs.Undecided)
	if r.Verdict != explore.Unknown || !strings.Contains(r.Reason, "not decided within 3 steps") {
		t.Errorf("got %v (%s), want unknown", r.Verdict, r.Summary())
	}
}

// A panic of the model is reported as one of the body. It does not end the process.
func TestModelPanicsControlled(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, explore.Config{Name: t.Name()}, programs.PanickingModel)
	if r.Failure == nil || r.Failure.Kind != explore.KindPanic || !strings.Contains(r.Failure.Message, "no such call") {
		t.Errorf("got %v (%s), want a panic", r.Verdict, r.Summary())
	}
}
