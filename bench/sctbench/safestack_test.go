package sctbench_test

import "testing"

// fewest is the minimum number of preemptions with which SafeStack fails.
const fewest = 7

// This searches all states of SafeStack, written a second time as a table of atomic steps.
// The first failure that it finds has the fewest preemptions.
func TestSafeStackFewest(t *testing.T) {
	now, seen := []state{{count: 3, next: [3]int8{1, 2, -1}, last: -1}}, make(map[state]bool)
	for preemptions := 0; len(now) > 0; preemptions++ {
		var later []state
		for len(now) > 0 {
			s := now[len(now)-1]
			now = now[:len(now)-1]
			if seen[s] {
				continue
			}
			seen[s] = true
			for i, task := range s.tasks {
				switch next := s.step(i); {
				case task.at == ended:
				case next.tasks[i].at == failed:
					if i == int(s.last) || s.free() {
						if preemptions != fewest {
							t.Errorf("got a failure with %d preemptions, want %d", preemptions, fewest)
						}
						t.Logf("%d states", len(seen))
						return
					}
				case i == int(s.last) || s.free():
					now = append(now, next)
				default:
					later = append(later, next)
				}
			}
		}
		now = later
	}
	t.Error("got no failure, want one")
}

// A state is the state of the stack and of all its users.
type state struct {
	head, count int8
	next, owner [safeItems]int8
	tasks       [safeItems]task
	last        int8 // the task of the last step; -1 at first
	yielded     bool // the last step let other tasks run
}

const safeItems = 3

// A task is the next step of a task, its completed rounds, and its local variables.
type task struct{ at, rounds, head, next, item int8 }

const (
	looks = iota
	yields
	pops
	takesNext
	takesHead
	counts
	putsBack
	owns
	checks
	pushes
	setsNext
	setsHead
	countsBack
	ended
	failed
)

// free reports whether a task other than the last one can run next without a preemption.
func (s *state) free() bool { return s.last < 0 || s.yielded || s.tasks[s.last].at == ended }

// step returns the state after a task's next step.
func (s state) step(i int) state {
	t := &s.tasks[i]
	s.last, s.yielded = int8(i), t.at == yields
	switch t.at {
	case looks:
		if t.at = pops; s.count <= 1 {
			t.at = yields
		}
	case yields:
		t.at = looks
	case pops:
		t.at, t.head = takesNext, s.head
	case takesNext:
		t.next, s.next[t.head] = s.next[t.head], -1
		if t.at = takesHead; t.next < 0 {
			t.at, t.head, t.next = looks, 0, 0
		}
	case takesHead:
		if t.at = putsBack; s.head == t.head {
			t.at, s.head = counts, t.next
		}
	case counts:
		s.count--
		t.at, t.item, t.head, t.next = owns, t.head, 0, 0
	case putsBack:
		s.next[t.head] = t.next
		t.at, t.head, t.next = looks, 0, 0
	case owns:
		t.at, s.owner[t.item] = checks, int8(i+1)
	case checks:
		if t.at = pushes; s.owner[t.item] != int8(i+1) {
			t.at = failed
		}
	case pushes:
		t.at, t.head = setsNext, s.head
	case setsNext:
		t.at, s.next[t.item] = setsHead, t.head
	case setsHead:
		if t.at = pushes; s.head == t.head {
			t.at, s.head = countsBack, t.item
		}
		t.head = 0
	case countsBack:
		s.count++
		if t.rounds++; t.rounds == 2 {
			t.at = ended
		} else {
			t.at = looks
		}
		t.item = 0
	}
	return s
}
