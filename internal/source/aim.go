package source

import (
	"path"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// before is how many lines above one that tells of a failure, such as that of a
// t.Errorf, what it tells of is looked at, as a rule.
const before = 6

// aimed is how near the operation of a stack is to what a search is directed at: see
// [schedule.Aimer]. What is called from there is as near.
func aimed(targets []string, all []Frame) (near schedule.Nearness) {
	for _, target := range targets {
		file, line, isLine := strings.Cut(target, ".go:")
		n, err := strconv.Atoi(line)
		for _, f := range all {
			switch {
			case !isLine && f.Function == target:
				near = max(near, schedule.SameFunction)
			case isLine && err == nil && path.Base(f.File) == file+".go" && f.line <= n && n-f.line <= before:
				near = max(near, schedule.SameLine)
			}
		}
	}
	return near
}
