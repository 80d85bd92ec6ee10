package report

import (
	"maps"
	"slices"

	"github.com/jacquard-go/jacquard/internal/source"
)

// A state is what a recorder knows of locks and channels: the runtime's own
// data does not say who holds a lock, or which value a receiver was given.
type state struct {
	locks     map[uintptr]*lockState
	held      map[uint32][]hold    // by goroutine, in the order in which it took them; rows share these slices
	closers   map[uintptr]*event   // of channels
	delivered map[uint32]string    // values given to goroutines that wait to receive
	tickets   map[uintptr][]uint32 // who is in Cond.Wait and was not notified
	notified  map[uint32]bool      // who was, and has not gone on
}

// A lockState says who holds a lock, and since which row.
type lockState struct {
	writer  *event
	readers map[uint32][]*event
}

// A hold is a lock that a goroutine has.
type hold struct {
	object uintptr
	read   bool
	since  *event
}

func newState() *state {
	return &state{
		locks: make(map[uintptr]*lockState), held: make(map[uint32][]hold), closers: make(map[uintptr]*event), delivered: make(map[uint32]string),
		tickets: make(map[uintptr][]uint32), notified: make(map[uint32]bool),
	}
}

func (s *state) lock(object uintptr) *lockState {
	if s.locks[object] == nil {
		s.locks[object] = &lockState{readers: make(map[uint32][]*event)}
	}
	return s.locks[object]
}

// heldBy lists what a goroutine holds, in the order in which it took them. The
// list is not to be changed.
func (s *state) heldBy(task uint32) []hold { return s.held[task] }

// take adds to what the goroutine of a row holds.
func (s *state) take(e *event, read bool) {
	all := append(slices.Clone(s.held[e.task]), hold{e.object, read, e})
	slices.SortFunc(all, func(a, b hold) int { return a.since.index - b.since.index })
	s.held[e.task] = all
}

// drop takes away from it what it has held since then.
func (s *state) drop(since *event) {
	s.held[since.task] = slices.DeleteFunc(slices.Clone(s.held[since.task]), func(h hold) bool { return h.since == since })
}

// acquired notes that e took its lock.
func (s *state) acquired(e *event) {
	l := s.lock(e.object)
	if e.Site.Kind == source.SiteRLock {
		if len(l.readers[e.task]) == 0 {
			s.take(e, true)
		}
		l.readers[e.task] = append(l.readers[e.task], e)
		return
	}
	if l.writer != nil {
		s.drop(l.writer)
	}
	s.take(e, false)
	l.writer = e
}

// released notes that e gave its lock back, and says in which row it was taken.
// A lock may be given back by another goroutine than took it.
func (s *state) released(e *event) (taken *event) {
	l := s.lock(e.object)
	if e.Site.Kind == source.SiteUnlock {
		if taken, l.writer = l.writer, nil; taken != nil {
			s.drop(taken)
		}
		return taken
	}
	id := e.task
	if len(l.readers[id]) == 0 {
		for _, other := range slices.Sorted(maps.Keys(l.readers)) {
			if len(l.readers[other]) > 0 {
				id = other
				break
			}
		}
	}
	if n := len(l.readers[id]); n > 0 {
		taken, l.readers[id] = l.readers[id][n-1], l.readers[id][:n-1]
		if n == 1 {
			s.drop(taken)
		}
	}
	return taken
}

// holders are the rows that took a lock which is still held.
func (l *lockState) holders() (all []*event) {
	if l.writer != nil {
		return []*event{l.writer}
	}
	for _, id := range slices.Sorted(maps.Keys(l.readers)) {
		if taken := l.readers[id]; len(taken) > 0 {
			all = append(all, taken[0])
		}
	}
	return all
}
