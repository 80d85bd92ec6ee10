package source

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// before is the number of lines above a line that reports a failure, such as a
// t.Errorf, in which the failing value is usually read.
const before = 6

// aimed returns how near the operation of a stack is to one of the targets, and the index of
// that target: see [schedule.Aimer]. Operations in functions called there are equally near.
func aimed(targets []string, all []Frame) (near schedule.Nearness, which uint8) {
	for i, target := range targets {
		if n := nearTo(target, all); n > near && i <= math.MaxUint8 {
			near, which = n, uint8(i)
		}
	}
	return near, which
}

// nearTo returns how near a stack is to one target.
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

// calledFrom reports whether the frames of a stack contain these callers, innermost first.
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

// above returns how many lines a frame is above a line such as "bank.go:18"; false if
// the frame is in another file, or line is malformed.
func (f *Frame) above(line string) (int, bool) {
	file, number, ok := strings.Cut(line, ":")
	n, err := strconv.Atoi(number)
	return n - f.line, ok && err == nil && path.Base(f.File) == file
}
