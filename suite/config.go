package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// ErrConfig is wrapped by the errors about an invalid Config.
var ErrConfig = errors.New("bad configuration")

// The defaults of a Config.
const (
	DefaultSchedules = 1000
	DefaultFurther   = 10_000
	DefaultMaxSteps  = 200_000
	DefaultStall     = 10 * time.Millisecond
	DefaultTotal     = 5 * time.Minute
	DefaultTimeout   = 10 * time.Minute
)

// A Config says which tests to run, and how. The zero value runs those of the package in the
// current directory.
type Config struct {
	// Dir is where the go command runs. Empty means the current directory.
	Dir string
	// Packages are patterns, as for the go command. None means the package in Dir.
	Packages []string
	// First are import paths of packages to run before all others, in this order, with four times
	// their share of Total.
	First []string
	// Tags are build tags.
	Tags []string
	// BuildFlags are further flags for the go command, such as -mod=mod.
	BuildFlags []string
	// Vet lists the checks that go vet makes before a package with tests is run, separated by
	// commas, or is build.VetAll or build.VetOff. Empty means those of go test.
	Vet string
	// NoRace builds without the race detector: see explore.Config.Races.
	NoRace bool
	// Run and Skip select the tests as go test's flags of the same name do.
	Run, Skip string
	// Shard is the part of the tests to run.
	Shard Shard
	// Short is the value of testing.Short.
	Short bool
	// Parallel is how many parallel tests run at the same time. 0 means 4, on
	// every machine.
	Parallel int
	// Shuffle and FullPath work like go test's flags of these names.
	Shuffle  string
	FullPath bool
	// Args are passed on to the test binary.
	Args []string

	// Plan says which strategies run how many schedules of a test. Nil means the explorer's
	// default.
	Plan []protocol.Stage
	// Schedules bounds the schedules of a test. 0 means DefaultSchedules, and up to DefaultFurther
	// more for a search that expects to be complete by then.
	Schedules, further int
	// Seed decides every random choice. 0 means 1.
	Seed uint64
	// MaxSteps is how many steps of a schedule are chosen one by one; after them goroutines take
	// turns of many operations each. 0 means DefaultMaxSteps.
	MaxSteps int
	// Stall bounds, in virtual time and over a whole schedule, how long runnable goroutines may be
	// delayed while timers fire. 0 means DefaultStall, a negative number no delay.
	Stall time.Duration
	// Leaks says when goroutines that never end make a test fail.
	Leaks protocol.Leaks
	// Total is how long all tests of all packages may take, in real time and without the builds:
	// first runs, exploring, and reducing failures. Each package gets a share of what the packages
	// before it have left, by its number of tests; those with few tests come first. 0 means
	// DefaultTotal, or no bound if there is a Budget.
	Total time.Duration
	// Budget is how long the tests of one package may take, counted like Total and divided among
	// them. Processes that still run then are killed, at most a second later. 0 means that only
	// Total and Timeout apply.
	Budget time.Duration
	// Timeout bounds all work on one package once it is built, in real time. 0 means
	// DefaultTimeout.
	Timeout time.Duration
	// Workers is how many processes run schedules at the same time. Each explores a test; if there
	// are fewer tests, several explore one, unless it makes system calls. It does not affect the
	// result of a test within its schedules, unless the test depends on what earlier schedules have
	// left in package variables. 0 means one for each processor.
	Workers int
	// FailFast runs nothing more of a package after its first failure.
	FailFast bool
	// Fresh ignores what earlier runs have explored.
	Fresh bool

	// Width bounds the columns of a report, with its margin. 0 means a default.
	Width int
	// Color makes reports use colours.
	Color bool
	// Brief makes the replay line of a failure name its test instead of the card, for users who
	// replay it on this machine. Verbose prints both.
	Brief bool
	// Verbose reports on each test; JSON prints like go test -json.
	Verbose, JSON bool
	// Cards is a folder for the cards of failures. Empty means that they are not kept there.
	Cards string
	// Covered prints what no schedule of a package's tests did: requirements that were not met, and
	// pairs of operations that came in one order only. CoveredHTML, if not empty, is a file for a
	// page with all of it, over the source. Either implies Fresh.
	Covered     bool
	CoveredHTML string
	// Known is a file of known failures, which do not fail the run. Ledger is a file to which the
	// results of this run are added. The schedules of both run before others. Empty means none. See
	// finding.Ledger.
	Known, Ledger string
	// Cache is the directory for builds and exploration state; see toolchain.Request.Cache.
	Cache string
	// Command is the name of this program in the lines that replay a failure. Empty means jacquard.
	Command string
	// Out gets what go test writes to its standard output, Errs the output of the compiler. Nil
	// discards it. One goroutine at a time writes to both.
	Out, Errs io.Writer
	// Found, if not nil, is called with a line about each failure as soon as it is found, before it
	// is reduced and tried again; not if JSON is set, because the JSON output has that line.
	// Several goroutines may call it at once.
	Found func(line string)
	// Done, if not nil, is called with the result of each package with tests.
	Done func(Outcome)
	// Progress, if not nil, is called with a line that says what is being done. Several goroutines
	// may call it at once.
	Progress func(line string)

	book      *book
	page      *coveredPage
	target    string // the card of the only failure to look for
	seek      *protocol.Sought
	build     build.Builder // nil means How.Toolchain
	knownTime time.Duration // 0 is the constant of that name
	silence   time.Duration // 0 is the constant of that name
	leaving   time.Duration // 0 is the constant of that name

	// over, if not nil, ends the package's time in place of Timeout.
	over context.Context
}

// bounded returns ctx with the package's time-out.
func (c Config) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.over == nil {
		return context.WithTimeoutCause(ctx, c.Timeout, errTimeout)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.over, func() { cancel(errTimeout) })
	return ctx, func() { stop(); cancel(nil) }
}

// how returns how packages are found and built.
func (c Config) how() build.How {
	return build.How{Dir: c.Dir, Tags: c.Tags, Flags: c.BuildFlags, Vet: c.Vet, NoRace: c.NoRace, Cache: c.Cache, Progress: c.Progress}
}

// GoFlags returns the flags of the go command for finding and building packages.
func (c Config) GoFlags() []string { return c.how().GoFlags() }

// check refuses invalid values.
func (c Config) check() error {
	for _, n := range []struct {
		name string
		got  any
		bad  bool
	}{
		{"Parallel", c.Parallel, c.Parallel < 0}, {"Schedules", c.Schedules, c.Schedules < 0}, {"MaxSteps", c.MaxSteps, c.MaxSteps < 0},
		{"Workers", c.Workers, c.Workers < 0}, {"Budget", c.Budget, c.Budget < 0}, {"Total", c.Total, c.Total < 0}, {"Timeout", c.Timeout, c.Timeout < 0},
	} {
		if n.bad {
			return fmt.Errorf("%w: %s: got %v, want at least 0", ErrConfig, n.name, n.got)
		}
	}
	if err := c.Shard.check(); err != nil {
		return err
	}
	if c.MaxSteps == 1 {
		return fmt.Errorf("%w: MaxSteps: got 1, want at least 2, or 0 for the default", ErrConfig)
	}
	for i, s := range c.Plan {
		if !slices.Contains(protocol.Strategies(), s.Strategy) {
			return fmt.Errorf("%w: Plan[%d]: got strategy %q, want one of %s", ErrConfig, i, s.Strategy, strings.Join(protocol.Strategies(), ", "))
		}
		if s.Schedules < 1 {
			return fmt.Errorf("%w: Plan[%d]: got %d schedules, want at least 1", ErrConfig, i, s.Schedules)
		}
	}
	if all := []protocol.Leaks{protocol.LeaksDiffer, protocol.LeaksFail, protocol.LeaksNote}; !slices.Contains(all, c.Leaks) {
		return fmt.Errorf("%w: Leaks: got %q, want one of %q", ErrConfig, c.Leaks, all)
	}
	return nil
}

// withDefaults fills in the defaults and refuses invalid values.
func (c Config) withDefaults() (Config, error) {
	if err := c.check(); err != nil {
		return c, err
	}
	if len(c.Packages) == 0 {
		c.Packages = []string{"."}
	}
	if c.Schedules == 0 {
		c.Schedules, c.further = DefaultSchedules, DefaultFurther
	}
	c.Fresh = c.Fresh || c.covers()
	if c.MaxSteps == 0 {
		c.MaxSteps = DefaultMaxSteps
	}
	if c.Stall == 0 {
		c.Stall = DefaultStall
	}
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Total == 0 && c.Budget == 0 {
		c.Total = DefaultTotal
	}
	if c.Workers == 0 {
		c.Workers = runtime.NumCPU()
	}
	if c.Command == "" {
		c.Command = "jacquard"
	}
	if c.Out == nil {
		c.Out = io.Discard
	}
	if c.Errs == nil {
		c.Errs = io.Discard
	}
	if c.Found == nil {
		c.Found = func(string) {}
	}
	if c.Progress == nil {
		c.Progress = func(string) {}
	}
	if c.knownTime == 0 {
		c.knownTime = knownTime
	}
	if c.silence == 0 {
		c.silence = silence
	}
	if c.leaving == 0 {
		c.leaving = leaving
	}
	if c.build == nil {
		c.build = c.how().Toolchain
	}
	return c, nil
}
