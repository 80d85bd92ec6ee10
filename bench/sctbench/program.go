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
	// Published are the published medians of schedules that other tools needed.
	Published Published
}

// Published are medians over 20 searches, as RFF's artifact prints them; "–" means that no
// search found the bug. The number of searches that found it is in brackets if it is not
// 20.
type Published struct{ RFF, NoFeedback, POS, PCT, Period, QLearning string }

// Programs returns all programs.
func Programs() []Program {
	return slices.Concat(small(), sized(), stealing(), kernels(), threads())
}

func check(name string, run func(*explore.T), p Published) Program {
	return Program{name, explore.KindCheck, run, p}
}
