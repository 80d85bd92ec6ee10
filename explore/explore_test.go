package explore_test

import (
	"context"
	"os"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/internal/bodies"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

func TestCanaries(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, c := range append(bodies.Canaries(), bodies.Odd()...) {
		t.Run(c.Name, func(t *testing.T) {
			r, err := explore.Run(context.Background(), explore.Config{Name: t.Name(), MaxSteps: 5000, Plan: plan()}, c.Run)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(r.Summary())
			if r.Failure != nil && os.Getenv("SHOW") != "" {
				_ = timeline.Text(os.Stdout, r.Failure.Timeline, timeline.Options{})
			}
			if r.Verdict != c.Verdict {
				t.Fatalf("got %v (%s), want %v", r.Verdict, r.Reason, c.Verdict)
			}
			if r.Failure == nil {
				return
			}
			if r.Failure.Kind != c.Kind {
				t.Fatalf("got %v (%s), want %v", r.Failure.Kind, r.Failure.Message, c.Kind)
			}
			t.Log(r.Failure.Message, len(r.Failure.Card), r.Failure.Card)
			for range 10 {
				again, err := explore.Replay(context.Background(), explore.Config{Name: t.Name(), MaxSteps: 5000}, r.Failure.Card, c.Run)
				if err != nil {
					t.Fatal(err)
				}
				if again.Failure.Kind != c.Kind {
					t.Fatalf("got %v, want %v", again.Failure.Kind, c.Kind)
				}
			}
		})
	}
}

func plan() []explore.Stage {
	return []explore.Stage{{Strategy: explore.PCT(3), Schedules: 30}, {Strategy: explore.RandomWalk(), Schedules: 30}, {Strategy: explore.DepthFirst(1), Schedules: 200}}
}
