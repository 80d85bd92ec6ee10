package litmus

// timer takes the one step of an operation on a timer.
func (s *state) timer(task int, x *thing, op Op) {
	active := x.when > 0
	x.when = 0
	if op.Verb == TimerReset {
		x.when = s.now + op.Arg
	}
	s.done(task, truth(active))
}

// until makes a task wait for n ms, unless another task wakes it earlier.
func (s *state) until(task, n int) {
	s.tasks[task].waiting, s.tasks[task].until = true, s.now+n
}

// later returns the state at the next moment at which a task continues or a timer fires,
// if any task has not ended. Everything due then happens together. Time passes only when
// no task can run: steps take none.
func (s *state) later() []*state {
	if !s.alive() {
		return nil
	}
	at := 0
	earliest := func(when int) {
		if when > 0 && (at == 0 || when < at) {
			at = when
		}
	}
	for _, t := range s.tasks {
		earliest(t.until)
	}
	for _, x := range s.things {
		earliest(x.when)
	}
	if at == 0 {
		return nil
	}
	next := s.clone()
	next.now = at
	for i := range next.things {
		if x := &next.things[i]; x.when == at {
			x.when = 0
			x.started++
		}
	}
	for task := range next.tasks {
		if next.tasks[task].until == at {
			next.due(task)
		}
	}
	return []*state{next}
}

// alive reports whether a task has not ended.
func (s *state) alive() bool {
	for i, t := range s.tasks {
		if t.started && t.op < len(s.program.Tasks[i]) {
			return true
		}
	}
	return false
}

// due ends the operation of a task whose time has come: a Sleep, or a select with a
// limit.
func (s *state) due(task int) {
	result := 0
	if s.program.Tasks[task][s.tasks[task].op].Verb == Select {
		s.leave(task)
		result = TimedOut
	}
	s.done(task, result)
}
