package races_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/races"
	"github.com/jacquard-go/jacquard/races/internal/testrun"
)

// inSequence has the cells that are also violated sequentially: an instance never refreshes its memory, does not share it, or
// keeps what failed to commit, or nobody gets the plan of a worker that has gone.
var inSequence = map[string]bool{"R7/reported": true, "N2/reported": true, "N2/suggested": true, "N7/reported": true, "N10/reported": true, "N10/suggested": true}

// concurrent is the cell whose subject itself starts goroutines. They cannot be run sequentially, and violate it in most runs.
const concurrent = "N9/reported"

// Every other cell holds without concurrency. So these tests find a body whose assertions misfire, and a subject that does not even
// work sequentially.
func TestEveryBodyInSequence(t *testing.T) {
	for _, race := range races.All() {
		for _, cell := range race.Cells {
			if cell.ID == concurrent {
				continue
			}
			t.Run(cell.ID, func(t *testing.T) {
				for range 2 { // a run must leave nothing behind for the next one
					runInSequence(t, &testrun.Sequential{Host: t}, cell, inSequence[cell.ID])
				}
			})
		}
	}
}

// The goroutines run in reverse order. R6 and N7 are left out: there the second goroutine waits for the first.
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
		t.Errorf("got %d steps in the report, want at least one for each goroutine: %q", len(s.Steps), s.Steps)
	}
	for _, step := range s.Steps {
		t.Log(step)
	}
	for _, failure := range s.Failures {
		t.Log(failure)
	}
}
