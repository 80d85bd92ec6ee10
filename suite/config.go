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

// ErrConfig is wrapped by the errors about a Config that cannot be used.
var ErrConfig = errors.New("bad configuration")

// The defaults of a Config.
const (
	DefaultSchedules = 1000
	DefaultMaxSteps  = 200_000
	DefaultStall     = 10 * time.Millisecond
	DefaultTotal     = 5 * time.Minute
	DefaultTimeout   = 10 * time.Minute
)

// A Config says which tests to run, and how. The zero value runs those of the
// package in the current directory.
type Config struct {
	// Dir is where the go command runs. Empty is the current directory.
	Dir string
	// Packages are patterns, as the go command takes them. None is the package
	// in Dir.
	Packages []string
	// First are import paths of packages that are run before all others, in this order,
	// and have four times their share of Total.
	First []string
	// Tags are build tags.
	Tags []string
	// BuildFlags are further flags for the go command, such as -mod=mod.
	BuildFlags []string
	// Vet is which checks go vet makes before a package with tests is run, with
	// commas, or build.VetAll or build.VetOff. Empty is those of go test.
	Vet string
	// NoRace builds without the race detector: see explore.Config.Races.
	NoRace bool
	// Run and Skip choose the tests as go test's flags of the same name do.
	Run, Skip string
	// Shard is the part of the tests to run.
	Shard Shard
	// Short is for testing.Short.
	Short bool
	// Parallel is how many parallel tests run at the same time. 0 means 4, on
	// every machine.
	Parallel int
	// Shuffle and FullPath are as go test's flags of these names.
	Shuffle  string
	FullPath bool
	// Args go to the test binary as they are.
	Args []string

	// Plan is which strategies run how many schedules of a test. Nil is the
	// explorer's own.
	Plan []protocol.Stage
	// Schedules is at most how many schedules there are for a test. 0 means
	// DefaultSchedules.
	Schedules int
	// Seed decides every random choice. 0 means 1.
	Seed uint64
	// MaxSteps is how many steps of a schedule are chosen one by one; what comes
	// after them is done in turns of many operations. 0 means DefaultMaxSteps.
	MaxSteps int
	// Stall is for how long, in virtual time and in all, goroutines that could run may
	// be held up while timers fire. 0 means DefaultStall, a negative number not at all.
	Stall time.Duration
	// Leaks says when goroutines that never end make a test fail.
	Leaks protocol.Leaks
	// Total is how long all tests of all packages may take, in real time and without
	// the builds: the first run of each test, exploring, reducing what is found. Each
	// package gets, of what those before it have left, a share by how many tests it
	// has; those with few come first. 0 means DefaultTotal, or no bound if there is a
	// Budget.
	Total time.Duration
	// Budget is how long the tests of one package may take, likewise. It is divided
	// among them. What still runs then is killed; the most that it takes longer is a
	// second. 0 means that only Total and Timeout count.
	Budget time.Duration
	// Timeout bounds everything that is done with one package once it is built,
	// in real time. 0 means DefaultTimeout.
	Timeout time.Duration
	// Workers is how many processes run schedules at the same time. Each explores a
	// test; where there are fewer tests, several explore one, unless it makes system
	// calls. What comes of a test within its schedules does not depend on it, unless
	// the test depends on what earlier schedules have left in package variables. 0
	// means one for each processor.
	Workers int
	// FailFast runs nothing more of a package after its first failure.
	FailFast bool
	// Fresh forgets what earlier runs have explored.
	Fresh bool

	// Width is the columns of a report, at most, with its margin. 0 is a default.
	Width int
	// Color has reports in colours.
	Color bool
	// Brief says that the line that replays a failure names its test, and not the card:
	// it is for those who replay it on this machine. Verbose has both.
	Brief bool
	// Verbose tells of each test, JSON as go test -json does.
	Verbose, JSON bool
	// Cards is a folder in which to keep the cards of failures. Empty keeps
	// none.
	Cards string
	// Covered prints what no schedule of a package's tests did: requirements that were not
	// met, and pairs of operations that came in one order only. CoveredHTML, if not empty,
	// is a file for a page with all of it, over the source. Either explores all tests anew.
	Covered     bool
	CoveredHTML string
	// Known is a file with failures that are known, and make nothing fail; Ledger is one to
	// which is added what comes of this run. Their schedules are run before others. Empty is
	// none. See finding.Ledger.
	Known, Ledger string
	// Cache is the directory for builds and for what was explored; see
	// toolchain.Request.Cache.
	Cache string
	// Command is how this program is called, in the lines that replay a
	// failure. Empty is jacquard.
	Command string
	// Out gets what go test writes to its standard output, Errs what the
	// compiler says. Nil discards it. Both are written by one goroutine at a
	// time.
	Out, Errs io.Writer
	// Found, if not nil, is called with a line about each failure as soon as there is
	// one, before it is reduced and tried again; not if JSON is set, which tells of it
	// there. It may be called by several goroutines at once.
	Found func(line string)
	// Done, if not nil, is called with what has come of each package with tests.
	Done func(Outcome)
	// Progress, if not nil, is called with a line that says what is being done.
	// It may be called by several goroutines at once.
	Progress func(line string)

	book      *book
	page      *coveredPage
	target    string // the card of the only failure that is looked for
	seek      *protocol.Sought
	build     build.Builder // nil is the toolchain's
	knownTime time.Duration // 0 is the constant of that name
	silence   time.Duration // likewise
	leaving   time.Duration // likewise

	// over, if not nil, ends when the package's time is over, instead of after Timeout.
	over context.Context
}

// bounded is ctx until the package's time is over.
func (c Config) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.over == nil {
		return context.WithTimeoutCause(ctx, c.Timeout, errTimeout)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.over, func() { cancel(errTimeout) })
	return ctx, func() { stop(); cancel(nil) }
}

// how is how packages are found and built.
func (c Config) how() build.How {
	return build.How{Dir: c.Dir, Tags: c.Tags, Flags: c.BuildFlags, Vet: c.Vet, NoRace: c.NoRace, Cache: c.Cache, Progress: c.Progress}
}

// GoFlags are the flags of the go command by which a package is found and built.
func (c Config) GoFlags() []string { return c.how().GoFlags() }

// check refuses what makes no sense.
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

// withDefaults fills in what is not set and refuses what makes no sense.
func (c Config) withDefaults() (Config, error) {
	if err := c.check(); err != nil {
		return c, err
	}
	if len(c.Packages) == 0 {
		c.Packages = []string{"."}
	}
	if c.Schedules == 0 {
		c.Schedules = DefaultSchedules
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
