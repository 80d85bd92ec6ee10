package explore

// A spare is memory that executions have used and the next ones can use again.
// Executions are short and many, and garbage is collected rarely, so that
// they would else run through memory that is in no cache of the processor.
type spare struct {
	run   []Decision
	trail []Step
	order order
}

// take gives the next execution what there is.
func (s *spare) take() ([]Decision, []Step) {
	run, trail := s.run[:0], s.trail[:0]
	s.run, s.trail = nil, nil
	return run, trail
}
