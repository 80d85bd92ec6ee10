package explore

import (
	"maps"
	"slices"
)

// A state is what a recorder knows of locks and channels: the runtime's own
// data does not say who holds a lock, or which value a receiver was given.
type state struct {
	locks    map[uintptr]*lockState
	held     map[uint32][]hold // by goroutine, in the order in which it took them; rows share these slices
	channels map[uintptr]*channelState
}

// A lockState says who holds a lock, and since which row.
type lockState struct {
	writer  *event
	readers map[uint32][]*event
}

// A channelState is a channel's past.
type channelState struct {
	queue     []string // values sent and not yet received, as far as known; "" for others
	sends     []*event // that were done, or are still waiting
	closed    *event
	delivered map[uint32]string // values given to goroutines that wait for one
}

// A hold is a lock that a goroutine has.
type hold struct {
	object uintptr
	read   bool
	since  *event
}

func newState() *state {
	return &state{locks: make(map[uintptr]*lockState), held: make(map[uint32][]hold), channels: make(map[uintptr]*channelState)}
}

func (s *state) lock(object uintptr) *lockState {
	if s.locks[object] == nil {
		s.locks[object] = &lockState{readers: make(map[uint32][]*event)}
	}
	return s.locks[object]
}

func (s *state) channel(object uintptr) *channelState {
	if s.channels[object] == nil {
		s.channels[object] = &channelState{delivered: make(map[uint32]string)}
	}
	return s.channels[object]
}

// heldBy lists what a goroutine holds, in the order in which it took them. The
// list is not to be changed.
func (s *state) heldBy(member uint32) []hold { return s.held[member] }

// take adds to what the goroutine of a row holds.
func (s *state) take(e *event, read bool) {
	all := append(slices.Clone(s.held[e.member]), hold{e.object, read, e})
	slices.SortFunc(all, func(a, b hold) int { return a.since.index - b.since.index })
	s.held[e.member] = all
}

// drop takes away from it what it has held since then.
func (s *state) drop(since *event) {
	s.held[since.member] = slices.DeleteFunc(slices.Clone(s.held[since.member]), func(h hold) bool { return h.since == since })
}

// acquired notes that e took its lock.
func (s *state) acquired(e *event) {
	l := s.lock(e.object)
	if e.site.kind == siteRLock {
		if len(l.readers[e.member]) == 0 {
			s.take(e, true)
		}
		l.readers[e.member] = append(l.readers[e.member], e)
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
	if e.site.kind == siteUnlock {
		if taken, l.writer = l.writer, nil; taken != nil {
			s.drop(taken)
		}
		return taken
	}
	id := e.member
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

// pop takes the value that the next receiver gets.
func (c *channelState) pop() (value string, ok bool) {
	if len(c.queue) == 0 {
		return "", false
	}
	value, c.queue = c.queue[0], c.queue[1:]
	return value, true
}
