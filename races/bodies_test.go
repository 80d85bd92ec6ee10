package races_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/internal/testrun"
)

// inSequence are the cells that are wrong in sequence too: what an instance keeps in its memory is never refreshed, or known to it
// alone, or kept although the commit has failed; and a plan whose worker has gone is nobody's.
var inSequence = map[string]bool{"R7/reported": true, "N2/reported": true, "N2/suggested": true, "N7/reported": true, "N10/reported": true, "N10/suggested": true}

// concurrent is the cell whose subject starts goroutines of its own, with which it is wrong in most runs: nobody can put them in sequence.
const concurrent = "N9/reported"

// Without any concurrency every other cell holds. A body whose assertions misfire, or a subject that does not even work in sequence, is
// found here.
func TestEveryBodyInSequence(t *testing.T) {
	for _, race := range races.All() {
		for _, cell := range race.Cells {
			if cell.ID == concurrent {
				continue
			}
			t.Run(cell.ID, func(t *testing.T) {
				for range 2 { // one run leaves nothing behind for the next
					runInSequence(t, &testrun.Sequential{Host: t}, cell, inSequence[cell.ID])
				}
			})
		}
	}
}

// The same with the goroutines the other way round. R6 and N7 are left out: the second goroutine waits for the first.
func TestEveryBodyInReverse(t *testing.T) {
	for _, race := range races.All() {
		if race.ID == "R6" || race.ID == "N7" {
			continue
		}
		for _, cell := range race.Cells {
			if cell.ID == concurrent {
				continue
			}
			t.Run(cell.ID, func(t *testing.T) {
				runInSequence(t, &testrun.Sequential{Host: t, Reverse: true}, cell, inSequence[cell.ID])
			})
		}
	}
}

func runInSequence(t *testing.T, s *testrun.Sequential, cell races.Cell, violated bool) {
	t.Helper()
	if err := s.Run(cell.Body); err != nil {
		t.Fatalf("set-up failed: %v", err)
	}
	if got := len(s.Failures) > 0; got != violated {
		t.Errorf("violated: got %t, want %t: %q", got, violated, s.Failures)
	}
	if len(s.Steps) < 2 {
		t.Errorf("the report has %d steps, want at least one for each goroutine: %q", len(s.Steps), s.Steps)
	}
	for _, step := range s.Steps {
		t.Log(step)
	}
	for _, failure := range s.Failures {
		t.Log(failure)
	}
}
