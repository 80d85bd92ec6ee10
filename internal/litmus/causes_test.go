package litmus_test

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/jacquard-go/jacquard/internal/litmus"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// The parts of a cause that refer to a row: the task, the operation, and the row's number.
var (
	toldRead    = regexp.MustCompile(`"([^"]+)" (?:read|went on with a stale value: it read) (\S+) at step (\d+)`)
	toldChange  = regexp.MustCompile(`"([^"]+)" changed (?:it|(\S+)) (?:to \S+ )?at step (\d+)`)
	toldWrite   = regexp.MustCompile(`"([^"]+)" wrote (\S+) at step (\d+)`)
	toldDeed    = regexp.MustCompile(`"([^"]+)" did (.+?) \(step (\d+)\)`)
	toldStop    = regexp.MustCompile(`"([^"]+)" was stopped between (.+?) \(step (\d+)\) and (.+?) \(step (\d+)\)`)
	toldBefore  = regexp.MustCompile(`"([^"]+)" was stopped before (.+?) \(step (\d+)\)`)
	toldHold    = regexp.MustCompile(`"([^"]+)" held (\S+) from step (\d+) to (\d+) and took it again at step (\d+); in between, at step (\d+), "([^"]+)" had it`)
	toldFirst   = regexp.MustCompile(`"([^"]+)" had (\S+) at step (\d+), before "([^"]+)", which had not begun, came to it at step (\d+)`)
	toldHolds   = regexp.MustCompile(`"([^"]+)" holds (\S+)(?: for reading)? since step (\d+)`)
	toldWaits   = regexp.MustCompile(`"([^"]+)" waits for [^;]*? since step (\d+)`)
	toldDropped = regexp.MustCompile(`the (send on|receive from) (\S+) by "([^"]+)" at step (\d+)`)
	toldSignal  = regexp.MustCompile(`the (Signal|Broadcast) of (\S+) by "([^"]+)" at step (\d+) found nobody waiting`)
)

// empty are words that a cause must not contain, because they lack a name or say nothing.
var empty = []string{"take turns", "comes to it", "holds ,", "at ,", " \"\" "}

// stops compares the number of preemptions with the rows that are marked as stopped,
// before or after.
func (r *reader) stops() {
	n := 0
	for i := range r.tl.Steps {
		m := r.tl.Steps[i].Mark
		if m.Has(timeline.Preempted) {
			n++
		}
		if m.Has(timeline.Stopped) {
			n++
		}
	}
	var want, steps int
	if !scan(strings.ReplaceAll(r.tl.Footer[0], "preemptions", "preemption"), "%d preemption in %d step", &want, &steps) || n != want {
		r.say(nil, "%d stops are shown, and the footer says %s", n, r.tl.Footer[0])
	}
}

// cause checks the sentences of the cause against the rows.
func (r *reader) cause() {
	text := r.tl.Cause
	for _, words := range empty {
		if strings.Contains(text, words) {
			r.say(nil, "the cause says nothing: %s", text)
		}
	}
	told := func(pattern *regexp.Regexp, who, step int, is func(s *timeline.Step, m []string) bool) {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			s := r.row(m[step])
			if s == nil || r.tl.Threads[s.Thread].Name != m[who] || !is(s, m) {
				r.say(s, "%s: cause: %s", m[0], text)
			}
		}
	}
	told(toldRead, 1, 3, func(s *timeline.Step, m []string) bool { return (m[2] == "it" || s.Object == m[2]) && !r.writesOnly(s) })
	told(toldChange, 1, 3, func(s *timeline.Step, m []string) bool { return (m[2] == "" || s.Object == m[2]) && r.changesIt(s) })
	told(toldWrite, 1, 3, func(s *timeline.Step, m []string) bool { return s.Object == m[2] && r.changesIt(s) })
	told(toldDeed, 1, 3, func(s *timeline.Step, m []string) bool { return r.done(s, m[2]) })
	told(toldStop, 1, 3, func(s *timeline.Step, m []string) bool { return r.done(s, m[2]) })
	told(toldStop, 1, 5, func(s *timeline.Step, m []string) bool { return r.done(s, m[4]) && r.stopped(m[3], m[5]) })
	told(toldBefore, 1, 3, func(s *timeline.Step, m []string) bool { return r.done(s, m[2]) && s.Mark&timeline.Preempted != 0 })
	told(toldHold, 1, 3, func(s *timeline.Step, m []string) bool { return locks(s, m[2]) })
	told(toldHold, 1, 4, func(s *timeline.Step, m []string) bool { return strings.Contains(s.Op, "nlock") && s.Object == m[2] })
	told(toldHold, 1, 5, func(s *timeline.Step, m []string) bool { return locks(s, m[2]) })
	told(toldHold, 7, 6, func(s *timeline.Step, m []string) bool { return locks(s, m[2]) })
	told(toldFirst, 1, 3, func(s *timeline.Step, m []string) bool { return locks(s, m[2]) })
	told(toldFirst, 4, 5, func(s *timeline.Step, m []string) bool { return locks(s, m[2]) })
	told(toldHolds, 1, 3, func(s *timeline.Step, m []string) bool { return s.Object == m[2] && !blocked(s) })
	told(toldWaits, 1, 2, func(s *timeline.Step, _ []string) bool { return blocked(s) })
	told(toldDropped, 3, 4, func(s *timeline.Step, m []string) bool {
		return s.Object == m[2] && (strings.HasPrefix(s.Outcome, "not sent") || s.Outcome == "nothing to receive")
	})
	told(toldSignal, 3, 4, func(s *timeline.Step, m []string) bool { return s.Object == m[2] && s.Outcome == "nobody waits" })
	r.wakeUps()
}

// row returns the row with the given number.
func (r *reader) row(number string) *timeline.Step {
	n, _ := strconv.Atoi(number)
	for i := range r.tl.Steps {
		if r.tl.Steps[i].Index == n {
			return &r.tl.Steps[i]
		}
	}
	return nil
}

// done reports whether a row is of the operation that words describe, and completed.
func (r *reader) done(s *timeline.Step, words string) bool {
	return strings.Join(strings.Fields(strings.TrimPrefix(s.Op, "select: ")+" "+s.Object+" "+s.Value), " ") == words && !blocked(s)
}

// stopped reports whether the task of the row with number last was preempted after the
// row with number first.
func (r *reader) stopped(first, last string) bool {
	from, to := r.row(first), r.row(last)
	for i := range r.tl.Steps {
		s := &r.tl.Steps[i]
		if s.Thread == to.Thread && s.Index > from.Index && s.Index <= to.Index && s.Mark&timeline.Preempted != 0 {
			return true
		}
	}
	return false
}

func locks(s *timeline.Step, lock string) bool {
	return strings.Contains(s.Op, "Lock") && s.Object == lock && !blocked(s) && s.Value != "= false"
}

func (r *reader) writesOnly(s *timeline.Step) bool {
	return s.Op == "Store" || s.Op == "Value.Store" || s.Op == "Map.Store"
}

// changesIt reports whether the operation of a row changed the value of its object.
func (r *reader) changesIt(s *timeline.Step) bool {
	at, ok := r.ops[s]
	if !ok {
		return false
	}
	got := r.result(at)
	switch op := r.op(at); op.Verb {
	case litmus.Load, litmus.HighLoad, litmus.MapLoad, litmus.TryDone, litmus.Cause, litmus.AwaitDone, litmus.Cancel:
		return false
	case litmus.MapCAS, litmus.CAS:
		if got == 0 {
			return false
		}
	case litmus.LoadAndDelete:
		return got != 0
	case litmus.LoadOrStore:
		return got == r.arg(at)
	}
	m := changed.FindStringSubmatch(strings.TrimPrefix(s.Value, "= true: "))
	return m == nil || m[1] != m[2]
}

// wakeUps checks that a lost wake-up is one that the waiting task could have used.
func (r *reader) wakeUps() {
	for _, m := range toldDropped.FindAllStringSubmatch(r.tl.Cause, -1) {
		_, rest, _ := strings.Cut(r.tl.Cause, m[0])
		w := toldWaits.FindStringSubmatch(rest)
		if w == nil {
			continue
		}
		s := r.row(w[2])
		at, ok := r.ops[s]
		lost, dropped := r.ops[r.row(m[4])]
		if !ok || !dropped {
			continue
		}
		sends := m[1] == "send on"
		if op := r.op(at); !waitsFor(op, r.op(lost).On, !sends) {
			r.say(s, "%v waits for no such thing: %s", op, r.tl.Cause)
		}
	}
}

// waitsFor reports whether an operation may send on an object, or receive from it.
func waitsFor(op litmus.Op, on int, sends bool) bool {
	switch op.Verb {
	case litmus.Send:
		return sends && op.On == on
	case litmus.Recv:
		return !sends && op.On == on
	case litmus.AwaitDone:
		return !sends
	case litmus.Select:
		for _, c := range op.Cases {
			if c.On == on && c.Send == sends {
				return true
			}
		}
	}
	return false
}
