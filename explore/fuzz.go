package explore

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/executable"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// programEnv names the variable with the program of the card to replay, in hexadecimal digits.
const programEnv = "JACQUARD_PROGRAM"

// Fuzz explores body as a fuzz target whose input is the schedule: two bytes for each
// decision that is not the default one, namely how many decisions precede it and which
// choice it makes. So go test -fuzz looks for schedules by the coverage that they
// reach, and go test runs the default schedule, some seeds, and the schedules under
// testdata/fuzz, where failing ones are stored. An empty input is the default schedule,
// and every input is a valid schedule.
//
// Call it instead of f.Fuzz, in a fuzz function of its own:
//
//	func FuzzTransfer(f *testing.F) {
//		explore.Fuzz(f, explore.Config{}, func(t *explore.T) { … })
//	}
//
// Besides branches, an input covers the orders in which conflicting operations met:
// each pair of places in the code, one executed right after the other on the same
// object, counts as a branch.
//
// cfg.Plan is not used. Like [Test], Fuzz builds the package once under control and
// fuzzes there; unlike Test it fails where control is impossible. A failure is reported
// with its card, and JACQUARD_CARD replays it. While fuzzing, failures are not
// minimised: the go command shortens the input.
func Fuzz(f *testing.F, cfg Config, body func(*T)) {
	f.Helper()
	z := newFuzzTarget(f, FuzzConfig{Config: cfg})
	switch {
	case !z.here():
	case modeOf(f) == modeCard:
		replayOne(f, z.Config, os.Getenv(cardEnv), body)
	default:
		for _, schedule := range schedules {
			f.Add(schedule)
		}
		f.Fuzz(func(t *testing.T, schedule []byte) { z.run(t, schedule, z.Config, body) })
		return
	}
	f.Fuzz(func(*testing.T, []byte) {}) // the controlled process has run the inputs
}

// schedules are the seed corpus of every target.
var schedules = [][]byte{{}, {0, 1}, {1, 1}, {2, 1, 1, 1}, {0, 2, 3, 1, 1, 1}}

// A FuzzConfig says how [FuzzProgram] fuzzes.
type FuzzConfig struct {
	Config
	// Programs are seeds in addition to the empty program.
	Programs [][]byte
	// Judge, if not nil, receives the result of each input and decides whether the test
	// fails. Nil means to [Report] every result that does not hold.
	Judge func(t *testing.T, r *Result)
}

// FuzzProgram is [Fuzz] for inputs that consist of a program and a schedule: what body
// is to do, in an encoding that body defines, and the order in which it is done. The go
// command mutates both, and shortens both when they fail. body must accept any bytes as
// a program.
func FuzzProgram(f *testing.F, cfg FuzzConfig, body func(t *T, program []byte)) {
	f.Helper()
	z := newFuzzTarget(f, cfg)
	switch {
	case !z.here():
	case modeOf(f) == modeCard:
		program, err := hex.DecodeString(os.Getenv(programEnv))
		if err != nil {
			f.Fatalf("explore: %s: %v", programEnv, err)
		}
		replayOne(f, z.of(program), os.Getenv(cardEnv), func(t *T) { body(t, program) })
	default:
		for _, program := range append([][]byte{{}}, cfg.Programs...) {
			for _, schedule := range schedules {
				f.Add(program, schedule)
			}
		}
		f.Fuzz(func(t *testing.T, program, schedule []byte) {
			z.run(t, schedule, z.of(program), func(t *T) { body(t, program) })
		})
		return
	}
	f.Fuzz(func(*testing.T, []byte, []byte) {})
}

// A fuzzTarget holds the state that all inputs of one target share.
type fuzzTarget struct {
	FuzzConfig
	f       *testing.F
	session search.Session
	warm    bool // this process has found executions to be repeatable
	tally   tally
}

func newFuzzTarget(f *testing.F, cfg FuzzConfig) *fuzzTarget {
	f.Helper()
	if cfg.Name == "" {
		cfg.Name = f.Name()
	}
	if cfg.Replayed == "" {
		cfg.Replayed = fmt.Sprintf("%s%s=%%s go test -run '%s' .", raceSetting(), cardEnv, workers.RunPattern(f.Name()))
	}
	if cfg.Judge == nil {
		cfg.Judge = func(t *testing.T, r *Result) {
			if r.Verdict != verdict.Holds {
				Report(t, r)
			}
		}
	}
	cfg.Workers = 1 // the go command starts the processes
	if fuzzing(f.Name()) {
		cfg.Minimise = -1
	}
	return &fuzzTarget{FuzzConfig: cfg, f: f}
}

// here reports whether this process is to run inputs. If it is not under control, here
// has run them in a process that is.
func (z *fuzzTarget) here() bool {
	z.f.Helper()
	switch {
	case !search.Controlled() && hosted(z.f): // jacquard test runs the test again without control
	case search.Controlled():
		confirm(z.f)
		if err := z.tally.open(z.f.Name()); err != nil {
			z.f.Fatal(err)
		}
		z.f.Cleanup(func() {
			if err := z.tally.close(); err != nil {
				z.f.Error(err)
			}
		})
		return true
	case fuzzing(z.f.Name()):
		fuzzControlled(z.f)
	default:
		if err := rerun(z.f); err != nil {
			z.f.Fatal(err)
		}
	}
	return false
}

// of returns the configuration for a program.
func (z *fuzzTarget) of(program []byte) Config {
	cfg := z.Config
	cfg.Replayed = fmt.Sprintf("%s=%x %s", programEnv, program, cfg.Replayed)
	return cfg
}

// run runs an input.
func (z *fuzzTarget) run(t *testing.T, schedule []byte, cfg Config, body func(*T)) {
	t.Helper()
	r, err := z.explore(t, z.warm, schedule, cfg, body)
	if err == nil && z.warm && r.Verdict == verdict.Unknown { // the execution may have met first-use effects of the process
		r, err = z.explore(t, false, schedule, cfg, body)
	}
	if err != nil {
		t.Fatal(err)
	}
	z.warm = true
	z.Judge(t, r)
}

// explore runs body under the one schedule of the input.
func (z *fuzzTarget) explore(t *testing.T, warm bool, schedule []byte, cfg Config, body func(*T)) (*Result, error) {
	r, sums, err := z.session.Run(t.Context(), warm, &tape{input: schedule}, search.Config(cfg), body)
	if err == nil {
		err = z.tally.add(sums)
	}
	return r, err
}

// fuzzing reports whether this process was started to fuzz the target of that name.
func fuzzing(name string) bool {
	fl := flag.Lookup("test.fuzz")
	if fl == nil || fl.Value.String() == "" {
		return false
	}
	pattern, err := regexp.Compile(fl.Value.String())
	return err == nil && pattern.MatchString(name)
}

// fuzzControlled fuzzes in a controlled build of the package, with this process's flags.
func fuzzControlled(f *testing.F) {
	norace, err := withoutRace()
	if err != nil {
		f.Fatal(err)
	}
	pattern := workers.RunPattern(f.Name())
	binary, err := toolchain.Build(f.Context(), toolchain.Request{Dir: packageDir, Package: ".", Test: true, Fuzz: true, NoRace: norace == 1, Tags: ownTags()})
	if err != nil {
		f.Fatalf("explore: %v", err)
	}
	folders, err := toolchain.Folders(f.Context(), packageDir)
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
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = packageDir, append(executable.Env(os.Environ(), dir), executable.FoldersVar+"="+folders)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	p, err := child.Start(f.Context(), cmd, child.Options{Kin: true})
	if err != nil {
		f.Fatalf("explore: %v", err)
	}
	if how := p.Wait(); !how.OK() {
		f.Fatalf("under control, see above: %v", how)
	}
	f.Skip("fuzzed under control, see above")
}

// fuzzCache returns the folder for inputs that reach new coverage.
func fuzzCache(otherwise string) string {
	if fl := flag.Lookup("test.fuzzcachedir"); fl != nil && fl.Value.String() != "" {
		return filepath.Join(fl.Value.String(), "jacquard")
	}
	return otherwise
}

// A tape is the strategy that runs the single schedule of an input.
type tape struct {
	input []byte
	seed  uint64
	left  []byte // unread rest of input
	gap   int    // decisions before the next deviation; -1 if not read yet
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

func (s *tape) End(run schedule.Trace) { leaveFootprint(run.Steps) }

// Pick takes the default choice until the next deviation.
func (s *tape) Pick(p *schedule.Point) schedule.Choice {
	if s.gap < 0 && len(s.left) >= 2 {
		s.gap = gapOf(s.left[0])
	}
	if s.gap != 0 {
		if s.gap > 0 {
			s.gap--
		}
		return schedule.Choice{Index: p.Default()}
	}
	by := int(s.left[1])
	s.left, s.gap = s.left[2:], -1
	n := len(p.Runnable)
	return schedule.Choice{Index: (p.Default() + by%n) % n, Case: uint32(by / n)}
}

// gapOf decodes a byte to a number of decisions. Most bytes stand for few, because
// executions of fuzzed bodies are short.
func gapOf(b byte) int {
	if b < 192 {
		return int(b) % 32
	}
	return 32 + int(b-192)*8
}
