package source

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// before is how many lines above one that tells of a failure, such as that of a
// t.Errorf, what it tells of is looked at, as a rule.
const before = 6

// aimed is how near the operation of a stack is to what a search is directed at, and to
// which of that: see [schedule.Aimer]. What is called from there is as near.
func aimed(targets []string, all []Frame) (near schedule.Nearness, which uint8) {
	for i, target := range targets {
		if n := nearTo(target, all); n > near && i <= math.MaxUint8 {
			near, which = n, uint8(i)
		}
	}
	return near, which
}

// nearTo is how near a stack is to one target.
func nearTo(target string, all []Frame) (near schedule.Nearness) {
	innermost, callers, _ := strings.Cut(target, "\n")
	function, line, isFrame := strings.Cut(innermost, " ")
	if !isFrame {
		function, line = innermost, innermost
	}
	for i := range all {
		if all[i].Function == function {
			near = max(near, schedule.SameFunction)
		}
		above, ok := all[i].above(line)
		if !ok || above < 0 || above > before {
			continue
		}
		at := schedule.SameLine
		if above == 0 {
			at = schedule.ExactLine
		}
		if isFrame && calledFrom(callers, all[i+1:]) {
			at++
		}
		near = max(near, at)
	}
	return near
}

// calledFrom reports whether these callers, innermost first, are among a stack's frames.
func calledFrom(callers string, all []Frame) bool {
	for caller := range strings.Lines(callers) {
		_, line, _ := strings.Cut(strings.TrimSuffix(caller, "\n"), " ")
		i := slices.IndexFunc(all, func(f Frame) bool {
			above, ok := f.above(line)
			return ok && above == 0
		})
		if i < 0 {
			return false
		}
		all = all[i+1:]
	}
	return true
}

// above is how many lines a frame is above one, such as "bank.go:18"; false if it is in
// another file, or that is no line.
func (f *Frame) above(line string) (int, bool) {
	file, number, ok := strings.Cut(line, ":")
	n, err := strconv.Atoi(number)
	return n - f.line, ok && err == nil && path.Base(f.File) == file
}
