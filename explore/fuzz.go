//go:build !jacquard_guest

package explore

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/toolchain"
)

// Fuzz explores body as a fuzz target, whose input is the schedule: two bytes
// for each decision that is not the default one, how many decisions lie before it
// and what it is. So go test -fuzz looks for schedules by the coverage that they
// reach, and go test runs the default schedule, some seeds, and the schedules
// under testdata/fuzz, where a failing one is stored. An empty input is the
// default schedule, and every input is some schedule.
//
// It stands for f.Fuzz, in a function of its own:
//
//	func FuzzTransfer(f *testing.F) {
//		explore.Fuzz(f, explore.Config{}, func(t *explore.T) { … })
//	}
//
// cfg.Plan is not used. As [Test] does, it builds the package once under control
// and fuzzes there; unlike Test it fails where control is impossible. A failure is
// reported with its card, and JACQUARD_CARD replays it.
func Fuzz(f *testing.F, cfg Config, body func(*T)) {
	f.Helper()
	if cfg.Name == "" {
		cfg.Name = f.Name()
	}
	if cfg.Replayed == "" {
		cfg.Replayed = fmt.Sprintf("%s%s=%%s go test -run '%s' .", raceSetting(), cardEnv, runPattern(f.Name()))
	}
	switch {
	case !Controlled() && fuzzing(f.Name()):
		fuzzControlled(f)
	case !Controlled():
		if err := rerun(f); err != nil {
			f.Fatal(err)
		}
		f.Fuzz(func(*testing.T, []byte) {}) // they have been run where it counts
	default:
		confirm(f)
		fuzz(f, cfg, body)
	}
}

// fuzz is Fuzz under control.
func fuzz(f *testing.F, cfg Config, body func(*T)) {
	if c := os.Getenv(cardEnv); c != "" {
		replayOne(f, cfg, c, body)
		f.Fuzz(func(*testing.T, []byte) {})
		return
	}
	for _, schedule := range [][]byte{{}, {0, 1}, {1, 1}, {2, 1, 1, 1}, {0, 2, 3, 1, 1, 1}} {
		f.Add(schedule)
	}
	f.Fuzz(func(t *testing.T, schedule []byte) {
		cfg := cfg
		cfg.Plan = []Stage{{Strategy: &tape{input: schedule}, Schedules: 1}}
		r, err := Run(t.Context(), cfg, body)
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != Holds {
			Report(t, r)
		}
	})
}

// fuzzing reports whether this process has been told to fuzz the target of that
// name.
func fuzzing(name string) bool {
	fl := flag.Lookup("test.fuzz")
	if fl == nil || fl.Value.String() == "" {
		return false
	}
	pattern, err := regexp.Compile(fl.Value.String())
	return err == nil && pattern.MatchString(name)
}

// fuzzControlled fuzzes in a controlled build of the package, with the flags of
// this process.
func fuzzControlled(f *testing.F) {
	norace, err := withoutRace()
	if err != nil {
		f.Fatal(err)
	}
	pattern := runPattern(f.Name())
	binary, err := toolchain.Build(f.Context(), toolchain.Request{Package: ".", Test: true, Fuzz: pattern, NoRace: norace == 1, Tags: ownTags()})
	if err != nil {
		f.Fatalf("explore: %v", err)
	}
	dir := f.TempDir()
	args := []string{
		"-test.run=" + pattern, "-test.fuzz=" + pattern, "-test.fuzzcachedir=" + fuzzCache(dir),
		fmt.Sprintf("-test.parallel=%d", runtime.GOMAXPROCS(0)),
	}
	for _, name := range []string{"test.fuzztime", "test.fuzzminimizetime", "test.timeout", "test.v"} {
		if fl := flag.Lookup(name); fl != nil {
			args = append(args, "-"+name+"="+fl.Value.String())
		}
	}
	cmd := exec.CommandContext(f.Context(), binary, args...)
	cmd.Env = executable.Env(os.Environ(), dir)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		f.Fatalf("under control, see above: %v", err)
	case err != nil:
		f.Fatalf("explore: %v", err)
	}
	f.Skip("fuzzed under control, see above")
}

// fuzzCache is where the inputs are kept that reach something new.
func fuzzCache(otherwise string) string {
	if fl := flag.Lookup("test.fuzzcachedir"); fl != nil && fl.Value.String() != "" {
		return filepath.Join(fl.Value.String(), "jacquard")
	}
	return otherwise
}

// A tape is the strategy that runs the one schedule of an input.
type tape struct {
	input []byte
	seed  uint64
	left  []byte // of the input
	gap   int    // decisions before the next deviation; -1 if it is not known
	ran   bool
}

func (s *tape) Name() string { return "fuzz" }

func (s *tape) Reset(seed uint64) { s.seed, s.ran = seed, false }

func (s *tape) Begin() (uint64, bool) {
	if s.ran {
		return 0, false
	}
	s.ran, s.left, s.gap = true, s.input, -1
	return s.seed, true
}

func (s *tape) End(Trace) {}

// Pick takes the default choice until the next deviation.
func (s *tape) Pick(p *Point) Choice {
	if s.gap < 0 && len(s.left) >= 2 {
		s.gap = int(s.left[0])
	}
	if s.gap != 0 {
		if s.gap > 0 {
			s.gap--
		}
		return Choice{Index: p.Default()}
	}
	by := int(s.left[1])
	s.left, s.gap = s.left[2:], -1
	n := len(p.Runnable)
	return Choice{Index: (p.Default() + by%n) % n, Case: uint32(by / n)}
}
