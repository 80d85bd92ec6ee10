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
	Distinct  int  // how many of them differ in the order of conflicting operations
	Exhausted bool // every schedule with at most Bound preemptions was run; or, if Unbounded, one equivalent to each schedule
	Unbounded bool // if Exhausted: without a bound on preemptions; see [DPOR]
	Bound     int  // if Exhausted and not Unbounded
	Searched  int  // if Exhausted: how many schedules there are up to Bound, or that differ by happens-before
	// Incomplete says what [DPOR] left out, which is why it makes no claim.
	Incomplete string
	// Unseen says why no search can claim anything: something that schedules may depend
	// on was not seen.
	Unseen string
	Cut    bool // a goroutine that repeated itself without effect was taken to wait
	Polled bool // and one such goroutine counts its turns, after many
	// Timed says that there were timers. Stall bounds how long, in all, goroutines that
	// could run were held up while timers fired.
	Timed bool
	Stall time.Duration
	// Looked says that the program read the time. Between two readings only the time of
	// the steps in between passes; no goroutine is held up there.
	Looked bool
	// Together says that timers due together have fired, all before a goroutine that one of
	// them woke could run.
	Together bool
	// Drew says that random numbers were drawn. A search uses those of one seed.
	Drew bool
	// Ranged says that a map of several keys was ranged over. A search uses one seed's orders.
	Ranged bool
	// Kept says that goroutines of a test share state that outlives an execution, such as a
	// package variable. All but a few executions find it as an earlier one has left it.
	Kept bool
	// Pooled says that a pool of package sync returned what the program had put into it. Under
	// control pools lose nothing, as they may by a collection or by the choice of processors.
	Pooled bool
	// Mirrored says that goroutines were indistinguishable when they began: executions that
	// differ only in which of them is which were searched as one.
	Mirrored bool
	Pace     Pace // how long schedules take in virtual time
	// Coarse says that executions went on after Config.MaxSteps steps: see
	// Config.Patient.
	Coarse bool
	// Passed says that schedules failed in a known way (Config.Pass), and were passed by.
	Passed bool
	Points int // decisions of the longest execution
	Seed   uint64

	// Novelty estimates what schedules that were not run would show.
	Novelty Novelty
	// PCT bounds the probability that PCT's schedules have missed a bug.
	PCT PCTBound

	// RacesUnchecked says that data races were not detected, because the process was
	// built without the race detector.
	RacesUnchecked bool
	// Lost says that a goroutine did not give way within Config.Watchdog, and still
	// runs: see [ErrLost].
	Lost bool
	// Outside lists uncontrolled things that the executions did. A verdict of Holds
	// does not cover them.
	Outside []string
	// Depends says that an execution may have depended on something outside: it started
	// a process, or waited for something that none of its goroutines does. The program
	// sees almost no time pass meanwhile.
	Depends bool
	// Left describes the goroutines that can never end and that the schedule without
	// preemptions leaves, each kind once, if they are no violation.
	Left []string
	// Noted holds the data races that were seen while Config.Races was RacesNote,
	// without duplicates.
	Noted []engine.RaceReport
	// Bookmark is for [Config].Bookmark. It is set if Config.Enough has ended the
	// exploration, or if a failure has while Enough is set. It is nil if the running strategy
	// is no Checkpointer, or if the checkpoint would be too large.
	Bookmark []byte
	// Suspect is a card of a failing schedule as it was found. If it did not fail again in this
	// process, whose state it may have changed, the verdict is Unknown: see [Confirm]. If it did,
	// Failure has a reduced schedule, which for the same reason may fail only in this process.
	Suspect string
	// Trusted lists the packages, besides the standard library's, whose points were
	// left out; Unmet the patterns of Config.Trust that match none of them.
	Trusted, Unmet []string
}

// ByCard is the strategy name of failures that a card's schedule shows.
const ByCard = "card"

// A Failure is one failing schedule, minimised.
type Failure struct {
	Kind engine.Kind
	Timing
	Message  string   // one line
	Messages []string // every failed check of the execution, in order

	Schedule    int    // number of the first failing schedule, from 1
	Strategy    string // that found it
	Found       int    // preemptions before minimisation
	FoundSteps  int    // steps before minimisation
	Preemptions int    // preemptions of the minimised schedule
	Steps       int    // steps of the minimised schedule
	// Minimal says that no schedule with fewer preemptions that holds goroutines up for no
	// longer fails for the same cause: all were run, with the random choices of this one.
	Minimal bool
	Card    string // replays the minimised schedule; empty for a data race that was seen but does not repeat
	// Plain says that the schedule without preemptions fails in the same way. Then
	// plain go test fails too, unless the failure depends on differences between
	// controlled and plain runs.
	Plain bool

	Timeline *timeline.Timeline // the minimised execution

	// Cause describes the failure in words that are the same whenever it has the same
	// reason.
	Cause string
	Judged
}

// Says returns the first of the texts that occurs in the failure's message or in those
// of its failed checks; "" if none does.
func Says(f *Failure, texts ...string) string {
	said := strings.Join(append([]string{f.Message}, f.Messages...), "\n")
	for _, text := range texts {
		if strings.Contains(said, text) {
			return text
		}
	}
	return ""
}

// TooLate reports whether a goroutine has logged for a test that was over, or failed it.
func TooLate(f *Failure) bool {
	return f.Of == engine.KindPanic && strings.Contains(f.Message, " in goroutine after ") && strings.Contains(f.Message, " has completed")
}

// A Turn is a decision of a schedule, counted from 1, and the goroutine that runs there.
type Turn struct {
	At        int
	Goroutine uint32
}

// A Judged says, for a failure of a user's test, where the bug is.
type Judged struct {
	Blame   timeline.Blame
	Ordered bool // Plain, but other schedules pass
	Always  bool // Plain, and all other schedules that were tried fail in the same way
	Passes  Turn // Ordered: with that turn changed the default schedule passes; none if At is 0
	Quantum bool // others ran when a goroutine that could go on had used up its quantum
	Calls   bool // the execution makes system calls, so that the system may be what fails
}

// A Timing is the part of a failure that concerns time.
type Timing struct {
	Of engine.Kind // the kind apart from timing
	// Stall is how long goroutines that could run are held up in the minimised
	// schedule, in virtual time, and Needs says which goroutines. They are zero unless
	// the kind is timing.
	Stall time.Duration
	Needs string
	// Only says that no schedule that holds goroutines up for less time fails for the
	// same cause: all that differ were run.
	Only bool
}

// A PCTBound is a bound on the probability that PCT's schedules have missed a bug.
type PCTBound struct {
	Schedules  []int // number of schedules run, by depth from 1
	Goroutines int   // the most in one execution
	Points     int   // the most decisions of one execution
}

// Miss bounds the probability that a bug of the given depth (the number of orderings of
// operations that it needs) exists and was missed: PCT with depth d finds a bug of
// depth d or less in each schedule with probability at least 1/(n·k^(d-1)), for n
// goroutines and k points, and guarantees nothing for deeper bugs. Miss returns 1 if
// nothing is known. The bound applies to schedulers that run strictly by priority, and
// so to bodies in which no goroutine yields.
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

// NoteRace adds a race to r.Noted unless it is there already.
func NoteRace(r *Result, race engine.RaceReport) {
	for _, known := range r.Noted {
		if known.Same(race) {
			return
		}
	}
	r.Noted = append(r.Noted, race)
}

// AddRanked records one more schedule.
func AddRanked(b *PCTBound, points, goroutines, depth int) {
	for len(b.Schedules) < depth {
		b.Schedules = append(b.Schedules, 0)
	}
	b.Schedules[depth-1]++
	b.Goroutines = max(b.Goroutines, goroutines)
	b.Points = max(b.Points, points)
}
