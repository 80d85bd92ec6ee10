package programs

import (
	"slices"

	"github.com/jacquard-go/jacquard/explore"
)

// A Classic is a well-known concurrency bug as plain Go, and a twin without it.
type Classic struct {
	Name  string
	Wrong string  // what is wrong, in one line
	Right string  // what the twin does, in one line
	Bug   Program // Violated
	Twin  Program // Holds; has choices to make, as the bug has
}

// Classics returns the classic bugs in a fixed order. Several of them hang or
// crash a process that is not under control.
func Classics() []Classic {
	return slices.Concat(lockFree(), locks(), conditions(), channels(), lifetimes(), stores())
}

func classic(name string, kind explore.Kind, wrong, right string, bug, twin func(*explore.T)) Classic {
	return Classic{
		Name: name, Wrong: wrong, Right: right,
		Bug:  Program{Name: name, Verdict: explore.Violated, Kind: kind, Run: bug},
		Twin: Program{Name: name + ", corrected", Verdict: explore.Holds, Run: twin},
	}
}
