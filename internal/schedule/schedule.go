package schedule

// A Schedule is all that decides one execution, as plain data: it can be run
// in any process of the program.
type Schedule interface {
	// Start returns what chooses at each point, and the seed of the random
	// choices that the runtime makes. It may be called several times.
	Start() (Picker, uint64)
}

// A Ranked schedule is by priorities with random changes, so that it has a known
// chance of meeting a bug of up to a certain depth; see PCTBound.
type Ranked interface{ Depth() int }

// A Drawer is a Strategy that can say what its next schedules are before those
// said before have been run. How many it is asked for at once is decided by
// their number alone, so that it does not matter who runs them, and when.
type Drawer interface {
	Strategy
	// Draw returns the next schedule; false if there is none, or none before
	// those that were drawn have been run.
	Draw() (Schedule, bool)
	// Ran tells what a drawn schedule was. It is called for all of them in
	// the order in which they were drawn.
	Ran(s Schedule, run Trace)
}

// A Drawn is the schedule that is being run by a drawer that is used as a
// plain Strategy: one after the other.
type Drawn struct {
	Schedule Schedule
	picker   Picker
}

func (d *Drawn) Take(s Schedule, ok bool) (uint64, bool) {
	if !ok {
		return 0, false
	}
	var seed uint64
	d.Schedule = s
	d.picker, seed = s.Start()
	return seed, true
}

// Pick chooses at a point where there is a choice.
func (d *Drawn) Pick(p *Point) Choice { return d.picker.Pick(p) }

// DrawerOf is s, or a drawer that has one schedule of s at a time.
func DrawerOf(s Strategy) Drawer {
	if d, ok := s.(Drawer); ok {
		return d
	}
	return &Single{Strategy: s}
}

// A Single is a Strategy that has to know how each schedule went before it can
// choose the next.
type Single struct {
	Strategy
	open bool // a schedule was drawn and has not been run
}

// An OwnSchedule is chosen step by step by a Strategy of this process.
type OwnSchedule struct {
	strategy Strategy
	seed     uint64
}

func (s OwnSchedule) Start() (Picker, uint64) { return s.strategy, s.seed }

func (s *Single) Reset(seed uint64) {
	s.open = false
	s.Strategy.Reset(seed)
}

func (s *Single) Draw() (Schedule, bool) {
	if s.open {
		return nil, false
	}
	seed, ok := s.Begin()
	s.open = ok
	return OwnSchedule{s.Strategy, seed}, ok
}

func (s *Single) Ran(_ Schedule, run Trace) {
	s.open = false
	s.End(run)
}

// A Picker decides a schedule.
type Picker interface{ Pick(*Point) Choice }

// A Deviation is a decision other than the default one.
type Deviation struct {
	At     int // number of the decision
	Choice Choice
	Hash   uint64 // of the execution up to there
}

// In reports whether a run has come to the deviation, and has made it.
func (d Deviation) In(run []Decision) bool {
	return d.At < len(run) && run[d.At].Hash == d.Hash && run[d.At].Chosen == d.Choice
}

// Deviations extracts what was not chosen by default.
func Deviations(run []Decision) []Deviation {
	var all []Deviation
	for i, d := range run {
		if d.Deviates() {
			all = append(all, Deviation{At: i, Choice: d.Chosen, Hash: d.Hash})
		}
	}
	return all
}
