package explore

// A schedule is all that decides one execution, as plain data: it can be run
// in any process of the program.
type schedule interface {
	// start returns what chooses at each point, and the seed of the random
	// choices that the runtime makes. It may be called several times.
	start() (picker, uint64)
}

// A drawer is a Strategy that can say what its next schedules are before those
// said before have been run. How many it is asked for at once is decided by
// their number alone, so that it does not matter who runs them, and when.
type drawer interface {
	Strategy
	// draw returns the next schedule; false if there is none, or none before
	// those that were drawn have been run.
	draw() (schedule, bool)
	// ran tells what a drawn schedule was. It is called for all of them in
	// the order in which they were drawn.
	ran(s schedule, run Trace)
}

// A drawn is the schedule that is being run by a drawer that is used as a
// plain Strategy: one after the other.
type drawn struct {
	schedule schedule
	picker   picker
}

func (d *drawn) begin(s schedule, ok bool) (uint64, bool) {
	if !ok {
		return 0, false
	}
	var seed uint64
	d.schedule = s
	d.picker, seed = s.start()
	return seed, true
}

// Pick chooses at a point where there is a choice.
func (d *drawn) Pick(p *Point) Choice { return d.picker.Pick(p) }

// drawerOf is s, or a drawer that has one schedule of s at a time.
func drawerOf(s Strategy) drawer {
	if d, ok := s.(drawer); ok {
		return d
	}
	return &single{Strategy: s}
}

// A single is a Strategy that has to know how each schedule went before it can
// choose the next.
type single struct {
	Strategy
	open bool // a schedule was drawn and has not been run
}

// An ownSchedule is chosen step by step by a Strategy of this process.
type ownSchedule struct {
	strategy Strategy
	seed     uint64
}

func (s ownSchedule) start() (picker, uint64) { return s.strategy, s.seed }

func (s *single) Reset(seed uint64) {
	s.open = false
	s.Strategy.Reset(seed)
}

func (s *single) draw() (schedule, bool) {
	if s.open {
		return nil, false
	}
	seed, ok := s.Begin()
	s.open = ok
	return ownSchedule{s.Strategy, seed}, ok
}

func (s *single) ran(_ schedule, run Trace) {
	s.open = false
	s.End(run)
}
