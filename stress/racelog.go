package stress

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// raceLog is the file to which the race detector of a process writes its reports.
type raceLog string

// raceOptions returns the value of GORACE for a child: report into the job's folder, continue after a race, do not change
// the exit code, and do not linger at the end. If the detector cannot parse the path it reports to standard error, which
// is not read; Run detects that with its planted race.
func raceOptions(dir string) string {
	return fmt.Sprintf(`log_path="%s" halt_on_error=0 exitcode=0 atexit_sleep_ms=0`, filepath.Join(dir, raceLogName))
}

func raceLogOf(dir string, pid int) raceLog {
	return raceLog(fmt.Sprintf("%s.%d", filepath.Join(dir, raceLogName), pid))
}

// any reports whether the log has a report.
func (l raceLog) any() bool {
	if !RaceDetector {
		return false
	}
	info, err := os.Stat(string(l))
	return err == nil && info.Size() > 0
}

// first returns the first report as one line: the accesses and their places. It returns "" if there is none.
func (l raceLog) first() string {
	text, err := os.ReadFile(string(l))
	if err != nil {
		return ""
	}
	return summary(string(text))
}

// access matches the heading of each half of a report.
var access = regexp.MustCompile(`(?i)^(?:previous )?(atomic )?(read|write) (?:at|of) `)

// summary returns the first report of a log as one line.
func summary(log string) string {
	_, report, ok := strings.Cut(log, "WARNING: DATA RACE")
	if !ok {
		return ""
	}
	var halves []string
	lines := strings.Split(report, "\n")
	for i, line := range lines {
		if m := access.FindStringSubmatch(line); m != nil && len(halves) < 2 {
			halves = append(halves, strings.ToLower(m[1]+m[2])+" in "+place(lines[i+1:]))
		}
	}
	return "data race: " + strings.Join(halves, ", not ordered with ")
}

// place returns the innermost frame of a stack outside the runtime, as function and line.
func place(stack []string) string {
	for i := 0; i+1 < len(stack); i += 2 {
		function := strings.TrimSuffix(strings.TrimSpace(stack[i]), "()")
		if function == "" {
			break
		}
		if strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/") {
			continue
		}
		file, _, _ := strings.Cut(strings.TrimSpace(stack[i+1]), " ")
		return function[strings.LastIndex(function, "/")+1:] + " " + filepath.Base(file)
	}
	return "an unknown place"
}
