package explore_test

import (
	"bytes"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// The goroutines of a race's accesses are known, even if the detector has printed much before
// its report.
func TestAccessesOfManyRaces(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	cfg := small(t.Name())
	cfg.Races = explore.RacesNote
	var many, last int
	r := run(t, cfg, func(t *explore.T) {
		var turn atomic.Int64
		for _, name := range []string{"one", "two"} {
			t.Go(name, func() {
				within(150, func() { many++ })
				turn.Add(1)
				last++
			})
		}
		t.Wait()
	})
	if len(r.Noted) < 2 {
		t.Fatalf("got %v (%s) with races %v, want two", r.Verdict, r.Summary(), r.Noted)
	}
	for _, race := range r.Noted {
		for _, a := range race.Accesses {
			if a.Goroutine != "one" && a.Goroutine != "two" {
				t.Errorf("got %v, want accesses of one and two", race)
			}
		}
	}
}

// In a copy, the source has its own name, not the destination's. The detector reports races
// of copies at one address only once, unless told to forget.
func TestCopiesRace(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	want, text := "weft", []byte("warp") // both outlive each schedule
	r := run(t, explore.Config{}, func(t *explore.T) {
		text := text
		t.Go("copies", func() { copy(text, "weft") })
		if string(text) == want {
			t.Logf("it was quicker")
		}
		t.Wait()
	})
	if r.Failure == nil {
		t.Fatalf("got %s, want a race", r.Summary())
	}
	var table strings.Builder
	if err := timeline.Text(&table, r.Failure.Timeline, timeline.Options{}); err != nil || !strings.Contains(table.String(), "data race on text\n") {
		t.Errorf("got %v and\n%s\nwant a data race on text", err, &table)
	}
}

// within calls f below that many more stack frames.
func within(frames int, f func()) {
	if frames == 0 {
		f()
		return
	}
	within(frames-1, f)
}

// More racing accesses than there is room for do no harm.
func TestManyRacingAccesses(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	pcs := make([]uintptr, 10_000)
	for i := range pcs {
		pcs[i] = uintptr(i + 1)
	}
	control.SetMemory(pcs)
	control.SetMemory(nil)
}

// A race within the standard library is reported at the program's call into it. A race in a
// function that the library calls back is reported where it is.
func TestRaceWithinTheStandardLibrary(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	r := races(t, func(t *explore.T) {
		var b bytes.Buffer
		t.Go("one", func() { b.WriteString("1") })
		t.Go("two", func() { b.WriteString("2") })
		t.Wait()
	})
	if want := " in bytes.(*Buffer).WriteString"; strings.Count(r.Failure.Message, "/race_test.go:") != 2 || strings.Count(r.Failure.Message, want) != 2 {
		t.Errorf("got %q, want two places in this file, and %q twice", r.Failure.Message, want)
	}
	r = races(t, func(t *explore.T) {
		compared := 0
		sorts := func() {
			slices.SortFunc([]int{2, 1}, func(a, b int) int { compared++; return a - b })
		}
		t.Go("one", sorts)
		t.Go("two", sorts)
		t.Wait()
	})
	if strings.Count(r.Failure.Message, "/race_test.go:") != 2 || strings.Contains(r.Failure.Message, " in ") {
		t.Errorf("got %q, want two places in this file", r.Failure.Message)
	}
}
