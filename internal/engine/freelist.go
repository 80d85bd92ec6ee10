package engine

import (
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A freeList is memory that executions have used and the next ones can use again.
// Executions are short and many, and garbage is collected rarely, so that
// they would else run through memory that is in no cache of the processor.
type freeList struct {
	Run   []schedule.Decision
	Trail []schedule.Step
	order schedule.Order
}

// take gives the next execution what there is.
func (s *freeList) take() ([]schedule.Decision, []schedule.Step) {
	run, trail := s.Run[:0], s.Trail[:0]
	s.Run, s.Trail = nil, nil
	return run, trail
}
