package explore_test

import (
	"math"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
)

func TestPCTBound(t *testing.T) {
	b := explore.PCTBound{Schedules: []int{100}, Goroutines: 2, Points: 10}
	if got, want := b.Miss(1), math.Pow(0.5, 100); math.Abs(got-want) > 1e-12 {
		t.Errorf("depth 1: got %v, want %v", got, want)
	}
	if got := b.Miss(2); got != 1 {
		t.Errorf("deeper than explored: got %v, want 1", got)
	}
	b.Schedules = []int{0, 100, 50}
	for depth, want := range map[int]float64{
		0: 1, 1: math.Pow(0.95, 100) * math.Pow(0.995, 50), 2: math.Pow(0.95, 100) * math.Pow(0.995, 50), 3: math.Pow(0.995, 50), 4: 1,
	} {
		if got := b.Miss(depth); math.Abs(got-want) > 1e-12 {
			t.Errorf("depth %d: got %v, want %v", depth, got, want)
		}
	}
	if got := (explore.PCTBound{}).Miss(2); got != 1 {
		t.Errorf("without a schedule: got %v, want 1", got)
	}
}
