package report

import (
	"maps"
	"slices"

	"github.com/jacquard-go/jacquard/internal/source"
)

// A state is a recorder's knowledge of locks and channels: the runtime's own data does not say
// which goroutine holds a lock, or which value a receiver was given.
type state struct {
	locks     map[uintptr]*lockState
	held      map[uint32][]hold    // by goroutine, in the order of taking; rows share these slices, which must not be changed
	closers   map[uintptr]*event   // the rows that closed channels
	delivered map[uint32]string    // values handed to goroutines that wait to receive
	tickets   map[uintptr][]uint32 // goroutines in Cond.Wait that were not notified
	notified  map[uint32]bool      // goroutines that were notified, and have not gone on
}

// A lockState says which rows have taken a lock that is held.
type lockState struct {
	writer  *event
	readers map[uint32][]*event
}

// A hold is a lock that a goroutine holds.
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

// heldBy lists the locks that a goroutine holds, in the order of taking. The list must not be
// changed.
func (s *state) heldBy(task uint32) []hold { return s.held[task] }

// take adds a lock to those that e's goroutine holds.
func (s *state) take(e *event, read bool) {
	all := append(slices.Clone(s.held[e.task]), hold{e.object, read, e})
	slices.SortFunc(all, func(a, b hold) int { return a.since.index - b.since.index })
	s.held[e.task] = all
}

// drop removes the lock taken in row since from those that its goroutine holds.
func (s *state) drop(since *event) {
	s.held[since.task] = slices.DeleteFunc(slices.Clone(s.held[since.task]), func(h hold) bool { return h.since == since })
}

// acquired records that e took its lock.
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

// released records that e released its lock, and returns the row that took it. Another goroutine
// may release a lock than took it.
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

// holders returns the rows that took a lock which is still held.
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
