package main

import (
	"os"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/bodies"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

// An effort is how much is tried. With JACQUARD_LONG it is hours.
type effort struct {
	seeds     uint64 // for each bug
	replays   int    // of each race's card
	schedules int    // for each program that is right and each strategy
	lives     int    // the same for fixed races, which take longer
}

func tried() effort {
	if os.Getenv("JACQUARD_LONG") != "" {
		return effort{seeds: 20, replays: 100, schedules: 10_000, lives: 10_000}
	}
	return effort{seeds: 1, replays: 2, schedules: 100, lives: 5}
}

// The default plan finds every bug of the table within a thousand schedules.
func TestEveryBugIsFound(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range programs() {
		for seed := uint64(1); seed <= tried().seeds; seed++ {
			s, err := b.search(t.Context(), seed, explore.DefaultPlan())
			if err != nil {
				t.Fatal(err)
			}
			if !s.Found || s.Schedules > 1000 {
				t.Errorf("%s, seed %d: got %+v, want it found within 1000", b, seed, s)
			}
		}
	}
}

// The card of each race replays, each time alike.
func TestCardsOfRacesReplay(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, s := range explored.Cells() {
		if s.Want != races.Violated {
			continue
		}
		r, err := s.ExploreWith(t.Context(), 1, explore.DefaultPlan()...)
		if err != nil {
			t.Fatal(err)
		}
		if r.Failure == nil {
			t.Errorf("%s: got %s, want a failure", s.ID, r.Summary())
			continue
		}
		for i := range tried().replays {
			again, err := s.Replay(t.Context(), 1, r.Failure.Card)
			if err != nil {
				t.Fatalf("%s, replay %d: %v", s.ID, i+1, err)
			}
			if again.Outcome != explore.Exact || again.Result.Failure.Message != r.Failure.Message {
				t.Fatalf("%s, replay %d: got %v (%s), want it exactly: %s", s.ID, i+1, again.Outcome, again.Result.Summary(), r.Failure.Message)
			}
		}
	}
}

// Nothing is reported on what is right, by any strategy: canaries without a
// bug, the corrected twins of the classic bugs, and fixed races.
func TestNothingIsReportedOnWhatIsRight(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	var right []bodies.Body
	for _, b := range bodies.Canaries() {
		if b.Verdict == explore.Holds {
			right = append(right, b)
		}
	}
	for _, c := range bodies.Classics() {
		right = append(right, c.Twin)
	}
	for _, c := range columns[:strategies] {
		for _, b := range right {
			r, err := ofBody("right", b).explore(t.Context(), 1, c.plan(tried().schedules)...)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != explore.Holds {
				t.Errorf("%s, %s: got %v (%s), want that it holds", b.Name, c.name, r.Verdict, r.Summary())
			}
		}
		for _, s := range explored.Cells() {
			if s.Want != races.Holds {
				continue
			}
			r, err := s.ExploreWith(t.Context(), 1, c.plan(tried().lives)...)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != explore.Holds {
				t.Errorf("%s, %s: got %v (%s), want that it holds", s.ID, c.name, r.Verdict, r.Summary())
			}
		}
	}
}
