package explore

import (
	"fmt"

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
)

// kinds gives each kind its number in a card; append only.
var kinds = []Kind{"", KindCheck, KindPanic, KindFatal, KindRace, KindDeadlock, KindLeak, KindLivelock}

// A Result is what [Run] found.
type Result struct {
	Verdict Verdict
	Reason  string   // why the verdict is Unknown; empty otherwise
	Failure *Failure // set if the verdict is Violated

	Schedules int  // executions until the verdict, without those of minimisation
	Searched  int  // those of them that were run depth first
	Distinct  int  // how many of them differed
	Exhausted bool // every schedule with at most Bound preemptions was run
	Bound     int  // meaningful if Exhausted
	Points    int  // scheduling decisions of the longest execution
	Seed      uint64

	// Noted holds the data races that were seen while Config.Races was
	// RacesNote, each once.
	Noted []RaceReport
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
	Preemptions int    // preemptions of the minimised schedule
	Card        string // replays the minimised schedule

	Timeline *timeline.Timeline // the minimised execution
}

// Summary is the result in a few words, as in the tables of jacquard races.
func (r *Result) Summary() string {
	switch r.Verdict {
	case Violated:
		return fmt.Sprintf("schedule %d, %s, %s, %s", r.Failure.Schedule, plural(r.Failure.Preemptions, "preemption"), r.Failure.Kind, r.Failure.Strategy)
	case Holds:
		if r.Exhausted {
			return fmt.Sprintf("exhausted at ≤ %s: %s", plural(r.Bound, "preemption"), plural(r.Searched, "schedule"))
		}
		return fmt.Sprintf("sampled %s, %d distinct", plural(r.Schedules, "schedule"), r.Distinct)
	}
	return r.Reason
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
