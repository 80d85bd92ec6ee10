package explored_test

import (
	"errors"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

// A random walk finds every violation within a hundred schedules, in the median of nine
// seeds, or of three with -short.
func TestRandomWalkMeetsEachRaceSoon(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	const most, limit = 100, 1000
	seeds := 9
	if testing.Short() {
		seeds = 3
	}
	for _, s := range explored.Cells() {
		if s.Want != races.Violated {
			continue
		}
		var needed []int
		soon := 0
		for seed := 0; seed < seeds && soon <= seeds/2; seed++ { // more seeds cannot raise the median above most
			r, err := s.ExploreWith(t.Context(), uint64(seed+1), explore.Stage{Strategy: explore.RandomWalk(), Schedules: limit})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != explore.Violated || !s.Right(r.Verdict.String(), string(r.Failure.Of)) {
				t.Fatalf("%s, seed %d: got %v (%s), want a violation", s.ID, seed+1, r.Verdict, r.Summary())
			}
			if needed = append(needed, r.Failure.Schedule); r.Failure.Schedule <= most {
				soon++
			}
		}
		if t.Logf("%-13s schedules needed: %v", s.ID, needed); soon <= seeds/2 {
			t.Errorf("%s: got %v schedules, want a median of at most %d", s.ID, needed, most)
		}
	}
}

// The search omits no schedule that matters: it finds each violation by itself.
func TestSearchMeetsEachRace(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, s := range explored.Cells() {
		if s.Want != races.Violated {
			continue
		}
		r, err := s.ExploreWith(t.Context(), 1, explore.Stage{Strategy: explore.Reduced(1), Schedules: 100})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != explore.Violated || !s.Right(r.Verdict.String(), string(r.Failure.Of)) {
			t.Errorf("%s: got %v (%s), want a violation", s.ID, r.Verdict, r.Summary())
		}
	}
}

// One rule judges our code and the specimens.
func TestRight(t *testing.T) {
	for _, c := range []struct {
		id, verdict, kind string
		right             bool
	}{
		{"R1/reported", "violated", "check", true},
		{"R3/reported", "violated", "panic", true},
		{"R1/reported", "violated", "leak", false},
		{"R1/reported", "holds", "", false},
		{"R1/reported", "unknown", "", false},
		{"R1/ours", "holds", "", true},
		{"R1/ours", "violated", "check", false},
		{"R1/ours", "unknown", "", false},
		{"canary/lock-order", "violated", "deadlock", true},
		{"canary/lock-order", "violated", "leak", false},
		{"canary/map-locked", "holds", "", true},
		{"canary/map-locked", "violated", "race", false},
	} {
		s, err := explored.Find(c.id)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Right(c.verdict, c.kind); got != c.right {
			t.Errorf("%s %s %s: got %v, want %v", c.id, c.verdict, c.kind, got, c.right)
		}
	}
}

func TestFind(t *testing.T) {
	for _, s := range append(explored.Canaries(), explored.Cells()...) {
		if got, err := explored.Find(s.ID); err != nil || got.ID != s.ID {
			t.Errorf("%s: got %q, %v, want it found", s.ID, got.ID, err)
		}
	}
	for _, id := range []string{"", "R9/ours", "R1", "R1/theirs", "canary/unknown"} {
		if _, err := explored.Find(id); !errors.Is(err, races.ErrUnknown) {
			t.Errorf("%q: got %v, want %v", id, err, races.ErrUnknown)
		}
	}
}
