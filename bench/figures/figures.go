// Package figures is what the commands that measure have in common: samples of
// searches for a bug, and how they are written in a table.
package figures

import (
	"fmt"
	"slices"
)

// A Sample is one search for a bug.
type Sample struct {
	Found     bool `json:"found"`
	Schedules int  `json:"schedules"` // until the bug was found, or all that there were
}

// Never stands for a bug that was not found: more schedules than any limit.
const Never = 1 << 30

// Needed are the numbers of schedules, least first.
func Needed(samples []Sample) []int {
	var all []int
	for _, s := range samples {
		n := Never
		if s.Found {
			n = s.Schedules
		}
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// Median is the upper one of two; Never if there is none.
func Median(sorted []int) int {
	if len(sorted) == 0 {
		return Never
	}
	return sorted[len(sorted)/2]
}

// Worst is the last one; Never if there is none.
func Worst(sorted []int) int {
	if len(sorted) == 0 {
		return Never
	}
	return sorted[len(sorted)-1]
}

// Number is n, or a dash for [Never].
func Number(n int) string {
	if n == Never {
		return "–"
	}
	return fmt.Sprint(n)
}

// WorstText says how many searches found it, if not all did.
func WorstText(sorted []int) string {
	found := 0
	for _, n := range sorted {
		if n != Never {
			found++
		}
	}
	if found == len(sorted) {
		return Number(Worst(sorted))
	}
	return fmt.Sprintf("– (%d)", found)
}
