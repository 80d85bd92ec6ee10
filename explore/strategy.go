package explore

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
	Runnable []uint32 // goroutines that can run, by number, ascending
	Current  int      // place in Runnable of the one that ran last; -1 if it cannot go on
	Yielded  bool     // the one that ran last has asked to let others run, or has run for too long
	Next     int      // place in Runnable of the next goroutine in turn after the last one
	Created  int      // goroutines created so far

	// Pending is the next operation of each goroutine, by its number. That of one
	// that cannot run says nothing.
	Pending []Operation
	// Steps are the steps so far.
	Steps []Step
}

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
	Stop bool // end the execution here instead: what would follow is known

	Index int    // place in Point.Runnable
	Case  uint32 // taken modulo the number of ready cases
}

// A Decision is a point and what was chosen there.
type Decision struct {
	Runnable  int    // how many could run
	Default   int    // see [Point.Default]
	Preempts  bool   // choosing another than Default would have been a preemption
	Chosen    Choice // what was chosen, Case reduced
	Ready     int    // ready cases of the select that was run, else 0
	Goroutine uint32 // that was run
	Last      uint32 // that ran before; 0 at first
	Nth       int    // how many decisions had the same Last before this one
	hash      uint64 // of the execution up to this point
}

// Deviates reports whether the decision was not the default one.
func (d Decision) Deviates() bool { return d.Chosen.Index != d.Default || d.Chosen.Case != 0 }

// preemptions counts the decisions that took a goroutine off that could have
// gone on.
func preemptions(run []Decision) int {
	n := 0
	for _, d := range run {
		if d.Preempts && d.Chosen.Index != d.Default {
			n++
		}
	}
	return n
}

// A rng is a small repeatable random stream (splitmix64, Steele et al., OOPSLA
// 2014). Its state is its seed.
type rng uint64

func (r *rng) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// n returns a number from 0 to n-1.
func (r *rng) n(n int) int { return int(r.next() % uint64(n)) }
