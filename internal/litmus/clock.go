package litmus

// timer takes the one step of an operation on a timer.
func (s *state) timer(task int, x *thing, op Op) {
	active := x.when > 0
	x.when = 0
	if op.Verb == TimerReset {
		x.when = s.now + op.Arg
		if s.near {
			x.when = s.tasks[task].note
		}
	}
	s.done(task, truth(active))
}

// ahead returns the state after the first step of an operation that reads the time before the
// step that has its effect: they may be apart where tasks may be held up. It returns nil for others.
func (s *state) ahead(task int, op Op) *state {
	if !s.near || s.tasks[task].stage > 0 {
		return nil
	}
	next := s.clone()
	t := &next.tasks[task]
	t.stage = 1
	switch {
	case op.Verb == TimerReset:
		t.note = s.now + op.Arg
	case op.Verb == Select && op.Arg == 2:
		t.until = s.now + 2
	default:
		return nil
	}
	return next
}

// until makes a task wait for n ms, unless another task wakes it earlier.
func (s *state) until(task, n int) {
	s.tasks[task].waiting, s.tasks[task].until = true, s.now+n
}

// moment returns the next moment at which a task continues or a timer fires, or, with unheard, at
// which the timer of a select fires that does not wait for it; 0 if there is none.
func (s *state) moment(unheard bool) (at int) {
	earliest := func(when int) {
		if when > 0 && (at == 0 || when < at) {
			at = when
		}
	}
	for _, t := range s.tasks {
		if t.waiting || unheard && t.until > s.now {
			earliest(t.until)
		}
	}
	for _, x := range s.things {
		if x.when > 0 {
			earliest(max(x.when, s.now))
		}
	}
	for _, when := range s.left {
		if unheard && when > s.now {
			earliest(when)
		}
	}
	return at
}

// at returns the state at a moment. Everything due then happens together.
func (s *state) at(moment int) *state {
	next := s.clone()
	next.now = moment
	for i := range next.things {
		if x := &next.things[i]; x.when > 0 && x.when <= moment {
			x.when = 0
			x.started++
		}
	}
	for task := range next.tasks {
		if t := next.tasks[task]; t.waiting && t.until > 0 && t.until <= moment {
			next.due(task)
		}
	}
	return next
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
