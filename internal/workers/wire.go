package workers

import (
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/coverage/collect"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/racelog"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// What the exploring process and its workers say to one another, as a stream of
// gob values each way. Code addresses are relative to the program's text.

// A briefing is what a worker is told first: the results of the explorations
// that come before its own.
type briefing struct {
	Past  []past
	First bool // what is asked for is the first execution of the process
}

// A past is the result of an earlier exploration.
type past struct {
	Name   string
	Result *verdict.Result
	Err    string // of Run; then Result is nil
}

// A hello is what a worker says first, once it has come to an exploration: which
// it is.
type hello struct {
	Exploration Identity
}

// An Identity tells explorations of a program apart.
type Identity struct {
	Number  int    // in its test, from 1
	Name    string // Config.Name
	Program uint32
	Config  uint64 // all else of the Config that decides executions
	Body    int64  // code address
	Course  uint64 // digest of the default schedule
}

// A Job asks a worker for what comes of some schedules. With a task of
// another batch all earlier ones are void.
type Job struct {
	Batch     int
	Points    Structure
	Schedules []numbered
	Opening   *Opening
}

// A Structure is what decides, besides the program, what is a point.
type Structure struct {
	Memory    []int64 // accesses that are points
	Observers engine.Observers
}

type numbered struct {
	Index    int // in the batch
	Schedule schedule.Schedule
}

// A Message is what a worker says: hello, and then a report for each schedule
// of its tasks, in their order, some at a time.
type Message struct {
	Hello   *hello
	Reports []*Report
	Opened  *Opened
}

// A Report is a course as it travels.
type Report struct {
	Batch, Index  int
	Digest, Order uint64
	Pairs         []uint64
	Tasks         int
	Ending        Ending
	Contact       Contact
	Covered       collect.Covered
	Races         []racelog.Race
	Run           []byte
}

// Portable reports whether a schedule can be run in another process.
func Portable(s schedule.Schedule) bool {
	_, own := s.(schedule.OwnSchedule)
	return !own
}

func ReportOf(batch, index int, c Course) *Report {
	return &Report{
		Batch: batch, Index: index, Digest: c.Digest, Order: c.Order, Pairs: c.Pairs, Tasks: c.Tasks,
		Ending: c.Ending, Contact: c.Contact, Covered: c.Covered, Run: schedule.EncodeRun(c.Run), Races: racelog.RacesOf(c.Races),
	}
}

func (r *Report) Course() (Course, error) {
	c := Course{
		Digest: r.Digest, Order: r.Order, Pairs: r.Pairs, Tasks: r.Tasks, Ending: r.Ending, Contact: r.Contact, Covered: r.Covered, Races: racelog.RacesFrom(r.Races),
	}
	var err error
	c.Run, err = schedule.DecodeRun(r.Run)
	return c, err
}

// A Course is what is known of an execution once it is over.
type Course struct {
	Run    []schedule.Decision
	Digest uint64   // of all that happened, in its order
	Order  uint64   // up to the order of what does not conflict
	Pairs  []uint64 // of places, see [schedule.Pairs]; not yet while Ex has the steps
	Tasks  int
	Races  []engine.RaceReport
	Ending
	Contact
	Covered collect.Covered // if that was asked for

	Ex *engine.Execution // if this process has run it, and somebody will look at it
}

// An Ending is how an execution has ended.
type Ending struct {
	Kind    engine.Kind // "" is well
	Unknown string      // why nothing can be concluded
	Cut     bool        // a goroutine that spun was made to rest; see spin.go
	Polled  bool        // and counts its turns
	Timed   bool        // a timer has fired
	Coarse  bool        // it had too many steps; see slice.go
	Stopped bool        // by the strategy
	Left    []string    // kinds of goroutines that never end; see leakage
	Ticking bool        // some of them live by timers
	Stalled bool        // somebody was held up until a timer fired
	Lasted  time.Duration
}

// A Contact is what an execution has had to do with what is no part of it.
type Contact struct {
	Used    []string // trusted packages whose points were left out
	Hidden  []string // see sites
	Outside string   // what it depended on; see network.go
	Notes   control.Notes
	Visible bool // it has made system calls that other processes may notice

	Observed engine.Observers // what the program can tell that is not told of others
}

// Ends reports whether the exploration is over with this execution.
func (c *Course) Ends() bool { return c.Kind != "" || c.Unknown != "" }

// An Opening asks a new process for its first execution.
type Opening struct {
	Schedule schedule.Schedule // nil if it is given by a search, or by a run
	Search   *Searching        // nil if it is given by a run
	Run      []byte
	Without  []int // decisions of the run that are to be the default ones
	// Report asks for the whole result of that run, which fails, and which a card is
	// made of.
	Report   bool
	Seed     uint64
	Failure  verdict.Failure // as far as it is known
	Decision Report          // how the run ended
}

// A Searching is how far a search has come of which each execution has a process of its own.
type Searching struct{ Checkpoint []byte } // empty before the first

// An Opened is what came of it.
type Opened struct {
	Result *verdict.Result // if that was asked for and it failed in that way
	Met    verdict.Failure // as it was met, if it failed
	Search *Searching      // of the search that the schedule was one of
}
