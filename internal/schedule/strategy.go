package schedule

import "time"

// A Strategy chooses schedules. It is used for one exploration at a time, from
// one goroutine.
type Strategy interface {
	// Name is the strategy's name in results, such as "pct".
	Name() string
	// Reset forgets everything; the next schedule is the first again.
	Reset(seed uint64)
	// Begin starts the next schedule and returns the seed of its random
	// choices. ok is false if the strategy has no schedule left.
	Begin() (seed uint64, ok bool)
	// Pick chooses at a point where there is a choice.
	Pick(p *Point) Choice
	// End tells the strategy what the schedule was.
	End(run Trace)
}

// A Point is a moment at which a schedule is decided: no goroutine runs, and
// each of those that can has announced its next operation.
type Point struct {
	Index    int      // number of the decision in this execution, from 0
	Runnable []uint32 // goroutines that can run, by number, ascending; behind them perhaps the [Clock]
	Current  int      // place in Runnable of the one that ran last; -1 if it cannot go on
	Yielded  bool     // the one that ran last has asked to let others run, or has run for too long
	Next     int      // place in Runnable of the next goroutine in turn after the last one
	Created  int      // goroutines created so far

	// Pending is the next operation of each goroutine, by its number. That of one
	// that cannot run says nothing.
	Pending []Operation
	// Steps are the steps so far.
	Steps []Step
	// Held reports whether a goroutine is about to take a mutex that somebody has who may yet
	// give it back: all that it would do is to begin to wait.
	Held func(goroutine uint32) bool
	// Mirrors reports whether a goroutine would go first of two that nobody can tell apart, as
	// the other one can: what follows differs only by who is who.
	Mirrors func(goroutine uint32) bool
}

// Clock stands among those that can run for the clock: to choose it lets the next timer
// fire, and holds up all that could run until then. It is there where a timer is near
// enough for that; see Config.Stall.
const Clock = 0

// Clocked reports whether the clock is among those that can be chosen.
func (p *Point) Clocked() bool { return p.Runnable[len(p.Runnable)-1] == Clock }

// Default is the choice that costs no preemption: go on with the goroutine
// that ran last if it can and has not yielded, else take the next in turn.
func (p *Point) Default() int {
	if p.Current >= 0 && !p.Yielded {
		return p.Current
	}
	return p.Next
}

// Preempts reports whether to run Runnable[i] is a preemption.
func (p *Point) Preempts(i int) bool {
	return p.Current >= 0 && !p.Yielded && i != p.Current
}

// A Choice is a goroutine and, if its operation is a select, which of the
// cases that are ready by then.
type Choice struct {
	Index int    // place in Point.Runnable
	Case  uint32 // taken modulo the number of ready cases
	Stop  bool   // instead: what would follow is known; the rest runs by itself, and Trace ends here
}

// A Decision is a point and what was chosen there.
type Decision struct {
	Runnable  int    // how many could run
	Default   int    // see [Point.Default]
	Chosen    Choice // what was chosen, Case reduced
	Ready     int    // ready cases of the select that was run, else 0
	Goroutine uint32 // that was run, or Clock
	Last      uint32 // that ran before; 0 at first
	Nth       int    // how many decisions had the same Last before this one
	Hash      uint64 // of the execution up to this point
	Preempts  bool   // choosing another goroutine than Default would have been a preemption
	Clocked   bool   // the last that could be chosen is the clock
	Held      bool   // and all that could run are held up already
}

// Deviates reports whether the decision was not the default one.
func (d Decision) Deviates() bool { return d.Chosen.Index != d.Default || d.Chosen.Case != 0 }

// Stalls reports whether to choose i holds up goroutines.
func (d Decision) Stalls(i int) bool { return d.Clocked && i == d.Runnable-1 }

// Costs reports whether to choose i is a preemption, or holds up a goroutine that was
// not held up already.
func (d Decision) Costs(i int) bool {
	if d.Stalls(i) {
		return !d.Held
	}
	return d.Preempts && i != d.Default
}

// Cost counts the preemptions, and how often goroutines are held up.
func Cost(run []Decision) int {
	n := 0
	for _, d := range run {
		if d.Costs(d.Chosen.Index) {
			n++
		}
	}
	return n
}

// Preemptions counts the decisions that took a goroutine off that could have
// gone on, for another one.
func Preemptions(run []Decision) int {
	n := 0
	for _, d := range run {
		if d.Preempts && d.Chosen.Index != d.Default && !d.Stalls(d.Chosen.Index) {
			n++
		}
	}
	return n
}

// DefaultPick is the schedule without any deviation.
type DefaultPick struct{}

func (DefaultPick) Pick(p *Point) Choice { return Choice{Index: p.Default()} }

// Stall says that goroutines might be held up, for as long as is allowed; none is.
func (DefaultPick) Stall(most time.Duration) time.Duration { return most }

// A Stage is one strategy and how many schedules it may run. A strategy, a pointer, that
// is in an earlier stage too goes on from where that one ended; it begins anew if stages
// between have met new racing accesses.
type Stage struct {
	Strategy  Strategy
	Schedules int // at most; must be positive
}

// An Aimer is a [Strategy] that is directed at places in the code: lines, such as
// "bank.go:18", functions, such as "example.com/bank.(*Bank).Put", or stacks: lines of a
// function and a line each, innermost first. Operations say how near they are to one.
type Aimer interface {
	Strategy
	Targets() []string
}

// A Nearness says how near an operation is to a place that an [Aimer] names: it is
// there, or what is called there leads to it.
type Nearness uint8

const (
	// Elsewhere is that it is not near.
	Elsewhere Nearness = iota
	// SameFunction is that it is in a function of that name.
	SameFunction
	// SameLine is that it is at such a line, or a few above: so a check is of what was read before.
	SameLine
	// SameCallers is that its callers are those of the stack, besides.
	SameCallers
	// ExactLine is that it is at the line itself.
	ExactLine
	// ExactStack is that its callers are those of the stack, besides.
	ExactStack
)

// An Exhauster is a [Strategy] that knows whether there is anything left to run.
type Exhauster interface {
	Strategy
	// Exhausted says what the schedules up to now amount to. It is asked when no
	// more are wanted, be it that there are none.
	Exhausted() Extent
}

// An Extent is how far a search has come.
type Extent struct {
	// Complete: every schedule with at most Bound preemptions was run; or, if
	// Unbounded, one like each that there is.
	Complete  bool
	Unbounded bool
	Bound     int
	Schedules int    // how many there are up to there
	Why       string // what was left out, if the search makes no claim for that reason
}

// A Checkpointer is a [Strategy] with which another process can go on.
type Checkpointer interface {
	Strategy
	// Checkpoint is all that the next schedules depend on. It is asked between two
	// schedules.
	Checkpoint() ([]byte, error)
	// Restore goes on from a checkpoint, in place of Reset.
	Restore(checkpoint []byte) error
}
