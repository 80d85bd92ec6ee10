package schedule

import "time"

// A Strategy chooses schedules. Each serves one exploration at a time, which calls it
// from one goroutine.
type Strategy interface {
	// Name is the strategy's name in results, such as "pct".
	Name() string
	// Reset discards all state; the next schedule is the first again.
	Reset(seed uint64)
	// Begin starts the next schedule and returns the seed of its random choices. ok is
	// false if no schedule is left.
	Begin() (seed uint64, ok bool)
	// Pick chooses at a point with more than one alternative.
	Pick(p *Point) Choice
	// End passes the run of the schedule to the strategy.
	End(run Trace)
}

// A Point is a moment at which the schedule is decided: no goroutine runs, and each of
// those that can run has announced its next operation.
type Point struct {
	Index    int      // number of the decision in this execution, from 0
	Runnable []uint32 // goroutines that can run, by number, ascending; the [Clock] may follow
	Current  int      // index in Runnable of the goroutine that ran last; -1 if it cannot continue
	Yielded  bool     // the goroutine that ran last has yielded, or has run for too long
	Next     int      // index in Runnable of the next goroutine in turn after the last one
	Created  int      // goroutines created so far

	// Pending is the next operation of each goroutine, by its number. It is meaningless
	// for goroutines that cannot run.
	Pending []Operation
	// Steps are the steps so far.
	Steps []Step
	// Held reports whether a goroutine is about to take a mutex whose holder may yet unlock
	// it: the goroutine would only begin to wait.
	Held func(goroutine uint32) bool
	// Mirrors reports whether a goroutine is one of two indistinguishable ones and the other,
	// which can run too, must go first: what follows differs only by their names.
	Mirrors func(goroutine uint32) bool
}

// Clock is the pseudo-goroutine for the clock in Runnable: choosing it lets the next
// timer fire, and holds up all goroutines that could run until then. It is present
// where a timer is near enough; see Config.Stall.
const Clock = 0

// Clocked reports whether the clock can be chosen.
func (p *Point) Clocked() bool { return p.Runnable[len(p.Runnable)-1] == Clock }

// Default returns the choice without a preemption: the goroutine that ran last if it
// can continue and has not yielded, else the next in turn.
func (p *Point) Default() int {
	if p.Current >= 0 && !p.Yielded {
		return p.Current
	}
	return p.Next
}

// Preempts reports whether choosing Runnable[i] is a preemption.
func (p *Point) Preempts(i int) bool {
	return p.Current >= 0 && !p.Yielded && i != p.Current
}

// A Choice is a goroutine and, if its operation is a select, the index among its ready
// cases. An Index that is not in Runnable stands for Point.Default: the Trace, which End
// gets, has the choice that was made.
type Choice struct {
	Index int    // in Point.Runnable
	Case  uint32 // taken modulo the number of ready cases
	Stop  bool   // instead: the strategy knows the rest, which runs by default; the Trace ends here
}

// A Decision is a point together with the choice that was made there.
type Decision struct {
	Runnable  int    // how many goroutines could run, with the clock
	Default   int    // see [Point.Default]
	Chosen    Choice // the choice, with Case reduced modulo Ready
	Ready     int    // ready cases of the select that was run, else 0
	Goroutine uint32 // the one that was run, or Clock
	Turn      uint32 // the one that the default would have run
	Last      uint32 // the one that ran before; 0 at first
	Nth       int    // how many decisions had the same Last before this one
	Hash      uint64 // digest of the execution up to this point
	Preempts  bool   // choosing another goroutine than Default would have been a preemption
	Clocked   bool   // the last alternative is the clock
	Held      bool   // Clocked, and all that could run are held up already
}

// Deviates reports whether the decision was not the default one.
func (d Decision) Deviates() bool { return d.Chosen.Index != d.Default || d.Chosen.Case != 0 }

// Stalls reports whether choosing i holds up goroutines.
func (d Decision) Stalls(i int) bool { return d.Clocked && i == d.Runnable-1 }

// Costs reports whether choosing i is a preemption, or holds up a goroutine that was
// not held up already.
func (d Decision) Costs(i int) bool {
	if d.Stalls(i) {
		return !d.Held
	}
	return d.Preempts && i != d.Default
}

// Cost counts the preemptions, and the steps of the clock that hold up goroutines anew.
func Cost(run []Decision) int {
	n := 0
	for _, d := range run {
		if d.Costs(d.Chosen.Index) {
			n++
		}
	}
	return n
}

// Preemptions counts the decisions that replaced a goroutine that could have continued
// by another one.
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

// Stall allows the whole stall time, although DefaultPick never uses it.
func (DefaultPick) Stall(most time.Duration) time.Duration { return most }

// PatientPick is the schedule in which no goroutine is stopped that can go on, however long it runs.
type PatientPick struct{}

func (PatientPick) Pick(p *Point) Choice {
	if p.Current >= 0 {
		return Choice{Index: p.Current}
	}
	return Choice{Index: p.Default()}
}

// A Stage is a strategy and how many schedules it may run. A strategy (a pointer) that
// an earlier stage also has resumes where that stage ended; it begins anew if stages in
// between have found new racing accesses.
type Stage struct {
	Strategy  Strategy
	Schedules int  // at most; must be positive
	Near      bool // only as long as the strategy, a [Foreseer], expects to complete its search within them
	Beyond    bool // even if that is more than [Config].Schedules
}

// A Foreseer is a search that knows how far it has come.
type Foreseer interface {
	Strategy
	// Rest estimates how many more schedules complete the search: +Inf if it will make no claim, and
	// 0 as long as too few were run for an estimate.
	Rest() float64
}

// An Aimer is a [Strategy] that is directed at places in the code: lines, such as
// "bank.go:18", functions, such as "example.com/bank.(*Bank).Put", or stacks: text lines with
// a function and a code line each, innermost first. Operations say how near they are to one.
type Aimer interface {
	Strategy
	Targets() []string
}

// A Nearness says how near an operation is to a place that an [Aimer] names: at the
// place, or in code that is called there.
type Nearness uint8

const (
	// Elsewhere: it is not near.
	Elsewhere Nearness = iota
	// SameFunction: it is in the named function.
	SameFunction
	// SameLine: it is at the line, or a few above, where the values that the line checks are read.
	SameLine
	// SameCallers: as SameLine, and its callers are those of the stack.
	SameCallers
	// ExactLine: it is at the line itself.
	ExactLine
	// ExactStack: as ExactLine, and its callers are those of the stack.
	ExactStack
)

// An Exhauster is a [Strategy] that knows whether there is anything left to run.
type Exhauster interface {
	Strategy
	// Exhausted returns what the schedules so far amount to. It is called when no more
	// schedules are wanted, or when there are none.
	Exhausted() Extent
}

// An Extent is how far a search has come.
type Extent struct {
	// Complete: every schedule with at most Bound preemptions was run; or, if
	// Unbounded, one equivalent to each schedule.
	Complete  bool
	Unbounded bool
	Bound     int
	Schedules int    // how many schedules that took
	Why       string // what was left out, if the search makes no claim because of it
}

// A Checkpointer is a [Strategy] whose search another process can resume.
type Checkpointer interface {
	Strategy
	// Checkpoint returns everything that determines the next schedules. It is called
	// between two schedules.
	Checkpoint() ([]byte, error)
	// Restore resumes from a checkpoint; it replaces Reset.
	Restore(checkpoint []byte) error
}
