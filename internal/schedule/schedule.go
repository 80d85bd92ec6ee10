package schedule

// A Schedule determines one execution, as plain data: any process of the program can
// run it.
type Schedule interface {
	// Start returns a picker and the seed of the random choices that the runtime makes.
	// It may be called several times.
	Start() (Picker, uint64)
}

// A Ranked schedule uses priorities with random changes, so that its probability of
// finding a bug up to a certain depth is known; see PCTBound.
type Ranked interface{ Depth() int }

// A Drawer is a Strategy that can draw schedules before earlier ones have been run. How
// many are drawn at once depends only on their number so far, so that the result does
// not depend on which process runs them, and when.
type Drawer interface {
	Strategy
	// Draw returns the next schedule; false if there is none, or none before the drawn
	// ones have been run.
	Draw() (Schedule, bool)
	// Ran reports the run of a drawn schedule. It is called for all of them in the
	// order in which they were drawn.
	Ran(s Schedule, run Trace)
}

// A Drawn lets a drawer be used as a plain Strategy, one schedule after the other. It
// holds the schedule that is running.
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

// DrawerOf returns s, or a drawer that draws one schedule of s at a time.
func DrawerOf(s Strategy) Drawer {
	if d, ok := s.(Drawer); ok {
		return d
	}
	return &Single{Strategy: s}
}

// A Single is a drawer for a Strategy that must see the run of each schedule before it
// can choose the next.
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

// A Picker decides a schedule at each point.
type Picker interface{ Pick(*Point) Choice }

// A Deviation is a decision other than the default one.
type Deviation struct {
	At     int // number of the decision
	Choice Choice
	Hash   uint64 // of the execution up to there
}

// In reports whether a run has reached the deviation and made it.
func (d Deviation) In(run []Decision) bool {
	return d.At < len(run) && run[d.At].Hash == d.Hash && run[d.At].Chosen == d.Choice
}

// Deviations returns the decisions of a run that were not the default.
func Deviations(run []Decision) []Deviation {
	var all []Deviation
	for i, d := range run {
		if d.Deviates() {
			all = append(all, Deviation{At: i, Choice: d.Chosen, Hash: d.Hash})
		}
	}
	return all
}
