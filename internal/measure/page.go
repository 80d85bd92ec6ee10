package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// ErrNoPlace: a document has no place for a table.
var ErrNoPlace = errors.New("no place for the table")

// A Place is the part of a document between two lines, which a command writes.
type Place struct{ Begin, End string }

// Write puts text into its place in a file, instead of what is there. The error
// matches [ErrNoPlace], or is that of the file.
func (p Place) Write(file, text string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), p.Begin+"\n")
	_, after, ended := strings.Cut(rest, p.End+"\n")
	if !ok || !ended {
		return fmt.Errorf("%s: %w: want the lines %s and %s", file, ErrNoPlace, p.Begin, p.End)
	}
	return os.WriteFile(file, []byte(before+p.Begin+"\n"+text+p.End+"\n"+after), 0o644)
}

// Setting says what a figure is worth nothing without: of which commit, on what
// machine and when.
func Setting(ctx context.Context) string {
	return fmt.Sprintf("Commit %s, %s %s/%s, %s, GOMAXPROCS %d, %s%s", Commit(ctx),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, cpu(), runtime.GOMAXPROCS(0), time.Now().UTC().Format(time.DateOnly), load())
}

// Commit names the state of the source, as far as git knows.
func Commit(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--abbrev=7", "--dirty= with uncommitted changes").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// load says how busy the machine was, as far as the system tells: on a busy one
// only ratios mean anything.
func load() string {
	averages, _ := os.ReadFile("/proc/loadavg")
	if words := strings.Fields(string(averages)); len(words) > 2 {
		return ", load average in the last minutes " + words[2]
	}
	return ""
}

// cpu names the processor, as far as the system tells.
func cpu() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return fmt.Sprintf("%s, %d processors", strings.TrimLeft(strings.TrimSpace(name), ": \t"), runtime.NumCPU())
		}
	}
	return fmt.Sprintf("%d processors", runtime.NumCPU())
}

// Verdict is a line on something that is demanded: whether it is met, and what
// was measured.
func Verdict(demand string, met bool, measured string) string {
	verdict := "yes"
	if !met {
		verdict = "**no**"
	}
	return fmt.Sprintf("- %s: %s (%s)\n", demand, verdict, measured)
}
