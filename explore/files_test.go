package explore_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs/files"
)

// Bugs of goroutines that share only files are found, and their schedules replay.
func TestFilesGoWrong(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range files.Wrong() {
		t.Run(b.Name, func(t *testing.T) {
			judge(t, explore.Config{Name: b.Name, Plan: []explore.Stage{{Strategy: explore.DPOR(), Schedules: 2000}}}, b)
		})
	}
}

// If the goroutines are correct, the search is exhaustive.
func TestFilesExhausted(t *testing.T) {
	if !explore.Control(t) {
		return
	}
	for _, b := range files.Right() {
		t.Run(b.Name, func(t *testing.T) {
			r := run(t, explore.Config{Name: b.Name, Plan: []explore.Stage{{Strategy: explore.DPOR(), Schedules: 2000}}}, b.Run)
			if r.Verdict != explore.Holds || !r.Exhausted {
				t.Errorf("got %v (%s), want it exhausted", r.Verdict, r.Summary())
			}
		})
	}
}
