package toolchain_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/toolchain"
)

func TestBuildOnlyWhatHasChanged(t *testing.T) {
	var said []string
	req := toolchain.Request{
		Dir: program(t, "before"), Cache: t.TempDir(),
		Progress: func(line string) { said = append(said, line) },
	}
	binary := mustBuild(t, req)
	if got := output(t, binary); got != "before" {
		t.Errorf("got %q, want before", got)
	}
	if len(said) != 1 || said[0] != "building . under control" {
		t.Errorf("progress: got %q", said)
	}
	first := stat(t, binary)

	if again := mustBuild(t, req); again != binary {
		t.Errorf("got %s, want %s", again, binary)
	}
	if !os.SameFile(first, stat(t, binary)) {
		t.Error("nothing has changed, but the binary is a new file")
	}

	if len(said) != 1 {
		t.Errorf("nothing has changed: got %q", said[1:])
	}

	left := filepath.Join(filepath.Dir(filepath.Dir(binary)), "work-left-by-a-killed-build")
	write(t, left, "file", "")
	longAgo := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(left, longAgo, longAgo); err != nil {
		t.Fatal(err)
	}
	write(t, req.Dir, "main.go", "package main\n\nfunc main() { println(\"after\") }\n")
	if again := mustBuild(t, req); again != binary {
		t.Errorf("got %s, want %s", again, binary)
	}
	if os.SameFile(first, stat(t, binary)) {
		t.Error("the source has changed, but the binary is the same file")
	}
	if got := output(t, binary); got != "after" {
		t.Errorf("got %q, want after", got)
	}
	onlyBinary(t, binary)
}

// The test binary is not linked again either.
func TestBuildTests(t *testing.T) {
	req := toolchain.Request{Dir: program(t, ""), Cache: t.TempDir(), Test: true}
	write(t, req.Dir, "main_test.go", "package main\n\nimport \"testing\"\n\nfunc TestIt(*testing.T) { main() }\n")
	binary := mustBuild(t, req)
	if got := output(t, binary, "-test.v"); !strings.Contains(got, "--- PASS: TestIt") {
		t.Errorf("got %q", got)
	}
	first := stat(t, binary)
	mustBuild(t, req)
	if !os.SameFile(first, stat(t, binary)) {
		t.Error("nothing has changed, but the binary is a new file")
	}
}

func TestBuildAtTheSameTime(t *testing.T) {
	req := toolchain.Request{Dir: program(t, "whole"), Cache: t.TempDir()}
	const builders = 4
	binaries := make([]string, builders)
	var wg sync.WaitGroup
	for i := range builders {
		wg.Go(func() {
			binary, err := toolchain.Build(t.Context(), req)
			if err != nil {
				t.Error(err)
				return
			}
			binaries[i] = binary
			if got := output(t, binary); got != "whole" {
				t.Errorf("got %q, want whole", got)
			}
		})
	}
	wg.Wait()
	for _, binary := range binaries[1:] {
		if binary != binaries[0] {
			t.Errorf("got %q and %q, want one", binary, binaries[0])
		}
	}
	onlyBinary(t, binaries[0])
}

// Tags come from three places, and builds with different tags give different
// binaries.
func TestBuildTags(t *testing.T) {
	dir := module(t, "example.com/tags", map[string]string{"main.go": "package main\n\nfunc main() {}\n"})
	for _, tag := range []string{"jacquard", "one", "two", "three"} {
		write(t, dir, tag+".go", "//go:build "+tag+"\n\npackage main\n\nfunc init() { print(\""+tag+" \") }\n")
	}
	cache := t.TempDir()
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -tags=one")
	binary := mustBuild(t, toolchain.Request{Dir: dir, Cache: cache, Tags: []string{"two,jacquard"}})
	if got := output(t, binary); got != "jacquard one two" {
		t.Errorf("got %q, want jacquard one two", got)
	}
	other := mustBuild(t, toolchain.Request{Dir: dir, Cache: cache, Tags: []string{"three"}})
	if got := output(t, other); got != "jacquard one three" || other == binary {
		t.Errorf("got %q from %s, want jacquard one three", got, other)
	}
}

// Coverage and JSON, which GOFLAGS may ask of go test, change nothing: the counters of coverage would
// be scheduling points.
func TestBuildIgnoresCoverageAndJSON(t *testing.T) {
	dir := module(t, "example.com/covered", map[string]string{"a.go": "package covered\n", "a_test.go": "package covered\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) { print(testing.CoverMode()) }\n"})
	req := toolchain.Request{Dir: dir, Cache: t.TempDir(), Test: true}
	binary := mustBuild(t, req)
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -cover -json")
	if other := mustBuild(t, req); other != binary {
		t.Errorf("got %s, want %s again", other, binary)
	}
	if got := output(t, binary); got != "PASS" {
		t.Errorf("got %q, want no coverage", got)
	}
}

const racy = `
import "sync"

func RaceIn%s() int {
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n++ })
	}
	wg.Wait()
	return n
}
`

// Only the harness's own packages are not instrumented: their external tests, and
// packages below them, are.
func TestBuildInstrumentation(t *testing.T) {
	source := func(pkg, name string) string {
		return "package " + pkg + "\n" + strings.Replace(racy, "%s", name, 1)
	}
	dir := module(t, "github.com/jacquard-go/jacquard", map[string]string{
		"explore/explore.go":           source("explore", "Explore"),
		"explore/below/below.go":       source("below", "Below"),
		"explorer/explorer.go":         source("explorer", "Explorer"),
		"internal/control/control.go":  source("control", "Control"),
		"internal/timeline/lines.go":   source("timeline", "Timeline"),
		"explore/outside_race_test.go": source("explore_test", "Test"),
		"explore/outside_test.go": `package explore_test

import (
	"testing"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/explore/below"
	"github.com/jacquard-go/jacquard/explorer"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

func TestRaces(*testing.T) {
	explore.RaceInExplore()
	control.RaceInControl()
	timeline.RaceInTimeline()
	below.RaceInBelow()
	explorer.RaceInExplorer()
	RaceInTest()
}
`,
	})
	// Earlier runs have filled the go command's cache, which must not influence the result.
	write(t, dir, "explore/new_test.go", "package explore_test\n\n// In "+dir+".\n")
	binary := mustBuild(t, toolchain.Request{Dir: dir, Package: "./explore", Test: true, Cache: t.TempDir()})
	raceDir := t.TempDir()
	text, err := controlled(binary, raceDir)
	if err == nil {
		t.Fatalf("package testing should have met races:\n%s", text)
	}
	races := reports(t, raceDir)
	for name, want := range map[string]bool{
		"Explore": false, "Control": false, "Timeline": false,
		"Below": true, "Explorer": true, "Test": true,
	} {
		if got := strings.Contains(races, ".RaceIn"+name+".func"); got != want {
			t.Errorf("%s: race reported: %t, want %t", name, got, want)
		}
	}
}

// The go command rejects an overlay below GOMODCACHE, where it stores downloaded
// toolchains.
func TestBuildWithDownloadedToolchain(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := t.TempDir()
	root := filepath.Join(modules, "toolchain")
	if err := os.Symlink(strings.TrimSpace(string(out)), root); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", modules)
	t.Setenv("GOROOT", root)
	t.Setenv("GOTOOLCHAIN", "local")
	req := toolchain.Request{Dir: program(t, "downloaded"), Cache: t.TempDir()}
	binary := mustBuild(t, req)
	if got := output(t, binary); got != "downloaded" {
		t.Errorf("got %q, want downloaded", got)
	}
	first := stat(t, binary)
	mustBuild(t, req)
	if !os.SameFile(first, stat(t, binary)) {
		t.Error("nothing has changed, but the binary is a new file")
	}
}

// JACQUARD_CACHE names the cache directory if the request does not.
func TestCacheFromEnvironment(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("JACQUARD_CACHE", cache)
	binary := mustBuild(t, toolchain.Request{Dir: program(t, "")})
	if rel, err := filepath.Rel(cache, binary); err != nil || !filepath.IsLocal(rel) {
		t.Errorf("got %s, want a path below %s", binary, cache)
	}
}

func stat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// onlyBinary checks that builds have left only this binary beside the overlay.
func onlyBinary(t *testing.T, binary string) {
	t.Helper()
	bin := filepath.Dir(binary)
	home := filepath.Dir(bin)
	text, err := os.ReadFile(filepath.Join(home, "overlay.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(list(t, home), list(t, bin)...) {
		known := []string{filepath.Base(bin), filepath.Base(binary), "locks", "inputs", "overlay.json"}
		if !slices.Contains(known, name) && !strings.Contains(string(text), name) {
			t.Errorf("left %s behind", name)
		}
	}
}

// list returns the names in a folder.
func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
