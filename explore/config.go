package explore

import (
	"log/slog"
	"os"
	"os/exec"
	"time"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
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
	// always the same way, and Result.Coarse says so. One that has failed is over
	// then, and behind a data race after 20,000 steps, or half of MaxSteps if that is
	// less.
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
	// Watchdog is how long, in real time, one step may take, system calls
	// included, before the exploration is given up. Time in which the machine, or
	// this process, stands still counts little. 0 means 20 s.
	Watchdog time.Duration
	// Stall is for how long, by the time of an execution and in all, goroutines that
	// could run may be held up while timers fire. What fails only then is a failure
	// of the kind timing. 0 means 10 ms, a negative number not at all.
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
	// Found, if not nil, is told of a failure at once, and once more when it was tried again,
	// with the card of the schedule as it was found if it has failed by that: both before it
	// is reduced, which may take long. It runs on the exploring goroutine.
	Found func(first Failure)
	// Pass, if not nil, is asked of each failure before all else whether to go on as if
	// it had not been: it is known. Nothing is claimed of all schedules then.
	Pass func(f Failure) bool
	// Hurry, if not nil, is asked before every execution that reduces a failing
	// schedule whether the failure is to be told as it is.
	Hurry func() bool
	// Bookmark, if not nil, is the [Result].Bookmark of an exploration of the same
	// program, by the same Config, that Enough has ended: this one goes on from
	// there, and comes to what that one would have come to. Where the schedule
	// without preemptions takes another course than it did then, it begins anew.
	// [Run] returns ErrConfig for the checkpoint of another program or Config.
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
	// Streams are open files that the body writes to as to the standard output and error:
	// what it writes there is in the order of its steps, and is no call on files.
	Streams []*os.File
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
	// Fresh returns a command like Worker's, for a process that makes one execution
	// only. There are some if the first execution of a process takes another course
	// than the next. Nil means what Worker says.
	Fresh func() *exec.Cmd
	// Exclusive says that an execution which makes system calls, other than to
	// write to its standard output and error, must not meet another one: what it
	// uses, such as files and ports, may be the same for all processes. An
	// exploration that has met one has no workers from then on.
	Exclusive bool
	// Logger is told of workers that are of no use. Nil means [slog.Default].
	Logger *slog.Logger
}

// A Stage is one strategy and how many schedules it may run. A strategy, a pointer, that is
// in an earlier stage too goes on from where that one ended.
//
// It has Strategy and Schedules: see go doc internal/schedule.Stage.
type Stage = schedule.Stage

// DefaultPlan is a portfolio: it samples with three strategies that miss different
// bugs, then searches. The searches come last because a bug, if there is one, is
// usually met sooner by sampling; but DPOR has a short turn behind the first samples of
// Directed, within which most small programs come to their end, or their bug is met. DPOR
// comes before the search with bounded preemptions because it ends soon where it can end at
// all; its second turn goes on from the first. Directed has three turns, each from the
// beginning: now and then one misses what takes one of many goroutines, which no other
// strategy finds, and one that went on would miss it for ten times as long.
//
// It was chosen on the figures of docs/strategies.md and of docs/sctbench.md. DPOR needs
// the fewest schedules for a small program, and few for a deep bug. Directed is the only one
// that finds what takes one of many goroutines in a particular place. What it misses takes
// a few particular preemptions, which PCT and the bounded search find. PCT's depth grows, and
// what it runs bounds the chance that a bug was missed.
//
// Rejected: POS in place of Directed, as it was before, which needs more than twice
// as many; all 50 schedules of Directed before DPOR, as it was then, where the slowest
// searches take more than twice as many; and DPOR before all samples. DPOR keeps to
// the random choices of one seed, and samples do not. Of the kernels of
// docs/goker.md one, Grpc3017, is then held to be exhausted after two schedules with
// five of ten seeds. Behind 15 samples it is found with 20 of 20. Behind 10 the
// means are hardly lower, and fewer random choices are tried.
func DefaultPlan() []Stage { return strategy.DefaultPlan() }

// A RacePolicy says what a data race in the body means.
type RacePolicy = engine.RacePolicy

const (
	// RacesFail: a data race is a violation. The default.
	RacesFail = engine.RacesFail
	// RacesNote: data races are listed in [Result].Noted, their accesses
	// become scheduling points, and the exploration goes on to see what they
	// lead to.
	RacesNote = engine.RacesNote
)

// A LeakPolicy says what a goroutine means that outlives the body.
type LeakPolicy = engine.LeakPolicy

const (
	// LeaksFail: a goroutine that can never end is a violation. The default.
	LeaksFail = engine.LeaksFail
	// LeaksIgnore: it is none.
	LeaksIgnore = engine.LeaksIgnore
	// LeaksDiffer: it is a violation if a goroutine of its kind, started by the
	// same function and waiting in the same one, is left by some schedules and
	// not by others, and goroutines that live by timers do not count.
	LeaksDiffer = engine.LeaksDiffer
	// LeaksStuck: it is a violation if nobody can ever go on again. As long as
	// one goroutine sleeps again and again or lives by a ticker, it might yet
	// wake the others. Goroutines that wait for one another's locks can never
	// go on whoever lives, and are a violation in any case.
	LeaksStuck = engine.LeaksStuck
)

// A LeakFilter describes goroutines that may outlive the body. All fields that
// are set must match. Each is the name of a function as stack traces have it,
// such as "net/http.(*persistConn).readLoop"; an asterisk at the end stands for
// the rest of the name.
//
// The goroutines of other tests and of the process itself are no part of an
// execution, and are never leaks.
//
// It has Top, Any, CreatedBy and Empty: see go doc internal/engine.LeakFilter.
type LeakFilter = engine.LeakFilter
