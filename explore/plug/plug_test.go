package plug_test

import (
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/plug"
)

// body has two goroutines that each add twice to a counter.
func body(t *explore.T) {
	var n atomic.Int32
	for _, name := range []string{"warp", "weft"} {
		t.Go(name, func() { n.Add(1); n.Add(1) })
	}
	t.Wait()
	if got := n.Load(); got != 4 {
		t.Errorf("got %d, want 4", got)
	}
}

func run(t *testing.T, cfg explore.Config) *explore.Result {
	t.Helper()
	cfg.Name, cfg.Plan = "counter", []explore.Stage{{Strategy: plug.New(), Schedules: 100_000}}
	r, err := explore.Run(t.Context(), cfg, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestExhausted(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := run(t, explore.Config{})
	if r.Verdict != explore.Holds || !r.Exhausted || r.Unbounded || r.Bound == 0 || r.Searched != r.Schedules {
		t.Errorf("got %s, want every schedule up to some bound", r.Summary())
	}
}

func TestGoesOn(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	whole := run(t, explore.Config{})
	first := run(t, explore.Config{Enough: func(sofar explore.Result) bool { return sofar.Schedules == 5 }})
	if first.Exhausted || first.Schedules != 5 || first.Bookmark == nil {
		t.Fatalf("got %s, want 5 schedules and a checkpoint", first.Summary())
	}
	rest := run(t, explore.Config{Bookmark: first.Bookmark})
	if got, want := rest.Summary(), whole.Summary(); got != want || rest.Schedules != whole.Schedules {
		t.Errorf("in two parts: got %s, want %s", got, want)
	}
}
