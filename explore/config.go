package explore

import (
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"slices"
	"time"
)

// A RacePolicy says what a data race in the body means.
type RacePolicy int

const (
	// RacesFail: a data race is a violation. The default.
	RacesFail RacePolicy = iota
	// RacesNote: data races are listed in [Result].Noted, their accesses
	// become scheduling points, and the exploration goes on to see what they
	// lead to.
	RacesNote
)

// A LeakPolicy says what a goroutine means that outlives the body.
type LeakPolicy int

const (
	// LeaksFail: a goroutine that can never end is a violation. The default.
	LeaksFail LeakPolicy = iota
	// LeaksIgnore: it is none.
	LeaksIgnore
	// LeaksDiffer: it is a violation if a goroutine of its kind, started by the
	// same function and waiting in the same one, is left by some schedules and
	// not by others, and goroutines that live by timers do not count.
	LeaksDiffer
	// LeaksStuck: it is a violation if nobody can ever go on again. As long as
	// one goroutine sleeps again and again or lives by a ticker, it might yet
	// wake the others. Goroutines that wait for one another's locks can never
	// go on whoever lives, and are a violation in any case.
	LeaksStuck
)

// Config says how to explore. The zero value is a good default.
type Config struct {
	// Seed decides every random choice. 0 means 1; it is printed with every
	// result.
	Seed uint64
	// Plan is what is tried, in order, until a schedule fails or all
	// executions that differ have been run. Nil means [DefaultPlan].
	Plan []Stage
	// Schedules bounds those of all stages together: what a stage leaves of its
	// share, those after it may use. 0 means that each has a bound of its own only.
	Schedules int
	// MaxSteps bounds one execution, in scheduling decisions. From half of it
	// on the schedule is fair; an execution that reaches it is a livelock.
	// 0 means 100,000.
	MaxSteps int
	// Patient says that an execution may go on for long though it asks again and
	// again whether it is to end: to do so is then no waiting as long as the
	// goroutine's own variables change, so that no clock is moved on for it, and
	// what would be a livelock is Unknown. Nor does it count towards MaxSteps what
	// a goroutine does for long while no other can run. And an execution that
	// reaches MaxSteps goes on: its goroutines take turns of many operations each,
	// always the same way, and Result.Coarse says so.
	Patient bool
	// Races says what data races mean. In a process that was built without the
	// race detector none are seen, whatever it says: the result has
	// RacesUnchecked set, and plain memory accesses are no scheduling points.
	Races RacePolicy
	// Leaks says what goroutines mean that never end.
	Leaks LeakPolicy
	// IgnoreLeaks are the goroutines that may outlive the body all the same.
	IgnoreLeaks []LeakFilter
	// Trust names packages, by import path or as a path followed by "/...",
	// whose inner synchronisation is not worth exploring: operations that
	// they perform are no scheduling points, though their goroutines are
	// controlled and may block. A call into them is one point; goroutines
	// that they start run whenever they can. Utilities of the standard library such as fmt
	// and reflect are always trusted.
	Trust []string
	// Stall is how long, in real time, one step may take, system calls
	// included, before the exploration is given up. Time in which the machine, or
	// this process, stands still counts little. 0 means 20 s.
	Stall time.Duration
	// Minimise bounds the executions spent on reducing a failing schedule.
	// 0 means 600; a negative number leaves it as it was found.
	// For each 1,000 steps of the failing schedule one counts for one more.
	Minimise int
	// Name tells bodies apart: a card replays only under the name it was made
	// with. [Test] sets it to the test's name.
	Name string
	// Replayed is the line shown for replaying a card; "%s" stands for the
	// card. [Test] sets it.
	Replayed string
	// Cards is the folder in which [Test] keeps the cards of failures, and from
	// which it runs them. A path that is not absolute is one below the folder
	// of the test's package. "" means testdata/jacquard there, [NoCards] none at
	// all. The variable JACQUARD_CARDS, if it is set, says so for all tests.
	Cards string
	// Enough, if not nil, is asked after every schedule, with what is known so
	// far, whether that is enough: then no other is begun, and the result is that
	// of those that were run. It runs on the exploring goroutine.
	Enough func(sofar Result) bool
	// Bookmark, if not nil, is the [Result].Bookmark of an exploration of the same
	// program, by the same Config, that Enough has ended: this one goes on from
	// there, and comes to what that one would have come to. Where the schedule
	// without preemptions takes another course than it did then, it begins anew.
	// [Run] returns ErrConfig for the bookmark of another program or Config.
	Bookmark []byte
	// Residents says that goroutines which the first execution leaves waiting are
	// the program's and not the body's, such as a worker that was started when it
	// was first needed: they take part in all later executions.
	Residents bool
	// Runner is the import path of the package to whose functions the body leaves
	// its work, such as testing if it runs a test: reports leave out its
	// functions, what it does by itself, and the goroutine of the body unless the
	// body has [T.Named] it.
	Runner string
	// Prepare, if not nil, is called before every execution, those of
	// minimisation and replay included, to put back what the body changes outside
	// of itself. It runs on the exploring goroutine.
	Prepare func()
	// Progress, if not nil, is called after every execution with the number
	// of executions so far. It runs on the exploring goroutine.
	Progress func(schedules int)
	// Workers is how many processes run schedules at the same time, this one
	// included. The result does not depend on it. An exploration that is over in
	// half a second has none besides this one, nor have strategies that choose
	// their schedules one after the other. What a test does before it explores,
	// each of the other processes does too; what it does after, they do not. 0
	// means what the variable JACQUARD_WORKERS says, or else one for each
	// processor.
	Workers int
	// Worker returns a command that starts another process of this program
	// which begins by calling [Run] with the same Config and body. It is called
	// once for each worker, and once more for each time that it returns nil,
	// which says that there is to be none for the time being; the process gets two
	// more file descriptors, and is killed in the end. It runs on the exploring
	// goroutine. Nil means that a test's process starts its own test once more,
	// and that other programs have no workers.
	Worker func() *exec.Cmd
	// Exclusive says that an execution which makes system calls, other than to
	// write to its standard output and error, must not meet another one: what it
	// uses, such as files and ports, may be the same for all processes. An
	// exploration that has met one has no workers from then on.
	Exclusive bool
	// Logger is told of workers that are of no use. Nil means [slog.Default].
	Logger *slog.Logger

	crew crewOptions
}

// crewOptions are for tests of workers.
type crewOptions struct {
	eager   bool          // start them at once, and wait until they are ready
	started func(pid int) // called for each
	helped  func(n int)   // called in the end with the number of schedules that they ran
}

// A Stage is one strategy and how many schedules it may run.
type Stage struct {
	Strategy  Strategy
	Schedules int // at most; must be positive
}

// ErrConfig is wrapped by the errors about a Config that cannot be used.
var ErrConfig = errors.New("explore: bad configuration")

func (c Config) withDefaults() (Config, error) {
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.MaxSteps == 0 {
		c.MaxSteps = 100_000
	}
	if c.Minimise == 0 {
		c.Minimise = 600
	}
	if c.Stall == 0 {
		c.Stall = 20 * time.Second
	}
	if c.Plan == nil {
		c.Plan = DefaultPlan()
	}
	if c.Schedules < 0 {
		return c, fmt.Errorf("%w: Schedules: got %d, want at least 0", ErrConfig, c.Schedules)
	}
	if c.MaxSteps < 2 {
		return c, fmt.Errorf("%w: MaxSteps: got %d, want at least 2", ErrConfig, c.MaxSteps)
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	var err error
	if c.Workers, err = c.workers(); err != nil {
		return c, err
	}
	if c.Stall < 0 {
		return c, fmt.Errorf("%w: Stall: got %v, want a positive duration", ErrConfig, c.Stall)
	}
	if i := slices.IndexFunc(c.IgnoreLeaks, LeakFilter.empty); i >= 0 {
		return c, fmt.Errorf("%w: IgnoreLeaks[%d]: got an empty filter, want one that names a function; to ignore all leaks set Leaks", ErrConfig, i)
	}
	for i, s := range c.Plan {
		if s.Strategy == nil || s.Schedules < 1 {
			return c, fmt.Errorf("%w: Plan[%d]: got strategy %v with %d schedules, want a strategy and at least 1", ErrConfig, i, s.Strategy, s.Schedules)
		}
	}
	return c, nil
}
