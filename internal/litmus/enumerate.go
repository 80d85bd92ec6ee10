package litmus

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// ErrTooLarge says that a program has more states than the limit allows.
var ErrTooLarge = errors.New("litmus: too many states")

// Enumerate returns every outcome that the program can have if its atomic steps are
// interleaved in any order, and how many steps the longest execution has. The steps of
// the operations of package sync are those that Go takes, as far as other tasks can
// observe them: see steps.go. Until task 0 has returned, time may pass although tasks can run,
// for stall ms in all. limit bounds the states that are visited.
func Enumerate(p Program, stall, limit int) (outcomes map[Outcome]bool, steps int, err error) {
	first := newState(p)
	first.stall, first.near = stall, stall > 0
	seen := map[string]bool{string(first.key()): true}
	outcomes = make(map[Outcome]bool)
	stack := []*state{first}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		all := s.next()
		for _, next := range all {
			steps = max(steps, next.depth)
			key := string(next.key())
			if seen[key] {
				continue
			}
			if len(seen) >= limit {
				return nil, 0, fmt.Errorf("%w: more than %d", ErrTooLarge, limit)
			}
			seen[key] = true
			stack = append(stack, next)
		}
		if len(all) == 0 {
			outcomes[s.outcome()] = true
		}
	}
	return outcomes, steps, nil
}

// next returns the possible next states: after a step of a task or of what a timer has
// started, or at the next moment that a task waits for.
func (s *state) next() []*state {
	var all []*state
	for task := range s.tasks {
		all = append(all, s.step(task)...)
	}
	for i := range s.things {
		if s.things[i].started > 0 {
			next := s.clone()
			next.things[i].started--
			next.things[i-1].n++
			all = append(all, next)
		}
	}
	if s.near && !s.returned && s.tasks[0].op >= len(s.program.Tasks[0]) {
		next := s.clone()
		next.returned = true
		all = append(all, next)
	}
	if len(all) == 0 {
		if at := s.moment(false); at > 0 && s.alive() {
			all = append(all, s.at(at))
		}
		return all
	}
	if at := s.moment(true); at > 0 && s.near && !s.returned && at-s.now <= s.stall {
		next := s.at(at)
		next.stall -= at - s.now
		all = append(all, next)
	}
	return all
}

// A state is a moment of an execution, between two steps.
type state struct {
	program  Program
	depth    int  // steps so far
	now      int  // in ms
	near     bool // tasks may be held up
	stall    int  // for how many ms, from now on
	returned bool // task 0 has, if near
	tasks    []taskState
	things   []thing
	left     []int // when timers of selects fire that have ended before, if near
}

// A taskState is the progress of a task.
type taskState struct {
	started bool
	waiting bool // in the queue of a channel: only a step of another task ends the wait
	op      int
	stage   int // within the operation
	note    int // a value that the operation keeps from one stage to the next
	last    int
	until   int // when it continues, if no other task wakes it earlier; 0 is never
	results []int
}

// A thing is the state of an object.
type thing struct {
	n    int // the value; of a lock, whether it is held; of a group, its counter
	high int // of a Word
	word bool
	set  bool

	buffer             []int
	receivers, senders []waiter
	closed             bool

	readers, departing   int // of an RWMutex: readerCount and readerWait in Go
	readerSem, writerSem int
	waiters              int // of a Group; of a Cond, tickets given out
	notified             int // of a Cond
	groupSem             int
	when                 int // of a Timer: when it fires; 0 is never
	started              int // of a Timer: functions that it has started and that have not run
}

// A waiter is a task in the queue of a channel.
type waiter struct {
	task, which, value int // which case of a select, -1 if it is none
}

func newState(p Program) *state {
	s := &state{program: p, tasks: make([]taskState, len(p.Tasks)), things: make([]thing, len(p.Objects))}
	for i, ops := range p.Tasks {
		results := make([]int, len(ops))
		for k := range results {
			results[k] = Never
		}
		s.tasks[i].results = results
	}
	s.tasks[0].started = true
	for i, o := range p.Objects {
		s.things[i].word = o.Kind == Word
		switch o.Kind {
		case Group:
			s.things[i].n = o.Size
		case Timer:
			s.things[i].when = o.Size
		}
	}
	return s
}

func (s *state) clone() *state {
	c := &state{program: s.program, depth: s.depth + 1, now: s.now, near: s.near, stall: s.stall, returned: s.returned, tasks: slices.Clone(s.tasks), things: slices.Clone(s.things),
		left: slices.DeleteFunc(slices.Clone(s.left), func(when int) bool { return when <= s.now })}
	for i := range c.tasks {
		c.tasks[i].results = slices.Clone(c.tasks[i].results)
	}
	for i := range c.things {
		t := &c.things[i]
		t.buffer, t.receivers, t.senders = slices.Clone(t.buffer), slices.Clone(t.receivers), slices.Clone(t.senders)
	}
	return c
}

// key identifies a state.
func (s *state) key() []byte {
	var b []byte
	put := func(values ...int) {
		for _, v := range values {
			b = binary.AppendVarint(b, int64(v))
		}
	}
	put(s.now, s.stall, truth(s.returned), len(s.left))
	put(s.left...)
	for _, t := range s.tasks {
		put(truth(t.started), truth(t.waiting), t.op, t.stage, t.note, t.last, t.until)
		put(t.results...)
	}
	for _, x := range s.things {
		put(x.n, x.high, truth(x.set), truth(x.closed), x.readers, x.departing, x.readerSem, x.writerSem, x.waiters, x.notified, x.groupSem, x.when, x.started,
			len(x.buffer), len(x.receivers), len(x.senders))
		put(x.buffer...)
		for _, w := range append(slices.Clone(x.receivers), x.senders...) {
			put(w.task, w.which, w.value)
		}
	}
	return b
}

func (s *state) outcome() Outcome {
	var results [][]int
	for _, t := range s.tasks {
		results = append(results, t.results)
	}
	var finals []int
	for i, o := range s.program.Objects {
		if o.Kind == Int || o.Kind == Plain {
			finals = append(finals, s.things[i].n)
		}
	}
	return s.program.outcome(results, finals)
}

// step returns the states after the next step of a task: none if it has ended or is
// blocked, more than one where Go chooses at random.
func (s *state) step(task int) []*state {
	t := s.tasks[task]
	if !t.started || t.waiting || t.op >= len(s.program.Tasks[task]) {
		return nil
	}
	op := s.program.Tasks[task][t.op]
	if next := s.ahead(task, op); next != nil {
		return []*state{next}
	}
	if op.Verb == Select {
		return s.chosen(task, op)
	}
	next := s.clone()
	if !next.apply(task, op) {
		return nil
	}
	return []*state{next}
}

// done ends the operation that a task is in.
func (s *state) done(task, result int) {
	t := &s.tasks[task]
	op := s.program.Tasks[task][t.op]
	t.results[t.op] = result
	if s.near && op.Verb == Select && t.until > s.now {
		s.left = append(s.left, t.until)
		slices.Sort(s.left)
	}
	t.last, t.stage, t.note, t.waiting, t.until = result, 0, 0, false, 0
	t.op++
	switch {
	case result == Panicked:
		t.op = len(s.program.Tasks[task])
	case (op.Verb == TryLock || op.Verb == TryRLock) && result == 0:
		for range op.Skip {
			t.results[t.op] = Skipped
			t.op++
		}
	}
}
