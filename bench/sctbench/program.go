package sctbench

import (
	"slices"

	"github.com/jacquard-go/jacquard/explore"
)

// A Program is one with a bug.
type Program struct {
	Name string
	Kind explore.Kind // how it fails
	Run  func(*explore.T)
	// Published are the medians of the schedules that others have needed.
	Published Published
}

// Published are medians over 20 searches of RFF's artifact, as it prints them; "–" is
// a bug that was never found. In brackets is how many searches have found it, if not
// all of them did.
type Published struct{ RFF, NoFeedback, POS, PCT, Period, QLearning string }

// Programs lists all.
func Programs() []Program {
	return slices.Concat(small(), sized(), stealing(), kernels(), threads())
}

func check(name string, run func(*explore.T), p Published) Program {
	return Program{name, explore.KindCheck, run, p}
}
