package strategies

import (
	"os"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/explored"
)

// An effort is how much the tests try.
type effort struct {
	seeds     uint64 // for each bug
	replays   int    // of each race's card
	schedules int    // for each correct canary and each strategy
	lives     int    // the same for fixed races
	// time is how long a strategy runs on a fixed race, once it has run fairlyMany
	// schedules; 0 means no limit. In some races a schedule takes a twentieth of a second,
	// in a database.
	time time.Duration
}

// fairlyMany is the least number of schedules, even if the time is over: the machine may be
// busy.
const fairlyMany = 100

func tried() effort {
	if os.Getenv("JACQUARD_LONG") != "" {
		return effort{seeds: 20, replays: 100, schedules: 10_000, lives: 10_000, time: 5 * time.Second}
	}
	return effort{seeds: 1, replays: 2, schedules: 50, lives: 2}
}

// enough returns a function that ends an exploration starting now.
func (e effort) enough() func(explore.Result) bool {
	if e.time == 0 {
		return nil
	}
	begun := time.Now()
	return func(sofar explore.Result) bool { return sofar.Schedules >= fairlyMany && time.Since(begun) >= e.time }
}

func TestEnough(t *testing.T) {
	if (effort{}).enough() != nil {
		t.Error("got a bound, want none")
	}
	at := func(d time.Duration, schedules int) bool {
		return effort{time: d}.enough()(explore.Result{Schedules: schedules})
	}
	if at(time.Nanosecond, fairlyMany-1) || !at(time.Nanosecond, fairlyMany) || at(time.Hour, 10_000) {
		t.Error("got an end too early or too late, want it after the time and fairlyMany schedules")
	}
}

// The default plan finds every bug of the table within a thousand schedules.
func TestEveryBugIsFound(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range known() {
		for seed := uint64(1); seed <= tried().seeds; seed++ {
			s, err := b.search(t.Context(), seed, nil, explore.DefaultPlan())
			if err != nil {
				t.Fatal(err)
			}
			if !s.Found || s.Schedules > 1000 {
				t.Errorf("%s, seed %d: got %+v, want it found within 1000", b, seed, s)
			}
		}
	}
}

// Each race's card replays exactly, every time.
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
				t.Fatalf("%s, replay %d: got %v (%s), want an exact replay: %s", s.ID, i+1, again.Outcome, again.Result.Summary(), r.Failure.Message)
			}
		}
	}
}

// No strategy reports a failure on correct programs: canaries without a bug, and fixed
// races. Package explore tests the corrected classic bugs.
func TestNothingIsReportedOnWhatIsRight(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	right := func(name string, c column, r *explore.Result, err error) {
		switch {
		case err != nil:
			t.Fatal(err)
		case r.Verdict != explore.Holds:
			t.Errorf("%s, %s: got %v (%s), want it to hold", name, c.name, r.Verdict, r.Summary())
		default:
			t.Logf("%s, %s: %s", name, c.name, r.Summary())
		}
	}
	e := tried()
	for _, c := range columns(nil)[:len(strategy.All())+1] {
		for _, b := range programs.Canaries() {
			if b.Verdict == explore.Holds {
				r, err := ofProgram("right", b).explore(t.Context(), 1, nil, c.plan(e.schedules)...)
				right(b.Name, c, r, err)
			}
		}
		for _, s := range explored.Cells() {
			if s.Want == races.Holds {
				r, err := s.ExploreUntil(t.Context(), 1, e.enough(), c.plan(e.lives)...)
				right(s.ID, c, r, err)
			}
		}
	}
}
