package explore_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/programs"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

var update = flag.Bool("update", false, "write the golden files from what the tests get")

// updateEnv names the environment variable that makes golden tests write the reports
// instead of comparing them, if not empty. TestReportsAreGolden compares the report of
// every canary and classic with the one that someone last read. It has a plan of its own,
// independent of the default plan.
const updateEnv = "JACQUARD_UPDATE"

func TestReportsAreGolden(t *testing.T) {
	if *update {
		t.Setenv(updateEnv, "1") // for the controlled process
	}
	if !explore.Control(t) {
		return
	}
	for _, b := range slices.Concat(programs.Canaries(), programs.Odd(), bugs()) {
		if b.Verdict != explore.Violated {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			r := run(t, explore.Config{Name: b.Name, Seed: 1, MaxSteps: 3000, Plan: goldenPlan()}, b.Run)
			if r.Failure == nil || r.Failure.Kind != b.Kind {
				t.Fatalf("got %s, want %v", r.Summary(), b.Kind)
			}
			var text bytes.Buffer
			if err := timeline.Text(&text, normal(t, r.Failure.Timeline), timeline.Options{}); err != nil {
				t.Fatal(err)
			}
			if b.Name == "double-checked lock" && !strings.HasPrefix(runtime.Version(), "go1.26") {
				return // releases fill a map literal differently
			}
			golden(t, filepath.Join("testdata", "reports", fileName(b.Name)), text.String())
		})
	}
}

func goldenPlan() []explore.Stage {
	return []explore.Stage{{Strategy: explore.DepthFirst(2), Schedules: 2000}, {Strategy: explore.RandomWalk(), Schedules: 1000}}
}

func bugs() []programs.Program {
	var all []programs.Program
	for _, c := range programs.Classics() {
		all = append(all, c.Bug)
	}
	return all
}

func fileName(name string) string {
	return strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name), "_"), "_") + ".golden"
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv(updateEnv) != "" {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run with -update to write it)", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got\n%s\nwant\n%s", file, got, want)
	}
}

var (
	place   = regexp.MustCompile(`([\w./-]*\w\.go):(\d+)`)
	goroot  = regexp.MustCompile(`\b(sync|runtime|time|context|atomic|maps)/\w+\.(go|s)\b`)
	address = regexp.MustCompile(`0x[0-9a-f]{6,}`)
)

// normal returns a timeline without what differs between machines, Go releases and
// unrelated edits of a file. Line numbers become their order within the report, or vanish
// for the standard library.
func normal(t *testing.T, tl *timeline.Timeline) *timeline.Timeline {
	t.Helper()
	clone := *tl
	clone.Replay = "CARD"
	raw, err := json.Marshal(&clone)
	if err != nil {
		t.Fatal(err)
	}
	lines := make(map[string][]int)
	for _, m := range place.FindAllSubmatch(raw, -1) {
		n, _ := strconv.Atoi(string(m[2]))
		if file := string(m[1]); !slices.Contains(lines[file], n) {
			lines[file] = append(lines[file], n)
		}
	}
	for _, all := range lines {
		slices.Sort(all)
	}
	text := place.ReplaceAllStringFunc(string(raw), func(s string) string {
		m := place.FindStringSubmatch(s)
		if goroot.MatchString(m[1]) {
			return m[1] + ":0"
		}
		n, _ := strconv.Atoi(m[2])
		return fmt.Sprintf("%s:%d", m[1], 1+slices.Index(lines[m[1]], n))
	})
	text = strings.ReplaceAll(text, "_swiss.go", ".go") // the name before Go 1.26
	text = address.ReplaceAllString(text, "0xADDRESS")
	var out timeline.Timeline
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return &out
}
