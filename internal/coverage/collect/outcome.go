package collect

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// look records the state of an object before an operation. No other task runs in between.
func (c *Collector) look(ex *engine.Execution, m *control.Task) {
	v, s := &c.now, &c.list[c.now.spot]
	switch {
	case m.Op == control.OpSelect:
		v.cases, v.sends = m.Cases()
	case m.Op == control.OpTrySend:
		n, size, closed := control.Channel(m.Addr)
		receiver, _, _ := control.ChannelQueues(m.Addr)
		v.sends, v.refused = 1, m.Addr == 0 || !closed && receiver == 0 && n == size
	case m.Op == control.OpTryRecv:
		n, _, closed := control.Channel(m.Addr)
		_, sender, _ := control.ChannelQueues(m.Addr)
		v.refused = m.Addr == 0 || !closed && sender == 0 && n == 0
	case s.Kind == coverage.CompareAndSwap:
		was, ok := source.Word(m.Addr, s.size)
		old := uint64(m.Operands()[0])
		if s.size == 4 {
			old = uint64(uint32(old))
		}
		v.refused = ok && was != old
	case s.Kind == coverage.Try:
		v.lock = m.Addr
		v.before, _ = source.Word(m.Addr, 4)
	case s.Kind == coverage.Signal:
		v.blocked = blocked(ex)
	}
}

// blocked returns the blocked tasks.
func blocked(ex *engine.Execution) map[uint32]bool {
	all := make(map[uint32]bool)
	for i := 1; i <= ex.Control.Len(); i++ {
		if t := ex.Control.Task(i); t.State == control.Blocked {
			all[t.ID] = true
		}
	}
	return all
}

// done records how an operation has ended.
func (c *Collector) done(ex *engine.Execution, n *coverage.Count, m *control.Task) {
	v, s := &c.now, &c.list[c.now.spot]
	switch s.Kind {
	case coverage.Select:
		v.chosen(n, m)
	case coverage.Try:
		if v.failed(s) {
			n.Refused++
		}
	case coverage.Signal:
		met := false
		for id := range v.blocked {
			met = met || ex.Control.Task(int(id)).State != control.Blocked
		}
		if !met {
			n.Refused++
		}
	case coverage.Stop:
		if !m.Timed() {
			n.Refused++
		}
	case coverage.CompareAndSwap:
		if v.refused {
			n.Refused++
		}
	}
}

// failed reports whether an attempt to take a lock has failed at this operation of it.
func (v *visit) failed(s *spot) bool {
	const locked = 1
	now, _ := source.Word(v.lock, 4)
	switch {
	case s.Op == "TryRLock":
		return s.looks && int32(v.before) < 0
	case s.part: // the step with the readers, after the one with the other writers
		return int32(now) >= 0
	}
	return v.before&locked != 0 || now&locked == 0
}

// chosen records which case a select has taken.
func (v *visit) chosen(n *coverage.Count, m *control.Task) {
	n.Sends = v.sends
	if v.cases == 0 { // one case and a default
		count(n, 1, 0, !v.refused)
		return
	}
	took := m.Taken()
	count(n, v.cases, took.Case, took.Channel != 0)
}

// count records that a select has taken one of its cases, or its default.
func count(n *coverage.Count, cases, at int, taken bool) {
	if len(n.Cases) < cases {
		n.Cases = append(n.Cases, make([]int, cases-len(n.Cases))...)
	}
	if taken {
		n.Cases[at]++
	} else {
		n.Refused++
	}
}
