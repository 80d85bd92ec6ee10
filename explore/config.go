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
	// Plan lists the strategies to run, in order. The exploration stops when a schedule
	// fails or when all executions that differ have been run. Nil means [DefaultPlan].
	Plan []Stage
	// Schedules bounds the schedules of all stages together: later stages may use what
	// earlier ones leave of their shares. 0 means that only each stage's own bound applies.
	Schedules int
	// MaxSteps bounds one execution, in scheduling decisions. After half of them the
	// schedule is fair; an execution that reaches MaxSteps is a livelock. 0 means
	// 100,000.
	MaxSteps int
	// Patient says that executions may be long without being livelocks. A goroutine
	// that polls while its own variables change then does not count as waiting, so
	// the clock is not advanced for it, and a presumed livelock is Unknown. Steps
	// that a goroutine makes for long while no other can run do not count towards
	// MaxSteps. An execution that reaches MaxSteps goes on in coarse slices: its
	// goroutines take turns of many operations each, always in the same order, and
	// Result.Coarse reports this. An execution that has already failed ends at
	// MaxSteps, and one with a data race ends after 20,000 steps, or half of MaxSteps
	// if that is less.
	Patient bool
	// Races says what data races mean. A process built without the race detector sees
	// none, whatever Races is: the result then has RacesUnchecked set, and plain memory
	// accesses are no scheduling points.
	Races RacePolicy
	// Leaks says what it means if a goroutine never ends.
	Leaks LeakPolicy
	// IgnoreLeaks describes goroutines that may outlive the body.
	IgnoreLeaks []LeakFilter
	// Trust names packages, by import path or as a path followed by "/...", whose
	// inner synchronisation is not worth exploring. Operations inside them are no
	// scheduling points, though their goroutines are controlled and may block. A call
	// into such a package is one point; goroutines that it starts run whenever they
	// can. Utilities of the standard library such as fmt and reflect are always
	// trusted. [Test] says which patterns met no point.
	Trust []string
	// Watchdog is how long, in real time, one step may take, system calls included,
	// before the exploration is given up. Time during which the machine or this process
	// is suspended counts little. 0 means 20 s.
	Watchdog time.Duration
	// Stall bounds, in virtual time and for a whole execution, how long goroutines that
	// could run may be held up while timers fire. A failure found only that way has the
	// kind timing. 0 means 10 ms; a negative number disables it.
	Stall time.Duration
	// Minimise bounds the executions spent on reducing a failing schedule. 0 means 600;
	// a negative number leaves the schedule as it was found. The bound grows by one for
	// each 1,000 steps of the failing schedule.
	Minimise int
	// Name identifies the body: a card replays only under the name that it was made
	// with. [Test] sets it to the test's name.
	Name string
	// Replayed is the command line that reports show for replaying a card; "%s" stands
	// for the card. [Test] sets it.
	Replayed string
	// Cards is the folder in which [Test] keeps the cards of failures, and from which
	// it replays them. A relative path is taken below the folder of the test's package.
	// "" means testdata/jacquard there; [NoCards] disables cards. The variable
	// JACQUARD_CARDS, if set, overrides it for all tests.
	Cards string
	// Enough, if not nil, is called after every schedule with the result so far. If it
	// returns true, no further schedule begins, and the result covers those that were
	// run. It runs on the exploring goroutine.
	Enough func(sofar Result) bool
	// Found, if not nil, is called with a failure at once, and again after the failure was
	// retried, then with the card of the unreduced schedule if the retry failed too. Both
	// calls come before minimisation, which may take long. It runs on the exploring goroutine.
	Found func(first Failure)
	// Pass, if not nil, is called first with each failure. If it returns true, the exploration
	// goes on as if there were no failure, but claims nothing about all schedules.
	Pass func(f Failure) bool
	// Hurry, if not nil, is called before every execution of the minimisation. If it
	// returns true, the failure is reported as it is.
	Hurry func() bool
	// Bookmark, if not nil, is the [Result].Bookmark of an exploration of the same
	// program and Config that Enough has ended. This exploration resumes there and
	// reaches the result that the other would have reached. If the schedule without
	// preemptions takes another course than it did then, the exploration starts anew.
	// [Run] returns ErrConfig for a bookmark of another program or Config.
	Bookmark []byte
	// Residents says that goroutines which the first execution leaves waiting belong to
	// the program and not to the body, such as a worker that is started on first use.
	// They take part in all later executions.
	Residents bool
	// Runner is the import path of the package that runs the body's functions, such as
	// testing if the body runs a test. Reports leave out that package's functions, the
	// steps that it makes itself, and the body's goroutine unless the body has called
	// [T.Named].
	Runner string
	// Streams are open files that the body uses like standard output and error: writes to
	// them are ordered with its steps and do not count as file operations.
	Streams []*os.File
	// Prepare, if not nil, is called before every execution, minimisation and replay
	// included, to restore what the body changes outside of itself. It runs on the
	// exploring goroutine.
	Prepare func()
	// Progress, if not nil, is called after every execution with the number of
	// executions so far. It runs on the exploring goroutine.
	Progress func(schedules int)
	// Workers is how many processes run schedules at the same time, this one
	// included. The result does not depend on it. An exploration that ends within
	// half a second starts no other process, nor does one whose strategies choose
	// each schedule from the previous ones. Each worker also does what a test does
	// before it explores, but not what it does afterwards. 0 means the value of
	// the variable JACQUARD_WORKERS or, without it, one process for each
	// processor.
	Workers int
	// Worker returns a command that starts another process of this program, which
	// begins by calling [Run] with the same Config and body. It is called once for
	// each worker, and again after each time that it returns nil, which means that no
	// worker can start for now. The process gets two more file descriptors, and is
	// killed in the end. Worker runs on the exploring goroutine. Nil means that a
	// test's process starts its own test once more, and that other programs have no
	// workers.
	Worker func() *exec.Cmd
	// Fresh returns a command like Worker's, for a process that makes a single
	// execution. Such processes are used if the first execution of a process takes
	// another course than the next. Nil means Worker.
	Fresh func() *exec.Cmd
	// Exclusive says that an execution that makes system calls, other than writes to
	// standard output and error, must not run at the same time as another one: files
	// and ports may be shared by all processes. Once an exploration has met such an
	// execution, it has no workers.
	Exclusive bool
	// Logger receives messages about workers that cannot be used. Nil means [slog.Default].
	Logger *slog.Logger
}

// A Stage is a strategy and how many schedules it may run. A strategy (a pointer) that an
// earlier stage also has resumes where that stage ended.
//
// It has Strategy, Schedules, Near and Beyond: see go doc internal/schedule.Stage.
type Stage = schedule.Stage

// DefaultPlan is a portfolio: it samples with three strategies that miss different bugs,
// then searches. The searches come last because sampling usually finds a bug sooner. But
// DPOR has a short turn after the first samples of Directed, which is enough to exhaust
// most small programs or to find their bug. DPOR comes before the search with bounded
// preemptions because it ends soon if it can end at all; its second turn resumes the first,
// and its third the second, as long as DPOR expects to be complete within the schedules left.
// Directed has three turns, each from the beginning: sometimes one turn misses a bug that
// no other strategy finds, and continuing it would miss the bug for ten times as long.
//
// It was chosen on the figures of docs/strategies.md and docs/sctbench.md. DPOR needs the
// fewest schedules for a small program, and few for a deep bug. Only Directed finds bugs that
// need one of many goroutines in a particular place. It misses bugs that need several
// particular preemptions, which PCT and the bounded search find. PCT's depth grows, and its
// schedules bound the probability that a bug was missed.
//
// Rejected: POS instead of Directed, and all 50 schedules of Directed before DPOR: either
// takes more than twice as many schedules; and DPOR before all samples. DPOR keeps to the
// random choices of one seed: one of the kernels of docs/goker.md, Grpc3017, would be taken
// to be exhausted with five of ten seeds. After 15 samples it is found with 20 of 20.
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

// A LeakPolicy says what it means if a goroutine outlives the body.
type LeakPolicy = engine.LeakPolicy

const (
	// LeaksFail: a goroutine that can never end is a violation. The default.
	LeaksFail = engine.LeaksFail
	// LeaksIgnore: leaks are no violation.
	LeaksIgnore = engine.LeaksIgnore
	// LeaksDiffer: it is a violation if some schedules leave a goroutine of its kind
	// (started by the same function and waiting in the same one) and others do not.
	// Goroutines that live by timers do not count.
	LeaksDiffer = engine.LeaksDiffer
	// LeaksStuck: it is a violation if no goroutine can ever continue. As long as one
	// goroutine sleeps repeatedly or uses a ticker, it might yet wake the others.
	// Goroutines that wait for one another's locks can never continue, and are a
	// violation in any case.
	LeaksStuck = engine.LeaksStuck
)

// A LeakFilter describes goroutines that may outlive the body. All fields that are set
// must match. Each is the name of a function as in stack traces, such as
// "net/http.(*persistConn).readLoop"; a trailing asterisk stands for the rest of the
// name.
//
// The goroutines of other tests and of the process itself are not part of an execution,
// and are never leaks.
//
// It has Top, Any, CreatedBy and Empty: see go doc internal/engine.LeakFilter.
type LeakFilter = engine.LeakFilter
