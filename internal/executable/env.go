package executable

import (
	"path/filepath"
	"slices"
	"strings"
)

// The variables that tell a process that it is to be controlled.
const (
	// ControlVar is 1 in a process that was started to be controlled.
	ControlVar = "JACQUARD_CONTROL"
	// RaceLogVar is a path. The race detector writes its reports to the file whose
	// name is this path, a dot and the process's id.
	RaceLogVar = "JACQUARD_RACELOG"
	// FoldersVar says where source files are, which are compiled under their import
	// paths: a line for each module, its name, a tab and its folder. The name is
	// empty for Go's own packages, and @ for the folder of downloaded modules. The
	// program then sees the same paths as under go test.
	FoldersVar = "JACQUARD_FOLDERS"
)

// raceOptions make the race detector report every race, in each execution
// anew, and leave the verdict to the explorer. Its memory is touched in huge pages,
// where the system has them: short processes spend much of their time on page faults.
var raceOptions = [...]string{
	"halt_on_error=0",
	"exitcode=0",
	"atexit_sleep_ms=0",
	"suppress_equal_stacks=0",
	"suppress_equal_addresses=0",
	"history_size=7", // the longest: a report needs both stacks
	"no_huge_pages_for_shadow=0",
}

// Env returns the environment in which a controlled binary must run: base, one
// processor, the race detector writing its reports to files in raceDir, and
// [ControlVar] and [RaceLogVar]. Values in base of the variables that are set
// here are dropped. The directory must exist.
//
// GODEBUG stays unchanged. In particular asynchronous preemption must stay on,
// or a loop without calls in the code under test would prevent the explorer's
// watchdog from running.
func Env(base []string, raceDir string) []string {
	log := filepath.Join(raceDir, "race")
	set := []string{
		"GOMAXPROCS=1",
		"GORACE=log_path=" + quote(log) + " " + strings.Join(raceOptions[:], " "),
		ControlVar + "=1",
		RaceLogVar + "=" + log,
	}
	env := make([]string, 0, len(base)+len(set))
	for _, entry := range base {
		name, _, _ := strings.Cut(entry, "=")
		if !slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, name+"=") }) {
			env = append(env, entry)
		}
	}
	return append(env, set...)
}

// quote quotes a path for GORACE. The detector supports quotes, but no escapes
// inside them.
func quote(path string) string {
	switch {
	case !strings.ContainsAny(path, " ,:\t\n\r\"'"):
		return path
	case strings.Contains(path, `"`):
		return "'" + path + "'"
	}
	return `"` + path + `"`
}
