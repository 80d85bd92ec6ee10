// Package protocol defines the messages between the command that runs a package's tests under
// control and the test binary: one [Request], and then [Event]s and [Turn]s, all as JSON. It needs
// little beyond the standard library, because it becomes part of other people's test binaries.
package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/internal/coverage"
)

// RequestVar names the variable that holds the path of the file with the Request. Without it a test
// binary runs its tests as usual.
const RequestVar = "JACQUARD_SUITE"

// InsideVar names the variable that holds, for processes that tests under control start, the path
// of the test binary. A test binary that finds its own path there was started by one of its own
// tests, and ignores RequestVar. Otherwise the tests of a package that use this protocol themselves
// would start one another without end.
const InsideVar = "JACQUARD_INSIDE"

// LingerVar names the variable that makes a test binary without a Request wait for a moment, after
// its tests, for the goroutines that outlive them: the overlay's package testing reads it.
const LingerVar = "JACQUARD_LINGER"

// A Mode is the task of a test binary.
type Mode string

// The modes.
const (
	// Discover runs each test once, under control, by the schedule without preemptions, and reports
	// what the test does.
	Discover Mode = "discover"
	// Explore runs each test under many schedules.
	Explore Mode = "explore"
	// Replay runs one test by a card.
	Replay Mode = "replay"
	// Confirm runs one test by a card that holds only what this program needs: see package
	// internal/search.
	Confirm Mode = "confirm"
)

// A Request says what to run. The binary's own flag -test.run selects the tests, and -test.v the
// form of their output.
type Request struct {
	Mode Mode
	// Events is the path of the file, for example a pipe, to which events are appended.
	Events string
	// Output, if not empty, is the path of a file for what a test writes, which the process
	// creates, and removes when the test has ended. If the process dies in the test, the file has
	// its last output, including that of the runtime.
	Output string
	// Plan names the strategies and how many schedules each has; empty means the explorer's default
	// plan. See explore.Stage.
	Plan []Stage
	// Schedules bounds the schedules of a test.
	Schedules int
	// Further is how many more a search may run that expects to be complete by then.
	Further int
	// Time is how long a test may be explored, in real time; a schedule that is running then is
	// completed. 0 means no limit.
	Time time.Duration
	// Turns, if not empty, is the path of a pipe that gives the time in mode Explore in parts: see
	// [Turns]. At the end of each turn the binary sends an Event with Pause set.
	Turns string
	// End is when the time of the whole package is over. A test that must be run without control
	// may take half of the time left then. Zero means a default.
	End time.Time
	// Went says, in mode Explore, that the test passed in the discovery run, after the tests before
	// it.
	Went bool `json:",omitempty"`
	// Temp, if not empty, is the path of the folder for a schedule's temporary files, in modes
	// Explore and Replay. The binary creates and removes it. In mode Discover temporary files are
	// where the environment says.
	Temp string
	Seed uint64
	// Bookmark, if not empty, is from the Event at the end of an earlier exploration, whose request
	// was the same in everything else that matters: this exploration continues it.
	Bookmark []byte
	Card     string // for modes Replay and Confirm; for others see Pass
	// Replay is the command that replays a failure, with ReplayTest and
	// ReplayCard in it: see [Request.ReplayLine].
	Replay string
	// Width bounds the columns of a report. 0 means a default.
	Width int
	// Covered requests what the executions did at each operation, in mode Explore: see
	// Event.Covered. A Bookmark must come from such a request too.
	Covered bool `json:",omitempty"`
	// Color requests colours in a report.
	Color bool
	// Verbose requests all steps in a report.
	Verbose bool
	// HTML requests the failure as a page too, in mode Replay.
	HTML bool
	// Timeline requests the failure as data too: see Event.Timeline.
	Timeline bool
	// Debug says that the process runs under a debugger: it may stop for any time, and the output
	// of tests is not captured.
	Debug bool
	// MaxSteps is explore.Config.MaxSteps.
	MaxSteps int
	// Stall is explore.Config.Stall.
	Stall time.Duration
	// Workers bounds the processes that may run schedules of a test at the same time; turns say how
	// many do. The result does not depend on it. 0 means 1.
	Workers int
	// Worker says that the process runs schedules for another one, which manages the folder Temp.
	Worker bool
	// FailFast says that no other test is run after a failure. With package testing's own flag a
	// failed test would also skip subtests, and so behave differently than without.
	FailFast bool
	// Leaks says whether goroutines that can never end are a failure: see [LeaksFail].
	Leaks Leaks
	// Pass are known failures: in mode Explore, the search reports each once and goes on. With a
	// Card the search passes over all failures except the card's, and makes the random choices of
	// the card's search.
	Pass []Cause `json:",omitempty"`
	// Seek, if not nil, is the only failure that ends the search, likewise.
	Seek *Sought `json:",omitempty"`
}

// A Cause is what failed, in words that are the same whenever a test fails for the same reason: see
// explore.Failure.
type Cause struct{ Kind, Cause string }

// A Sought failure is one that was seen elsewhere, as go test has printed it.
type Sought struct {
	Kind      string // check, panic, race, or deadlock, which includes time-outs
	Message   string
	Functions []string // of the two accesses, of the panic, or of the waiting goroutines
	Lines     []string // the lines of these, or of the check, as far as known: "bank.go:18"
	// Stacks are the stacks of these functions, innermost first, as far as known:
	// "example.com/bank.(*Bank).Put bank.go:18".
	Stacks [][]string
}

// Timing is the kind of a failure that needs a runnable goroutine to be delayed.
const Timing = "timing"

// Is reports whether a failure that was found is the known one. One that was found with a delayed
// goroutine may turn out not to need the delay.
func (c Cause) Is(found Cause) bool {
	return c == found || found.Kind == Timing && found.Cause == c.Kind+": "+c.Cause
}

// A Stage is a strategy and how many schedules it may run.
type Stage struct {
	Strategy  string // one of Strategies
	Schedules int
}

// Strategies returns the names of the strategies. They correspond to the functions of package
// explore: Directed, Guided, POS, SURW, PCT(0), RandomWalk, DPOR and DepthFirst(2).
func Strategies() []string {
	return []string{"directed", "guided", "pos", "surw", "pct", "random", "dpor", "dfs"}
}

// Leaks says when goroutines that a test leaves behind, and that can never end, are a failure.
type Leaks string

// The choices.
const (
	LeaksDiffer Leaks = ""     // if another schedule leaves none of that kind
	LeaksFail   Leaks = "fail" // always
	LeaksNote   Leaks = "note" // never; they are reported
)

// An Event is a message from a test binary.
type Event struct {
	// Test is the name of the top-level test or example.
	Test string `json:",omitempty"`
	// Begin says that the test begins. All other results come at its end.
	Begin bool `json:",omitempty"`
	// Alive is sent now and then, if there are turns, because an execution or what follows it may
	// take long. Test is set, and between two schedules of a turn also Schedules, Distinct and
	// Points, as with Pause.
	Alive bool `json:",omitempty"`
	// Found says that a schedule has failed, and that the failure is now tried again and reduced.
	// Of the other fields Test, Kind, Message, Strategy, Schedules, Preemptions, Quantum and Steps are set.
	// It is sent again with the Card when the schedule has failed again by the card, or with a
	// Doubt if it has not.
	Found bool `json:",omitempty"`
	// Doubt is why the failure proves nothing unless it happens again.
	Doubt string `json:",omitempty"`
	// Another says, with Found, that the failure is not the first one found. It has been reduced,
	// and was seen in a process of its own. Instead says that it replaces the first one as the
	// test's failure, because the first one needs a delayed goroutine.
	Another bool `json:",omitempty"`
	Instead bool `json:",omitempty"`
	// Unconfirmed says, with Another, that the failure is not reduced and confirmed yet. Without a
	// Kind it withdraws the last such failure, which did not happen again.
	Unconfirmed bool `json:",omitempty"`
	// Reduced says, with Found, that all fields are set as at the end of the test: the failure has
	// been reduced, and has happened again in a process of its own. The search for failures that it
	// hides follows.
	Reduced bool `json:",omitempty"`
	// Went says, in mode Discover, that the test ended and did not fail.
	Went bool `json:",omitempty"`
	// Pause says that a turn is over. Schedules, Distinct and Points are the present totals,
	// including those before the checkpoint; otherwise only Test is set.
	Pause bool `json:",omitempty"`

	Verdict string `json:",omitempty"` // holds, violated, unknown; see explore.Verdict
	Kind    string `json:",omitempty"` // of a failure; see explore.Kind
	Message string `json:",omitempty"` // of a failure, one line
	// Cause is what failed, without numbers, and Sites are the functions and files of the
	// operations involved.
	Cause string   `json:",omitempty"`
	Sites []string `json:",omitempty"`
	// Blame says whose bug it is, as in package timeline, and Evidence why.
	Blame    string `json:",omitempty"`
	Evidence string `json:",omitempty"`
	// Passed says, with Alive, that a schedule failed in a way that the search passes over. Of the
	// other fields Kind, Message and Cause are set.
	Passed  bool   `json:",omitempty"`
	Reason  string `json:",omitempty"` // why Verdict is unknown
	Summary string `json:",omitempty"` // in a few words
	Skipped bool   `json:",omitempty"` // by t.Skip in every schedule
	Why     string `json:",omitempty"` // what the test said when it was skipped, with the place; "" if nothing
	// Own says that the test explores by itself: it was run once, without control.
	Own bool `json:",omitempty"`

	// Concurrent says that at least two goroutines interacted: only then are there schedules to
	// choose from.
	Concurrent bool   `json:",omitempty"`
	Exhausted  bool   `json:",omitempty"` // nothing is left to explore
	Claim      string `json:",omitempty"` // how far a search has got, and what it leaves open; see explore.Result
	Incomplete string `json:",omitempty"` // why it cannot be exhausted; see explore.Result
	Bound      *int   `json:",omitempty"` // every schedule with at most this many preemptions was run
	Schedules  int    `json:",omitempty"`
	Besides    int    `json:",omitempty"` // schedules that looked for further failures
	Distinct   int    `json:",omitempty"` // how many differ by happens-before
	Points     int    `json:",omitempty"` // decisions in the longest execution
	Steps      int    `json:",omitempty"`
	// Bookmark is set if no time was left: see Request. With Again a new process must continue from
	// it, because earlier schedules have changed this one's state.
	Bookmark []byte        `json:",omitempty"`
	Again    bool          `json:",omitempty"`
	Coarse   bool          `json:",omitempty"` // see explore.Result.Coarse
	Refuted  bool          `json:",omitempty"` // it has failed, and does not without control
	Took     time.Duration `json:",omitempty"` // real time
	// Outside lists what was not under control, each once: the network, a subprocess, C code,
	// goroutines from before the test.
	Outside []string `json:",omitempty"`
	Depends bool     `json:",omitempty"` // see explore.Result.Depends
	// Refused says that another process of the package, which was to try the test again, ended
	// before the test began: TestMain may need to be the only one, or the first.
	Refused bool `json:",omitempty"`
	// Files says that the test must not run at the same time as others that set it: it has changed
	// files other than its temporary ones, such as in its package's folder, has started a process,
	// which may have done so, or has failed for lack of a unique resource of the system, such as a
	// port.
	Files bool `json:",omitempty"`
	// Apart says that TestMain, or an init function, has changed files: two processes of the
	// package may disturb one another, whatever they run.
	Apart bool `json:",omitempty"`
	// Leaked are goroutines that can never end, where that is not a failure.
	Leaked []string `json:",omitempty"`
	// Covered is what the executions did at each operation, if Request.Covered asked for it.
	Covered *coverage.Listing `json:",omitempty"`
	// Pace describes that some schedules take far longer than others, in their virtual time.
	Pace string `json:",omitempty"`

	Strategy    string `json:",omitempty"` // the strategy that found the failure
	Preemptions int    `json:",omitempty"`
	Quantum     bool   `json:",omitempty"` // and others ran when a goroutine had run for long
	Schedule    int    `json:",omitempty"` // the schedule in which it was found
	FoundWith   int    `json:",omitempty"` // preemptions of that schedule
	FoundSteps  int    `json:",omitempty"`
	Minimal     bool   `json:",omitempty"` // fewer preemptions do not fail
	Unexplored  string `json:",omitempty"` // what the verdict does not cover
	Card        string `json:",omitempty"` // replays the failure
	Report      string `json:",omitempty"` // the failure as text, for a screen
	Output      string `json:",omitempty"` // what the failing schedule wrote
	HTML        string `json:",omitempty"` // the failure as a page, if requested in mode Replay
	// Timeline is the failure as package timeline has it, if Request.Timeline asked for it.
	Timeline json.RawMessage `json:",omitempty"`
	Replayed string          `json:",omitempty"` // in mode Replay: the outcome of the card, see explore.Outcome
	Was      string          `json:",omitempty"` // in mode Replay: the kind of the card's failure
	Same     bool            `json:",omitempty"` // in modes Discover and Explore: it is the card's failure, or the one sought

	// Spoilt says that the process is no longer usable, because a test has left it in a state that
	// would affect others. The process then exits.
	Spoilt bool `json:",omitempty"`
}

// ReadRequest reads the Request that the environment names; nil if there is none.
func ReadRequest() (*Request, error) {
	path := os.Getenv(RequestVar)
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := new(Request)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Write writes a Request to a file.
func (r *Request) Write(path string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// NoTest is a pattern that matches no test.
const NoTest = "^$"

// ReplayTest and ReplayCard are placeholders in [Request].Replay for values that only the test
// binary knows. No argument of a command can contain them.
const (
	ReplayTest = "\x00test"
	ReplayCard = "\x00card"
)

// ReplayLine returns the command that replays a failure of a test, the last line of its report.
func (r *Request) ReplayLine(test, card string) string {
	return strings.NewReplacer(ReplayTest, test, ReplayCard, card).Replace(r.Replay)
}

// Boundary returns what the binary writes to its standard output, in mode Discover, before a test's
// output, and with an empty name after it. The output before a boundary may lack a newline.
func Boundary(test string) string { return "\x00jacquard:" + test + "\n" }

// LastEvent returns the last event that a process which has ended wrote to its event file; false if
// there is none.
func LastEvent(path string) (e Event, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return e, false // it never began
	}
	defer f.Close()
	for in := child.Lines(f, nil); ; {
		next, more := NextEvent(in)
		if !more {
			return e, ok
		}
		if !next.Begin {
			e, ok = next, true
		}
	}
}

// NextEvent returns the next event of a process; false if there is none. It skips a line that was
// cut off by the process's death.
func NextEvent(from interface{ Receive(any) error }) (Event, bool) {
	for {
		var e Event
		err := from.Receive(&e)
		if garbled := new(child.Garbled); !errors.As(err, &garbled) {
			return e, err == nil
		}
	}
}
