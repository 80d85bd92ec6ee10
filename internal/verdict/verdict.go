package verdict

import (
	"math"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// A Verdict is what an exploration concludes.
type Verdict int

// The verdicts. The zero value is Unknown: nothing is concluded by default.
const (
	Unknown Verdict = iota
	Holds
	Violated
)

var verdictNames = [...]string{Unknown: "unknown", Holds: "holds", Violated: "violated"}

func (v Verdict) String() string { return verdictNames[v] }

// A Result is what [Run] found.
type Result struct {
	Verdict Verdict
	Reason  string   // why the verdict is Unknown; empty otherwise
	Failure *Failure // set if the verdict is Violated

	Schedules int  // executions until the verdict, without those of minimisation
	Distinct  int  // how many of them differed in the order of operations that conflict
	Exhausted bool // every schedule with at most Bound preemptions was run, or one like each that there is
	Unbounded bool // then: the latter; see [DPOR]
	Bound     int  // then, unless Unbounded
	Searched  int  // then: how many schedules there are up to Bound, or that differ by happens-before
	// Incomplete says what [DPOR] left out, and so why it makes no claim.
	Incomplete string
	// Unseen says why nothing can be claimed of any search: something that schedules
	// may depend on was not seen.
	Unseen string
	Cut    bool // a goroutine that repeated itself without effect was taken to wait
	Polled bool // and one that counts its turns was, after many
	// Timed says that there were timers. Stall is for how long, in all, goroutines that
	// could run were held up at most while timers fired.
	Timed bool
	Stall time.Duration
	// Looked says that the time was asked for. What lies between two looks at the clock
	// takes as long as its steps do, and no longer.
	Looked bool
	// Drew says that random numbers were drawn. A search has those of one seed.
	Drew bool
	// Ranged says that a map of several was ranged over. A search has the orders of one seed.
	Ranged bool
	// Kept says that goroutines of a test share what outlives an execution, such as a package
	// variable. But for a few, executions find it as an earlier one has left it.
	Kept bool
	// Pooled says that a pool of package sync gave back what the program had put there. None
	// loses anything, as they may for a collection or for who runs on which processor.
	Pooled bool
	// Mirrored says that of goroutines that are alike when they begin it was not told apart
	// who is who: executions that differ in nothing else were searched as one.
	Mirrored bool
	Pace     Pace // how long schedules take
	// Coarse says that executions went on after Config.MaxSteps steps: see
	// Config.Patient.
	Coarse bool
	// Passed says that schedules failed in a way that is known, and were passed by.
	Passed bool
	Points int // scheduling decisions of the longest execution
	Seed   uint64

	// Novelty is what the samples tell of schedules that were not run.
	Novelty Novelty
	// PCT is what the schedules that were chosen by PCT amount to.
	PCT PCTBound

	// RacesUnchecked says that data races were not looked for, because the
	// process was built without the race detector.
	RacesUnchecked bool
	// Lost says that a goroutine did not give way within Config.Watchdog, and
	// still runs: see [ErrLost].
	Lost bool
	// Outside lists what the executions did that nobody controls. A verdict
	// of Holds does not speak of it.
	Outside []string
	// Depends says that an execution may have depended on what is outside: it
	// started a process, or waited for what no goroutine of its does. To the program
	// next to no time passes meanwhile.
	Depends bool
	// Left describes the goroutines that can never end and that the schedule
	// without preemptions leaves, each kind once, if they are no violation.
	Left []string
	// Noted holds the data races that were seen while Config.Races was
	// RacesNote, each once.
	Noted []engine.RaceReport
	// Bookmark is for [Config].Bookmark, if Config.Enough has ended the
	// exploration, or a failure. It is nil if a Strategy was at work then that is not one of this
	// package, or there is too much to do to be kept.
	Bookmark []byte
	// Suspect is a card of a schedule as it has failed. If it did not fail again in this process,
	// which it may have left in another state, the verdict is Unknown: see [Confirm]. If it did,
	// Failure is of a shorter one, which may fail in this process only, for that reason.
	Suspect string
	// Trusted lists the packages whose points were left out besides the
	// standard library's own.
	Trusted []string
}

// ByCard stands for a strategy where a schedule is a card's.
const ByCard = "card"

// A Failure is one failing schedule, minimised.
type Failure struct {
	Kind engine.Kind
	Timing
	Message  string   // one line
	Messages []string // every failed check of the execution, in order

	Schedule    int    // number of the schedule that failed first, from 1
	Strategy    string // that found it
	Found       int    // preemptions as it was found
	FoundSteps  int    // steps as it was found
	Preemptions int    // preemptions of the minimised schedule
	Steps       int    // steps of the minimised schedule
	// Minimal says that no schedule with fewer preemptions fails for the same cause, and
	// holds goroutines up no longer: all of them were run, with the random choices of this one.
	Minimal bool
	Card    string // replays the minimised schedule; empty for a data race that was seen, and whose schedule does not repeat
	// Plain says that the schedule which preempts nobody fails in the same way.
	// Unless it depends on what is different under control, plain go test fails
	// too.
	Plain bool

	Timeline *timeline.Timeline // the minimised execution

	// Cause is what failed, in words that are the same whenever it fails for the same
	// reason.
	Cause string
	Judged
}

// Says is the first of some texts that a failure says, in its message or in those of its
// failed checks; "" if it says none.
func Says(f *Failure, texts ...string) string {
	said := strings.Join(append([]string{f.Message}, f.Messages...), "\n")
	for _, text := range texts {
		if strings.Contains(said, text) {
			return text
		}
	}
	return ""
}

// A Judged failure is one of a test of others, and whose bug it is.
type Judged struct {
	Blame   timeline.Blame
	Ordered bool // Failure.Plain, but other schedules go well
	Calls   bool // it makes system calls: what fails may be the system
}

// A Timing is what has to do with time of a failure.
type Timing struct {
	Of engine.Kind // what kind it is besides, if its kind is timing; else its kind
	// Stall is how long goroutines that could run are held up in the minimised
	// schedule, by the time of the execution, and Needs says who. They are zero unless
	// the kind is timing.
	Stall time.Duration
	Needs string
	// Only says that no schedule holds goroutines up for less time and fails for the same
	// cause: all that differ were run.
	Only bool
}

// A PCTBound is what is known of a number of schedules that PCT chose.
type PCTBound struct {
	Schedules  []int // how many were run, by depth from 1
	Goroutines int   // most in one execution
	Points     int   // most decisions of one execution
}

// Miss bounds the chance that a bug of the given depth (how many orderings of
// operations it takes) was there and was not met: PCT with depth d meets a bug of
// depth d or less in each schedule with a chance of at least 1/(n·k^(d-1)), for n
// goroutines and k points, and promises nothing for one that is deeper. It is 1 if
// nothing is known. The bound is for schedulers that run strictly by priority,
// and so holds for bodies in which nobody yields.
func (b PCTBound) Miss(depth int) float64 {
	miss := 1.0
	for i, schedules := range b.Schedules {
		if d := i + 1; depth >= 1 && d >= depth {
			meet := 1 / (float64(max(b.Goroutines, 1)) * math.Pow(float64(max(b.Points, 1)), float64(d-1)))
			miss *= math.Pow(1-meet, float64(schedules))
		}
	}
	return miss
}

// NoteRace keeps a race once.
func NoteRace(r *Result, race engine.RaceReport) {
	for _, known := range r.Noted {
		if known.Same(race) {
			return
		}
	}
	r.Noted = append(r.Noted, race)
}

// AddRanked counts one more schedule.
func AddRanked(b *PCTBound, points, goroutines, depth int) {
	for len(b.Schedules) < depth {
		b.Schedules = append(b.Schedules, 0)
	}
	b.Schedules[depth-1]++
	b.Goroutines = max(b.Goroutines, goroutines)
	b.Points = max(b.Points, points)
}
