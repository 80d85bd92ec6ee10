package sctbench

import (
	"slices"

	"github.com/jacquard-go/jacquard/explore"
)

// A Program is a program with a bug.
type Program struct {
	Name string
	Kind explore.Kind // how it fails
	Run  func(*explore.T)
	// Published are published medians of the schedules that other tools needed.
	Published Published
}

// Published are medians over 20 searches of RFF's artifact, as it prints them; "–" means
// that the bug was never found. In brackets is how many searches found it, if not
// all of them did.
type Published struct{ RFF, NoFeedback, POS, PCT, Period, QLearning string }

// Programs returns all programs.
func Programs() []Program {
	return slices.Concat(small(), sized(), stealing(), kernels(), threads())
}

func check(name string, run func(*explore.T), p Published) Program {
	return Program{name, explore.KindCheck, run, p}
}
