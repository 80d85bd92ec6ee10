package explore

import (
	"fmt"
	"math"

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

// A Kind is how a schedule failed.
type Kind string

// The kinds of failure.
const (
	KindCheck    Kind = "check"    // t.Error, t.Fatal and their like
	KindPanic    Kind = "panic"    // a panic that nobody recovered
	KindFatal    Kind = "fatal"    // a fatal error of the Go runtime
	KindRace     Kind = "race"     // a data race
	KindDeadlock Kind = "deadlock" // the body can never return, or a cycle of locks
	KindLeak     Kind = "leak"     // a goroutine that can never end
	KindLivelock Kind = "livelock" // no end within the step budget, fairly scheduled
	KindExit     Kind = "exit"     // os.Exit, log.Fatal: the process would have ended
)

// kinds gives each kind its number in a card; append only.
var kinds = []Kind{"", KindCheck, KindPanic, KindFatal, KindRace, KindDeadlock, KindLeak, KindLivelock, KindExit}

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
	Cut        bool // a goroutine that repeated itself without effect was taken to wait
	// Coarse says that executions went on after Config.MaxSteps steps: see
	// Config.Patient.
	Coarse bool
	Points int // scheduling decisions of the longest execution
	Seed   uint64

	// PCT is what the schedules that were chosen by PCT amount to.
	PCT PCTBound

	// RacesUnchecked says that data races were not looked for, because the
	// process was built without the race detector.
	RacesUnchecked bool
	// Lost says that a goroutine did not give way within Config.Stall, and
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
	Noted []RaceReport
	// Bookmark is for [Config].Bookmark, if Config.Enough has ended the
	// exploration. It is nil if a Strategy was at work then that is not one of this
	// package, or there is too much to do to be kept.
	Bookmark []byte
	// Trusted lists the packages whose points were left out besides the
	// standard library's own.
	Trusted []string
}

// A Failure is one failing schedule, minimised.
type Failure struct {
	Kind     Kind
	Message  string   // one line
	Messages []string // every failed check of the execution, in order

	Schedule    int    // number of the schedule that failed first, from 1
	Strategy    string // that found it
	Found       int    // preemptions as it was found
	FoundSteps  int    // steps as it was found
	Preemptions int    // preemptions of the minimised schedule
	Steps       int    // steps of the minimised schedule
	// Minimal says that no schedule with fewer preemptions fails for the same
	// cause: all of them were run, with the random choices of this one.
	Minimal bool
	Card    string // replays the minimised schedule
	// Plain says that the schedule which preempts nobody fails in the same way.
	// Unless it depends on what is different under control, plain go test fails
	// too.
	Plain bool

	Timeline *timeline.Timeline // the minimised execution

	cause    string    // see execution.cause
	replayed *Replayed // if it is from a card
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

// runs is the number of schedules of all depths.
func (b PCTBound) runs() int {
	n := 0
	for _, schedules := range b.Schedules {
		n += schedules
	}
	return n
}

// Summary is the result in a few words, as in the tables of jacquard races.
func (r *Result) Summary() string {
	switch r.Verdict {
	case Violated:
		return fmt.Sprintf("schedule %d, %s, %s, %s", r.Failure.Schedule, plural(r.Failure.Preemptions, "preemption"), r.Failure.Kind, r.Failure.Strategy)
	case Holds:
		return r.extent() + r.unchecked()
	}
	return r.Reason
}

// cutNote says that spinning was cut short, which a search does not speak of.
func (r *Result) cutNote() string {
	if !r.Cut {
		return ""
	}
	return fmt.Sprintf(", who spins %d times taken to wait", spinTurns[0])
}

// extent is what was explored without a failure.
func (r *Result) extent() string {
	if r.Unbounded && r.Searched == 1 {
		return "exhausted: 1 execution, and no other that differs by happens-before" + r.cutNote()
	}
	if r.Unbounded {
		return fmt.Sprintf("exhausted: all %s that differ by happens-before%s", plural(r.Searched, "execution"), r.cutNote())
	}
	if r.Exhausted {
		return fmt.Sprintf("exhausted at ≤ %s: %s%s", plural(r.Bound, "preemption"), plural(r.Searched, "schedule"), r.cutNote())
	}
	text := fmt.Sprintf("sampled %s, %d distinct", plural(r.Schedules, "schedule"), r.Distinct)
	if r.PCT.runs() > 0 {
		text += fmt.Sprintf("; a bug of depth 2 is missed with a chance of at most %.0f %%", 100*r.PCT.Miss(2))
	}
	return text
}

// unchecked is what is to be said of data races.
func (r *Result) unchecked() string {
	if !r.RacesUnchecked {
		return ""
	}
	return "; data races were not looked for"
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
