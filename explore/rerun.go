package explore

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/overlay"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// ErrNoControl means that control is impossible on this machine; the wrapping error says why.
var ErrNoControl = errors.New("explore: not under control")

// raceEnv names the variable that says whether tests rebuild themselves with the race
// detector: 1 (the default) or 0.
const raceEnv = "JACQUARD_RACE"

// withoutRace returns 1 if the variable disables the race detector, else 0.
func withoutRace() (int, error) {
	switch v := os.Getenv(raceEnv); v {
	case "", "1":
		return 0, nil
	case "0":
		return 1, nil
	default:
		return 0, fmt.Errorf("explore: %s: got %q, want 1 or 0", raceEnv, v)
	}
}

// raceSetting is the prefix of a command that must run a build like this process.
func raceSetting() string {
	if search.Controlled() && !control.Detector() {
		return raceEnv + "=0 "
	}
	return ""
}

// Control reports whether the calling test runs under control. If it does not, Control
// builds the test's package with the overlay, runs the test of the same name there,
// reports that run's result as tb's own, and returns false: the caller must then
// return. Where control is impossible the test fails with the reason; use [Test] for
// bodies that can be sampled without control.
func Control(tb testing.TB) bool {
	tb.Helper()
	switch modeOf(tb) {
	case modeHosted:
		return false
	case modePlain:
		if err := rerun(tb); err != nil {
			tb.Fatal(err)
		}
		return false
	}
	confirm(tb)
	return true
}

// reruns records the tests that this process has run under control, because one
// controlled run covers every call in the same test. With -count a test has another
// testing.TB each time, and is run again.
var reruns struct {
	sync.Mutex
	binary [2]func() (string, error) // with the race detector and without
	done   map[testing.TB]bool
}

// rerun runs tb's test in a controlled build of its package.
func rerun(tb testing.TB) error {
	tb.Helper()
	reruns.Lock()
	defer reruns.Unlock()
	if reruns.done[tb] {
		return nil
	}
	norace, err := withoutRace()
	if err != nil {
		return err
	}
	build := &reruns.binary[norace]
	if *build == nil {
		*build = sync.OnceValues(func() (string, error) { return buildSelf(tb, norace == 1) })
	}
	binary, err := (*build)()
	if err != nil {
		return err
	}
	if err := runControlled(tb, binary); err != nil {
		return err
	}
	if reruns.done == nil {
		reruns.done = make(map[testing.TB]bool)
	}
	reruns.done[tb] = true
	return nil
}

// buildSelf builds the package under test. The go command runs tests in their
// package's directory, and a test binary knows its build tags.
func buildSelf(tb testing.TB, norace bool) (string, error) {
	if !testing.Testing() {
		return "", fmt.Errorf("%w: only a test can rebuild itself", ErrNoControl)
	}
	binary, err := toolchain.Build(tb.Context(), toolchain.Request{Dir: packageDir, Package: ".", Test: true, NoRace: norace, Tags: ownTags()})
	switch {
	case errors.Is(err, toolchain.ErrNoCompiler):
		return "", fmt.Errorf("%w: %w; %s=0 does without", ErrNoControl, err, raceEnv)
	case errors.Is(err, overlay.ErrUnsupported), errors.Is(err, toolchain.ErrNoGo), errors.Is(err, toolchain.ErrNoModules):
		return "", fmt.Errorf("%w: %w", ErrNoControl, err)
	case err != nil:
		return "", fmt.Errorf("explore: building the tests under control: %w", err)
	}
	return binary, nil
}

// ownTags are the build tags that this binary was built with.
func ownTags() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, s := range info.Settings {
		if s.Key == "-tags" && s.Value != "" {
			return strings.Split(s.Value, ",")
		}
	}
	return nil
}

// mostOutput bounds how much of a controlled run's output is kept, in bytes.
const mostOutput = 64 << 20

func runControlled(tb testing.TB, binary string) error {
	tb.Helper()
	dir := tb.TempDir()
	confirmed := filepath.Join(dir, "confirmed")
	cmd := exec.Command(binary, "-test.run="+workers.RunPattern(tb.Name()), "-test.v", fmt.Sprint("-test.short=", testing.Short()), "-test.timeout="+timeLeft(tb).String())
	cmd.Dir = packageDir
	folders, err := toolchain.Folders(tb.Context(), packageDir)
	if err != nil {
		return fmt.Errorf("explore: the controlled run: %w", err)
	}
	cmd.Env = append(executable.Env(os.Environ(), dir), workers.ConfirmEnv+"="+confirmed, executable.FoldersVar+"="+folders)
	if os.Getenv(workers.WorkersEnv) == "" {
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", workers.WorkersEnv, runtime.GOMAXPROCS(0)))
	}
	p, err := child.Start(tb.Context(), cmd, child.Options{Kin: true, Output: true, Words: &child.Words{Limit: mostOutput}})
	if err != nil {
		return fmt.Errorf("explore: the controlled run: %w", err)
	}
	how := p.Wait()
	text := tidy(how.Words)
	ran, _ := os.ReadFile(confirmed)
	switch {
	case !how.OK():
		tb.Errorf("under control:\n%s", text)
	case !strings.Contains("\n"+string(ran), "\n"+tb.Name()+"\n"):
		return fmt.Errorf("explore: the controlled run passed but never reached %s:\n%s", tb.Name(), text)
	default:
		tb.Logf("under control:\n%s", text)
	}
	return nil
}

// timeLeft returns how long the controlled run may take.
func timeLeft(tb testing.TB) time.Duration {
	if t, ok := tb.(*testing.T); ok {
		if deadline, ok := t.Deadline(); ok {
			return max(time.Until(deadline)-time.Second, time.Second)
		}
	}
	return 10 * time.Minute
}

// tidy drops lines that go test adds and that carry no information here.
func tidy(out string) string {
	var kept []string
	for _, line := range strings.Split(strings.TrimRight(out, "\n"), "\n") {
		if strings.HasPrefix(line, "=== ") || line == "PASS" || line == "FAIL" {
			continue
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}
