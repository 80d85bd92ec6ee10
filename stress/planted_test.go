package stress_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/stress"
)

// planted returns rows of one body each, in the column ours, that fails in one way or holds.
func planted() []stress.Row {
	var third atomic.Int64
	return []stress.Row{
		plant("well", func(t races.T) error {
			inTwo(t, func() {})
			return nil
		}),
		plant("check", func(t races.T) error {
			if third.Add(1) == 3 {
				t.Errorf("the third round is wrong")
			}
			return nil
		}),
		plant("fatal check", func(t races.T) error {
			t.Fatalf("wrong from the start")
			t.Errorf("and it went on")
			return nil
		}),
		plant("panic", func(t races.T) error {
			inTwo(t, func() { panic("a planted panic") })
			return nil
		}),
		plant("fatal", func(t races.T) error {
			var mu sync.Mutex
			inTwo(t, func() { mu.Unlock() })
			return nil
		}),
		deadlock: plant("deadlock", func(t races.T) error {
			mu := new(sync.Mutex)
			inTwo(t, mu.Lock)
			return nil
		}),
		plant("race", func(t races.T) error {
			n := 0
			inTwo(t, func() { n++ })
			return nil
		}),
		plant("leak", func(races.T) error {
			never := make(chan struct{})
			go func() { <-never }()
			return nil
		}),
		plant("set-up", func(races.T) error { return errors.New("no file for this") }),
		plant("exit", func(races.T) error {
			fmt.Fprintln(os.Stderr, "last words")
			os.Exit(3)
			return nil
		}),
	}
}

// deadlock is the index of the deadlock in planted.
const deadlock = 5

// A deadlock is found when a round takes too long.
func TestPlantedDeadlockIsSeen(t *testing.T) {
	cfg := config(t, worker, planted())
	cfg.Stall = 300 * time.Millisecond
	r, err := stress.RunOne(t.Context(), cfg, "deadlock/ours")
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := r.Met(); !ok || f.Kind != races.KindDeadlock || !strings.Contains(f.Message, "sync.Mutex.Lock") || f.Round != 1 {
		t.Errorf("got %+v, want a deadlock in round 1", r)
	}
}

// plant returns a row with a body.
func plant(name string, body races.Body) stress.Row {
	return stress.Row{Race: races.Race{ID: name, Cells: []races.Cell{{ID: name + "/ours", Column: races.Ours, Body: body}}}}
}

// inTwo runs f in two goroutines.
func inTwo(t races.T, f func()) {
	t.Go("one", f)
	t.Go("two", f)
	t.Wait()
}

// Each planted bug is found with its kind, and does not stop the other campaigns.
func TestPlantedBugsAreSeen(t *testing.T) {
	want := map[string]struct {
		kind    races.Kind
		message string
	}{
		"check":       {races.KindCheck, "the third round is wrong"},
		"fatal check": {races.KindCheck, "wrong from the start"},
		"panic":       {races.KindPanic, "panic: a planted panic"},
		"fatal":       {races.KindFatal, "fatal error: sync: unlock of unlocked mutex"},
		"leak":        {races.KindLeak, "left behind: chan receive"},
	}
	if stress.RaceDetector {
		want["race"] = struct {
			kind    races.Kind
			message string
		}{races.KindRace, "data race: "}
	}
	rows := planted()
	cfg := config(t, worker, append(rows[:deadlock:deadlock], rows[deadlock+1:]...))
	cfg.Time = 3 * time.Second // one bug shows only in the third round
	report, err := stress.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if report.Clean {
		t.Error("got a clean report, want one that is not")
	}
	for _, race := range report.Races {
		got := race.Ours[0]
		w, bad := want[race.ID]
		f, found := got.Met()
		switch {
		case got.Clean() != race.Clean:
			t.Errorf("%s: got result clean %v, race clean %v, want the same", race.ID, got.Clean(), race.Clean)
		case bad && (!found || f.Kind != w.kind || !strings.Contains(f.Message, w.message) || f.Round < 1 || f.Round > got.Rounds || race.Clean):
			t.Errorf("%s: got %+v, want %s: %s", race.ID, got, w.kind, w.message)
		case !bad && found:
			t.Errorf("%s: got %+v, want nothing found", race.ID, got)
		}
	}
	checkRest(t, report, !stress.RaceDetector)
}

// checkRest checks the planted rows without findings, and the details of some.
func checkRest(t *testing.T, report *stress.Report, race bool) {
	t.Helper()
	find := func(id string) stress.Result {
		i := slices.IndexFunc(report.Races, func(r stress.RaceReport) bool { return r.ID == id })
		return report.Races[i].Ours[0]
	}
	well := []string{"well"}
	if race {
		well = append(well, "race") // only the detector sees it
	}
	for _, id := range well {
		if r := find(id); !r.Clean() || r.Rounds < 2 || r.Operations != 2*r.Rounds || r.Successes != r.Operations {
			t.Errorf("%s: got %+v, want it clean, with two goroutines a round", id, r)
		}
	}
	if r := find("check"); r.Findings[0].Round != 3 || r.Rounds < 3 {
		t.Errorf("check: got %+v, want it in round 3", r)
	}
	if r := find("set-up"); r.Clean() || r.Trouble != "round 1: no file for this" {
		t.Errorf("set-up: got %+v, want its error", r)
	}
	if r := find("exit"); r.Clean() || r.Rounds < 1 || !strings.Contains(r.Trouble, "exit status 3: last words") {
		t.Errorf("exit: got %+v, want its last words", r)
	}
}

// A child that hangs is killed.
func TestAHangIsBounded(t *testing.T) {
	cfg := config(t, mute, planted()[:1])
	cfg.Stall, cfg.StartUp = time.Millisecond, 100*time.Millisecond
	if stress.RaceDetector { // then the first child, which checks the detector, hangs already
		if _, err := stress.Run(t.Context(), cfg); !errors.Is(err, stress.ErrBlind) || !strings.Contains(err.Error(), "killed after") {
			t.Errorf("got %v, want ErrBlind because a child was killed", err)
		}
		return
	}
	report, err := stress.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	r := report.Races[0].Ours[0]
	if f, ok := r.Met(); !ok || f.Kind != races.KindDeadlock || !strings.Contains(f.Message, "killed after") {
		t.Errorf("got %+v, want a child that was killed", r)
	}
}

// A child's output is limited, and is not an answer.
func TestAChildThatBabbles(t *testing.T) {
	rows := planted()[:1]
	r, err := stress.RunOne(t.Context(), config(t, babbler, rows), "well/ours")
	if err != nil || r.Clean() || !strings.Contains(r.Trouble, "gave no answer and ended with") || len(r.Trouble) > 2000 {
		t.Errorf("got %+v, %v, want a child without an answer", r, err)
	}
}

// It is an error if the race detector misses a planted race.
func TestABlindDetector(t *testing.T) {
	_, err := stress.Run(t.Context(), config(t, liar, planted()[:1]))
	if stress.RaceDetector != errors.Is(err, stress.ErrBlind) {
		t.Errorf("race detector %v: got error %v, want ErrBlind exactly with the detector", stress.RaceDetector, err)
	}
}

// An interrupted run ends at once with the context's error.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cfg := config(t, worker, planted()[deadlock:deadlock+1])
	cfg.Stall = time.Hour
	cfg.Progress = func(int, int, string) { time.AfterFunc(50*time.Millisecond, cancel) }
	if _, err := stress.Run(ctx, cfg); !errors.Is(err, ctx.Err()) || err == nil {
		t.Errorf("got %v, want the context's error", err)
	}
}
