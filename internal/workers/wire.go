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

// Messages between the exploring process and its workers: a stream of gob values each
// way. Code addresses are relative to the program's text.

// A briefing is the first message to a worker: the results of the explorations before
// the one that it serves.
type briefing struct {
	Past  []past
	First bool // the job asks for the first execution of the process
}

// A past is the result of an earlier exploration.
type past struct {
	Name   string
	Result *verdict.Result
	Err    string // error of Run; then Result is nil
}

// A hello is the first message of a worker, once it has reached an exploration: the
// identity of that exploration.
type hello struct {
	Exploration Identity
}

// An Identity distinguishes the explorations of a program.
type Identity struct {
	Number  int    // in its test, from 1
	Name    string // Config.Name
	Program uint32
	Config  uint64 // digest of the other fields of Config that influence executions
	Body    int64  // code address
	Course  uint64 // digest of the default schedule
}

// A Job asks a worker to run some schedules. A job of another batch makes all earlier
// ones void.
type Job struct {
	Batch     int
	Points    Structure
	Schedules []numbered
	Opening   *Opening
}

// A Structure is what determines the points besides the program, and what fails there.
type Structure struct {
	Memory    []int64 // accesses that are points
	Observers engine.Observers
	Watched   bool // see engine.Engine
	Races     engine.RacePolicy
	Stall     time.Duration
}

type numbered struct {
	Index    int // in the batch
	Schedule schedule.Schedule
}

// A Message is sent by a worker: first hello, and then a report for each schedule of
// its jobs, in order, several per message.
type Message struct {
	Hello   *hello
	Reports []*Report
	Opened  *Opened
}

// A Report is the encoded form of a course.
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

// A Course is the result of an execution.
type Course struct {
	Run    []schedule.Decision
	Digest uint64   // of everything that happened, in order
	Order  uint64   // the same, ignoring the order of operations that do not conflict
	Pairs  []uint64 // see [schedule.Pairs]; unset while Ex has the steps
	Tasks  int
	Races  []engine.RaceReport
	Ending
	Contact
	Covered collect.Covered // set if coverage is collected

	Ex *engine.Execution // set if this process has run it and its steps are needed
}

// An Ending says how an execution ended.
type Ending struct {
	Kind    engine.Kind // "" means that nothing failed
	Unknown string      // why nothing can be concluded
	Cut     bool        // a goroutine that spun was made to rest; see spin.go
	Polled  bool        // and one that counts its turns
	Timed   bool        // a timer has fired
	Coarse  bool        // it had too many steps; see slice.go
	Stopped bool        // by the strategy
	Left    []string    // kinds of goroutines that never end; see [engine.Leakage]
	Ticking bool        // some of them live by timers
	Stalled bool        // goroutines were held up until a timer fired
	Lasted  time.Duration
}

// A Contact is what an execution shared with its environment.
type Contact struct {
	Used    []string // trusted packages whose points were left out
	Hidden  []string // see [source.Sites]
	Outside string   // what it depended on; see network.go
	Notes   control.Notes
	Visible bool // it has made system calls that other processes may notice

	Observed engine.Observers // observers found in the execution
}

// Ends reports whether the execution ends the exploration.
func (c *Course) Ends() bool { return c.Kind != "" || c.Unknown != "" }

// An Opening asks a new process to run its first execution.
type Opening struct {
	Schedule schedule.Schedule // nil if Search or Run is given
	Search   *Searching        // nil if Run is given
	Run      []byte
	Without  []int // decisions of Run that are replaced by the default
	// Report asks for the whole result of Run, which fails, including its
	// card.
	Report   bool
	Seed     uint64
	Failure  verdict.Failure // the failure so far
	Decision Report          // the ending of Run
}

// A Searching is the state of a search in which each execution has a process of its own.
type Searching struct{ Checkpoint []byte } // empty before the first

// An Opened is the answer to an Opening.
type Opened struct {
	Result *verdict.Result // set if Report was asked for and the run failed as before
	Met    verdict.Failure // the failure as it was found, if any
	Search *Searching      // the state of the search after this schedule
}
