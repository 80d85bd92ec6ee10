package litmus

// maxReaders is subtracted from the count of readers while a writer is pending, as
// in package sync; any number above the number of tasks works.
const maxReaders = 1000

// apply takes one step of a task in s. It returns false, and leaves s unusable, if the
// task is blocked.
func (s *state) apply(task int, op Op) bool {
	t := &s.tasks[task]
	arg := op.Arg
	if op.Last {
		arg += t.last
	}
	switch op.Verb {
	case Gosched:
		s.done(task, 0)
		return true
	case Sleep:
		s.until(task, op.Arg)
		return true
	case Start:
		if op.Between && t.stage > 0 {
			s.things[op.On].n = op.Old
		}
		s.tasks[op.Arg+t.stage].started = true
		if t.stage++; t.stage > op.More {
			s.done(task, 0)
		}
		return true
	}
	x := &s.things[op.On]
	switch s.program.Objects[op.On].Kind {
	case Int, Word, Value, Map, Plain:
		s.done(task, x.memory(op, arg))
		return true
	case Mutex:
		return s.mutex(task, x, op)
	case RWMutex:
		return s.rwmutex(task, x, op)
	case Chan:
		return s.channel(task, op, arg)
	case Group:
		return s.group(task, x, op)
	case Once:
		return s.onceDo(task, x, arg)
	case Cond:
		return s.cond(task, x, op)
	case Context:
		return s.context(task, x, op, arg)
	case Timer:
		s.timer(task, x, op)
		return true
	case Pool:
		s.done(task, x.pool(op, arg))
		return true
	}
	panic(unknown(op))
}

// memory applies an operation that is always one step.
func (x *thing) memory(op Op, arg int) int {
	old := x.n
	switch op.Verb {
	case Load, PlainLoad, MapLoad:
		return old + 10*x.high
	case Store:
		x.n = arg
		if x.word {
			x.high = arg
		}
	case PlainStore, MapStore:
		x.n = arg
	case Add, LowAdd:
		x.n += arg
		return x.n
	case Count:
		x.n += arg
	case Swap:
		x.n = arg
		return old
	case CAS, MapCAS:
		if old != op.Old {
			return 0
		}
		x.n = arg
		return 1
	case And:
		x.n &= arg
		return old
	case Or:
		x.n |= arg
		return old
	case HighLoad:
		return x.high
	case HighStore:
		x.high = arg
	case LoadOrStore:
		if old == 0 {
			x.n = arg
		}
		return x.n
	case LoadAndDelete:
		x.n = 0
		return old
	default:
		panic(unknown(op))
	}
	return 0
}

// pool gets first what was put into the empty pool, and then what was put last, as Go
// does on one processor.
func (x *thing) pool(op Op, arg int) int {
	n := len(x.buffer)
	switch {
	case op.Verb == PoolPut && x.n == 0:
		x.n = arg
		return 0
	case op.Verb == PoolPut:
		x.buffer = append(x.buffer, arg)
		return 0
	case x.n != 0:
		got := x.n
		x.n = 0
		return got
	case n > 0:
		got := x.buffer[n-1]
		x.buffer = x.buffer[:n-1]
		return got
	}
	return 0
}

func (s *state) mutex(task int, x *thing, op Op) bool {
	switch op.Verb {
	case Lock:
		if x.n == 1 {
			return false
		}
		x.n = 1
		s.done(task, 0)
	case Unlock:
		x.n = 0
		s.done(task, 0)
	case TryLock:
		free := 1 - x.n
		x.n = 1
		s.done(task, free)
	}
	return true
}

// rwmutex takes the steps of Go's RWMutex. x.n is its inner mutex.
func (s *state) rwmutex(task int, x *thing, op Op) bool {
	t := &s.tasks[task]
	switch op.Verb {
	case RLock:
		switch {
		case t.stage == 0:
			if x.readers++; x.readers < 0 {
				t.stage = 1
				return true
			}
		case x.readerSem == 0:
			return false
		default:
			x.readerSem--
		}
	case TryRLock:
		if x.readers < 0 {
			s.done(task, 0)
			return true
		}
		x.readers++
		s.done(task, 1)
		return true
	case RUnlock:
		if t.stage == 0 {
			if x.readers--; x.readers < 0 {
				t.stage = 1
				return true
			}
		} else if x.departing--; x.departing == 0 {
			x.writerSem++
		}
	case Lock:
		return s.writeLock(task, x)
	case TryLock:
		return s.tryWriteLock(task, x)
	case Unlock:
		if t.stage == 0 {
			x.readers += maxReaders
			x.readerSem += x.readers
			t.stage = 1
			return true
		}
		x.n = 0
	}
	s.done(task, 0)
	return true
}

func (s *state) writeLock(task int, x *thing) bool {
	t := &s.tasks[task]
	switch t.stage {
	case 0:
		if x.n == 1 {
			return false
		}
		x.n = 1
	case 1:
		t.note = x.readers
		x.readers -= maxReaders
		if t.note == 0 {
			s.done(task, 0)
			return true
		}
	case 2:
		if x.departing += t.note; x.departing == 0 {
			s.done(task, 0)
			return true
		}
	case 3:
		if x.writerSem == 0 {
			return false
		}
		x.writerSem--
		s.done(task, 0)
		return true
	}
	t.stage++
	return true
}

func (s *state) tryWriteLock(task int, x *thing) bool {
	t := &s.tasks[task]
	switch t.stage {
	case 0:
		if x.n == 1 {
			s.done(task, 0)
			return true
		}
		x.n = 1
	case 1:
		if x.readers == 0 {
			x.readers = -maxReaders
			s.done(task, 1)
			return true
		}
	case 2:
		x.n = 0
		s.done(task, 0)
		return true
	}
	t.stage++
	return true
}

// group takes the steps of Go's WaitGroup, whose counter and waiters are one word.
func (s *state) group(task int, x *thing, op Op) bool {
	t := &s.tasks[task]
	switch op.Verb {
	case Wait:
		switch {
		case t.stage == 0:
			if x.n != 0 {
				x.waiters++
				t.stage = 1
				return true
			}
		case t.stage == 1:
			if x.groupSem == 0 {
				return false
			}
			x.groupSem--
			t.stage = 2
			return true
		case x.n != 0 || x.waiters != 0:
			s.done(task, Panicked) // reused before Wait has returned
			return true
		}
	default:
		delta := 1
		if op.Verb == Done {
			delta = -1
		}
		switch t.stage {
		case 0:
			x.n += delta
			if x.n < 0 || x.waiters != 0 && delta > 0 && x.n == delta {
				s.done(task, Panicked)
				return true
			}
			if x.n == 0 && x.waiters > 0 {
				t.stage, t.note = 1, x.waiters
				return true
			}
		case 1:
			if x.n != 0 || x.waiters != t.note {
				s.done(task, Panicked)
				return true
			}
			t.stage = 2
			return true
		case 2:
			x.groupSem += t.note
			x.n, x.waiters = 0, 0
		}
	}
	s.done(task, 0)
	return true
}

func (s *state) onceDo(task int, x *thing, counter int) bool {
	t := &s.tasks[task]
	switch t.stage {
	case 0:
		if x.set {
			s.done(task, 0)
			return true
		}
	case 1:
		if x.n == 1 {
			return false
		}
		x.n = 1
		if x.set {
			t.stage = 4
			return true
		}
	case 2:
		s.things[counter].n++
	case 3:
		x.set = true
	case 4:
		x.n = 0
		s.done(task, 0)
		return true
	}
	t.stage++
	return true
}

// cond takes the steps of Go's Cond: a waiter takes a ticket before it releases the
// lock, and tickets are called in order.
func (s *state) cond(task int, x *thing, op Op) bool {
	t := &s.tasks[task]
	switch op.Verb {
	case CondLock:
		if x.n == 1 {
			return false
		}
		x.n = 1
	case CondUnlock:
		x.n = 0
	case Signal:
		x.notified = min(x.notified+1, x.waiters)
	case Broadcast:
		x.notified = x.waiters
	case CondWait:
		switch t.stage {
		case 0:
			t.note = x.waiters
			x.waiters++
		case 1:
			x.n = 0
		case 2:
			if t.note >= x.notified {
				return false
			}
		case 3:
			if x.n == 1 {
				return false
			}
			x.n = 1
			s.done(task, 0)
			return true
		}
		t.stage++
		return true
	}
	s.done(task, 0)
	return true
}

// context applies an operation on a context: the first cause stays, and a task that sees
// one part of a cancellation sees all of it.
func (s *state) context(task int, x *thing, op Op, arg int) bool {
	switch op.Verb {
	case Cancel:
		if x.n == 0 {
			x.n = arg
		}
	case Cause:
		s.done(task, x.n)
		return true
	case TryDone:
		s.done(task, truth(x.n != 0))
		return true
	case AwaitDone:
		if x.n == 0 {
			return false
		}
	}
	s.done(task, 0)
	return true
}
