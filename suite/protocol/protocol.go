// Package protocol is what the command that runs a package's tests under
// control and the test binary say to each other: one [Request], and then an
// [Event] or a [Turn] a message. All are JSON. It needs nothing beyond the standard
// library, for it goes into other people's test binaries.
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

// RequestVar names the variable that holds the path of the file with the
// Request. A test binary in whose environment it is not runs its tests as ever.
const RequestVar = "JACQUARD_SUITE"

// InsideVar names the variable that holds, for those whom tests under control
// start, the path of the test binary. One that finds its own path there was
// started by one of its own tests, and leaves a Request to them: else the tests
// of a package that speak this protocol themselves would start one another
// without end.
const InsideVar = "JACQUARD_INSIDE"

// A Mode is what a test binary is to do.
type Mode string

// The modes.
const (
	// Discover runs each test once, under control, by the schedule that preempts
	// nobody, and says what is in it.
	Discover Mode = "discover"
	// Explore runs each test under many schedules.
	Explore Mode = "explore"
	// Replay runs one test by a card.
	Replay Mode = "replay"
	// Confirm runs one test by a card that has only what this program needs of it:
	// see package internal/search.
	Confirm Mode = "confirm"
)

// A Request says what to run. The tests are chosen by the binary's own flag
// -test.run, and their output is as -test.v says.
type Request struct {
	Mode Mode
	// Events is the path of the file, a pipe for example, to which events are
	// appended.
	Events string
	// Output, if not empty, is the path of a file that the process makes for what
	// a test writes, and removes when the test has ended: if the process dies in
	// the test, its last words are there, those of the runtime included.
	Output string
	// Plan names the strategies and how many schedules each has; empty is the
	// explorer's own plan. See explore.Stage.
	Plan []Stage
	// Schedules is at most how many schedules there are for a test.
	Schedules int
	// Time is how long a test may be explored, in real time; a schedule that
	// is running when it is over is run to its end. 0 is without a limit.
	Time time.Duration
	// Turns, if not empty, is the path of a pipe that gives the time in mode
	// Explore piecemeal: see [Turns]. It is said of each end of a turn by an
	// Event with Pause set.
	Turns string
	// End is when the time of the whole package is over. A test that has to be
	// run without control may take half of what is left then. Zero is a default.
	End time.Time
	// Went says, in mode Explore, that the test went well in the discovery run, behind the
	// tests before it.
	Went bool `json:",omitempty"`
	// Temp, if not empty, is the path of the folder in which a schedule's
	// temporary files are, in modes Explore and Replay. The binary makes it and
	// removes it. In mode Discover they are where the environment says.
	Temp string
	Seed uint64
	// Bookmark, if not empty, is from the Event at the end of an earlier
	// exploration, by a request that differs in nothing else that matters: this
	// one goes on from there.
	Bookmark []byte
	Card     string // in modes Replay and Confirm; in others see Pass
	// Replay is the command that replays a failure, with ReplayTest and
	// ReplayCard in it: see [Request.ReplayLine].
	Replay string
	// Width is the columns of a report, at most. 0 is a default.
	Width int
	// Covered asks for what the executions did at each operation, in mode Explore: see
	// Event.Covered. A Bookmark has to be of such a request too.
	Covered bool `json:",omitempty"`
	// Color asks for colours in a report.
	Color bool
	// Verbose asks for all steps in a report.
	Verbose bool
	// HTML asks for the failure as a page too, in mode Replay.
	HTML bool
	// Timeline asks for the failure as data too: see Event.Timeline.
	Timeline bool
	// Debug says that the process is in the hands of a debugger: it may stand
	// still for as long as it likes, and what tests write is not held back.
	Debug bool
	// MaxSteps is explore.Config.MaxSteps.
	MaxSteps int
	// Stall is explore.Config.Stall.
	Stall time.Duration
	// Workers is how many processes may run schedules of a test at the same time,
	// at most; turns say how many do. What comes of it does not depend on it. 0
	// means 1.
	Workers int
	// Worker says that the process is to run schedules for another one, which sees
	// to the folder Temp.
	Worker bool
	// FailFast says that after a failure no other test is run. By package testing's
	// own flag a test that has failed would leave out subtests, too, and take another
	// course than without.
	FailFast bool
	// Leaks says what becomes of goroutines that can never end: see
	// [LeaksFail].
	Leaks Leaks
	// Pass are failures that are known: in mode Explore, the search tells of them once
	// and goes on. With a Card it goes on behind all failures but that of the card, whose
	// random choices are those of the search.
	Pass []Cause `json:",omitempty"`
	// Seek, if not nil, is the only failure that the search ends with, likewise.
	Seek *Sought `json:",omitempty"`
}

// A Cause is what failed, in words that are the same whenever it fails for the same
// reason: see explore.Failure.
type Cause struct{ Kind, Cause string }

// A Sought failure is one that somebody else has seen: what go test has printed of it.
type Sought struct {
	Kind      string // check, panic, race, or deadlock, which time-outs are, too
	Message   string
	Functions []string // of the two accesses, where it panicked, or of those that wait
	Lines     []string // where that is, or where the check is, as far as is known: "bank.go:18"
	// Stacks are those of these functions, innermost first, as far as is known:
	// "example.com/bank.(*Bank).Put bank.go:18".
	Stacks [][]string
}

// Timing is the kind of what fails only if a goroutine that could run is held up.
const Timing = "timing"

// Is reports whether a failure, as it was found, is the one that is known. What was
// found with somebody held up may turn out not to need that.
func (c Cause) Is(found Cause) bool {
	return c == found || found.Kind == Timing && found.Cause == c.Kind+": "+c.Cause
}

// A Stage is one strategy and how many schedules it may run.
type Stage struct {
	Strategy  string // one of Strategies
	Schedules int
}

// Strategies are the names of strategies. Their meaning is that of the functions
// of package explore: Directed, Guided, POS, SURW, PCT(0), RandomWalk, DPOR and DepthFirst(2).
func Strategies() []string {
	return []string{"directed", "guided", "pos", "surw", "pct", "random", "dpor", "dfs"}
}

// Leaks says when goroutines that a test leaves behind, and that can never end,
// make it fail.
type Leaks string

// The choices.
const (
	LeaksDiffer Leaks = ""     // if another schedule leaves none of that kind
	LeaksFail   Leaks = "fail" // always
	LeaksNote   Leaks = "note" // never; they are told
)

// An Event is one thing that a test binary has to tell.
type Event struct {
	// Test is the name of the top-level test or example.
	Test string `json:",omitempty"`
	// Begin says that the test begins. All else is told at its end.
	Begin bool `json:",omitempty"`
	// Alive says that an execution begins, now and then, if there are turns: what
	// comes after the end of one may take long. Besides it Test is set, and between two
	// schedules of a turn Schedules, Distinct and Points, as with Pause.
	Alive bool `json:",omitempty"`
	// Found says that a schedule has failed, and that the failure is now tried again and
	// reduced. Of the rest there are Test, Kind, Message, Strategy, Schedules,
	// Preemptions and Steps. It is said once more, with the Card, when the schedule has
	// failed again by that, or with a Doubt if it has not.
	Found bool `json:",omitempty"`
	// Doubt is why nothing follows from that the schedule has failed, unless it fails again.
	Doubt string `json:",omitempty"`
	// Another says that it is another failure than the first that was found, with Found. It has
	// been reduced, and was seen in a process of its own. Instead says that it is the test's
	// from here on: the first one needs somebody to be held up.
	Another bool `json:",omitempty"`
	Instead bool `json:",omitempty"`
	// Unconfirmed, with Another, says that neither is done yet. Without a Kind it takes back
	// what was said so, for it did not happen again.
	Unconfirmed bool `json:",omitempty"`
	// Reduced, with Found, says that all is set as at the end of the test: the failure has been
	// reduced, and has come again in a process of its own. What follows is the search for what
	// it hides.
	Reduced bool `json:",omitempty"`
	// Went says, in mode Discover, that the test came to its end and did not fail.
	Went bool `json:",omitempty"`
	// Pause says that a turn is over. Schedules, Distinct and Points are as
	// they are so far, with those before the checkpoint; of the rest only Test is set.
	Pause bool `json:",omitempty"`

	Verdict string `json:",omitempty"` // holds, violated, unknown; see explore.Verdict
	Kind    string `json:",omitempty"` // of a failure; see explore.Kind
	Message string `json:",omitempty"` // of a failure, a line
	// Cause is what failed, without figures, and Sites are the functions and the files of
	// the operations that have to do with it.
	Cause string   `json:",omitempty"`
	Sites []string `json:",omitempty"`
	// Blame is whose bug it is, as in package timeline, and Evidence why.
	Blame    string `json:",omitempty"`
	Evidence string `json:",omitempty"`
	// Passed says, with Alive, that a schedule failed in a way that the search goes on
	// behind. Of the rest there are Kind, Message and Cause.
	Passed  bool   `json:",omitempty"`
	Reason  string `json:",omitempty"` // why it is unknown
	Summary string `json:",omitempty"` // in a few words
	Skipped bool   `json:",omitempty"` // by t.Skip in every schedule
	// Own says that the test explores by itself: it was run once, without
	// control.
	Own bool `json:",omitempty"`

	// Concurrent is set if more than one goroutine had anything to do with
	// another: only then are there schedules to choose from.
	Concurrent bool   `json:",omitempty"`
	Exhausted  bool   `json:",omitempty"` // nothing is left to explore
	Claim      string `json:",omitempty"` // how far a search has come, and what it leaves open; see explore.Result
	Incomplete string `json:",omitempty"` // why it cannot be exhausted; see explore.Result
	Bound      *int   `json:",omitempty"` // every schedule with at most so many preemptions was run
	Schedules  int    `json:",omitempty"`
	Distinct   int    `json:",omitempty"` // how many differ by happens-before
	Points     int    `json:",omitempty"` // decisions in the longest execution
	Steps      int    `json:",omitempty"`
	// Bookmark is set if no time was left: see Request. With Again it is for a new
	// process to go on from: earlier schedules have left this one in another state.
	Bookmark []byte        `json:",omitempty"`
	Again    bool          `json:",omitempty"`
	Coarse   bool          `json:",omitempty"` // see explore.Result.Coarse
	Took     time.Duration `json:",omitempty"` // real time
	// Outside tells of what was not under control, each once: the network, a
	// subprocess, C code, goroutines from before the test.
	Outside []string `json:",omitempty"`
	Depends bool     `json:",omitempty"` // see explore.Result.Depends
	// Refused says that another process of the package, which was to try the test again,
	// ended before that began: TestMain may want to be the only one, or the first.
	Refused bool `json:",omitempty"`
	// Files says that the test has changed files other than its temporary ones, such as in
	// its package's folder, or has started a process, which may have, or has failed for lack of
	// what the system has once, such as a port: processes that do so at the same time may disturb
	// one another.
	Files bool `json:",omitempty"`
	// Apart says that TestMain, or an init function, has: two processes of the package, whatever
	// they run, may disturb one another.
	Apart bool `json:",omitempty"`
	// Leaked are goroutines that can never end, where they are no failure.
	Leaked []string `json:",omitempty"`
	// Covered is what the executions did at each operation, if Request.Covered asked for it.
	Covered *coverage.Listing `json:",omitempty"`
	// Pace says that some schedules take far longer than others, by their own time.
	Pace string `json:",omitempty"`

	Strategy    string `json:",omitempty"` // that found the failure
	Preemptions int    `json:",omitempty"`
	Schedule    int    `json:",omitempty"` // at which it was found
	FoundWith   int    `json:",omitempty"` // preemptions
	FoundSteps  int    `json:",omitempty"`
	Minimal     bool   `json:",omitempty"` // fewer preemptions are not enough
	Unexplored  string `json:",omitempty"` // what the verdict does not speak of
	Card        string `json:",omitempty"` // replays the failure
	Report      string `json:",omitempty"` // the failure as text, for a screen
	Output      string `json:",omitempty"` // what the failing schedule wrote
	HTML        string `json:",omitempty"` // the failure as a page, if Replay asked for it
	// Timeline is the failure as package timeline has it, if Request.Timeline asked for it.
	Timeline json.RawMessage `json:",omitempty"`
	Replayed string          `json:",omitempty"` // in mode Replay: what came of the card, see explore.Outcome
	Was      string          `json:",omitempty"` // likewise: the kind of the card's failure
	Same     bool            `json:",omitempty"` // in modes Discover and Explore: it is the failure of the card, or the one that is sought

	// Spoilt says that the process is of no more use: a test has left it in a
	// state in which others would not be themselves. It exits then.
	Spoilt bool `json:",omitempty"`
}

// ReadRequest reads the Request that the environment names; nil if there is
// none.
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

// NoTest is a pattern that chooses no test.
const NoTest = "^$"

// ReplayTest and ReplayCard stand in [Request].Replay for what only the test binary
// knows. No argument of a command can have them in it.
const (
	ReplayTest = "\x00test"
	ReplayCard = "\x00card"
)

// ReplayLine is the command that replays a failure of a test, the last line of its
// report.
func (r *Request) ReplayLine(test, card string) string {
	return strings.NewReplacer(ReplayTest, test, ReplayCard, card).Replace(r.Replay)
}

// Boundary is what the binary writes to its standard output, in mode Discover,
// before what a test writes, and with an empty name behind it. What comes before a
// boundary may lack the end of its line.
func Boundary(test string) string { return "\x00jacquard:" + test + "\n" }

// LastEvent is what a process that is over has told of its test in the end, in the
// file of its events; false if it did not come to that.
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

// NextEvent is the next that a process tells; false if there will be none. A line that
// is no event was cut off by the process's death.
func NextEvent(from interface{ Receive(any) error }) (Event, bool) {
	for {
		var e Event
		err := from.Receive(&e)
		if garbled := new(child.Garbled); !errors.As(err, &garbled) {
			return e, err == nil
		}
	}
}
