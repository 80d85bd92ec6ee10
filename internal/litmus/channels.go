package litmus

import "slices"

// channel takes the one step of an operation on a channel. If the operation blocks, its
// task enters the channel's queue, which others can observe, and waits for a partner.
func (s *state) channel(task int, op Op, arg int) bool {
	switch op.Verb {
	case Send:
		if !s.send(task, op.On, arg) {
			s.wait(task, op.On, true, -1, arg)
		}
	case TrySend:
		if !s.send(task, op.On, arg) {
			s.done(task, NotReady)
		}
	case Recv:
		v, ok := s.receive(op.On)
		if !ok {
			s.wait(task, op.On, false, -1, 0)
			return true
		}
		s.done(task, v)
	case TryRecv:
		v, ok := s.receive(op.On)
		if !ok {
			v = NotReady
		}
		s.done(task, v)
	case Len:
		s.done(task, len(s.things[op.On].buffer))
	case Close:
		s.close(task, op.On)
	default:
		panic(unknown(op))
	}
	return true
}

// send completes a send of task if it need not wait, with a panic if the channel is closed.
func (s *state) send(task, on, value int) bool {
	if s.things[on].closed {
		s.done(task, Panicked)
		return true
	}
	if !s.give(on, value) {
		return false
	}
	s.done(task, 0)
	return true
}

// give hands a value to the first receiver that waits, or to the buffer.
func (s *state) give(on, value int) bool {
	x := &s.things[on]
	if len(x.receivers) > 0 {
		s.wake(x.receivers[0], value)
		return true
	}
	if len(x.buffer) < s.program.Objects[on].Size {
		x.buffer = append(x.buffer, value)
		return true
	}
	return false
}

// receive takes a value, or Closed, from the buffer or the first sender that waits.
func (s *state) receive(on int) (value int, ok bool) {
	x := &s.things[on]
	switch {
	case len(x.buffer) > 0:
		value = x.buffer[0]
		x.buffer = x.buffer[1:]
		if len(x.senders) > 0 {
			x.buffer = append(slices.Clone(x.buffer), x.senders[0].value)
			s.wake(x.senders[0], 0)
		}
		return value, true
	case x.closed:
		return Closed, true
	case len(x.senders) > 0:
		value = x.senders[0].value
		s.wake(x.senders[0], 0)
		return value, true
	}
	return 0, false
}

func (s *state) close(task, on int) {
	x := &s.things[on]
	if x.closed {
		s.done(task, Panicked)
		return
	}
	x.closed = true
	for len(x.receivers) > 0 {
		s.wake(x.receivers[0], Closed)
	}
	for len(x.senders) > 0 {
		s.fail(x.senders[0])
	}
	s.done(task, 0)
}

func (s *state) wait(task, on int, sends bool, which, value int) {
	s.tasks[task].waiting = true
	x := &s.things[on]
	if sends {
		x.senders = append(x.senders, waiter{task, which, value})
	} else {
		x.receivers = append(x.receivers, waiter{task, which, 0})
	}
}

// wake ends the operation of a task that waited; value is what it has received.
func (s *state) wake(w waiter, value int) {
	s.leave(w.task)
	if w.which >= 0 {
		value = selected(w.which, value)
	}
	s.done(w.task, value)
}

// fail panics in a task whose channel was closed while it waited to send.
func (s *state) fail(w waiter) {
	s.leave(w.task)
	s.done(w.task, Panicked)
}

// leave removes a task from all queues.
func (s *state) leave(task int) {
	others := func(queue []waiter) []waiter {
		return slices.DeleteFunc(slices.Clone(queue), func(w waiter) bool { return w.task == task })
	}
	for i := range s.things {
		x := &s.things[i]
		x.receivers, x.senders = others(x.receivers), others(x.senders)
	}
}

// chosen returns a state for each case of a select that is ready; if none is, the one
// in which the default is taken or the task waits for all of them.
func (s *state) chosen(task int, op Op) []*state {
	var all []*state
	for i, c := range op.Cases {
		next := s.clone()
		switch {
		case c.Send && next.things[c.On].closed:
			next.done(task, Panicked)
			all = append(all, next)
		case c.Send && next.give(c.On, c.Arg):
			next.done(task, selected(i, 0))
			all = append(all, next)
		case !c.Send:
			if v, ok := next.receive(c.On); ok {
				next.done(task, selected(i, v))
				all = append(all, next)
			}
		}
	}
	if t := s.tasks[task]; t.until > 0 && t.until <= s.now {
		next := s.clone()
		next.done(task, TimedOut)
		all = append(all, next)
	}
	if len(all) > 0 {
		return all
	}
	next := s.clone()
	if op.Arg == 1 {
		next.done(task, NotReady)
		return []*state{next}
	}
	for _, order := range orders(len(op.Cases)) {
		waits := s.clone()
		for _, i := range order {
			c := op.Cases[i]
			waits.wait(task, c.On, c.Send, i, c.Arg)
		}
		if op.Arg == 2 && !s.near {
			waits.until(task, 2)
		}
		all = append(all, waits)
	}
	return all
}

// orders returns the orders in which a select may enter the queues of its n cases: Go
// draws one. The order matters if two cases are on one channel.
func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, order := range orders(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(order), at, n-1))
		}
	}
	return all
}
