// Package figures has what commands that measure searches share: samples of
// searches for a bug, and their form in a table.
package figures

import (
	"fmt"
	"slices"
)

// A Sample is one search for a bug.
type Sample struct {
	Found     bool `json:"found"`
	Schedules int  `json:"schedules"` // up to the one that found the bug, or all that were run
}

// Never stands for a bug that was not found: more schedules than any limit.
const Never = 1 << 30

// Needed returns the schedules that each search needed, [Never] if it found nothing, in ascending order.
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

// Median returns the median, the upper one of two; Never if there are no numbers.
func Median(sorted []int) int {
	if len(sorted) == 0 {
		return Never
	}
	return sorted[len(sorted)/2]
}

// Worst returns the last number; Never if there is none.
func Worst(sorted []int) int {
	if len(sorted) == 0 {
		return Never
	}
	return sorted[len(sorted)-1]
}

// Number formats n, with a dash for [Never].
func Number(n int) string {
	if n == Never {
		return "–"
	}
	return fmt.Sprint(n)
}

// WorstText formats the worst number, and how many searches found the bug if not all did.
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
