package linear

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// Bounds on the report of a history.
const (
	maxRows  = 20 // operations in the diagram
	maxOrder = 6  // operations of the nearest order
	maxText  = 60 // characters of one operation
	searches = 4  // steps, in multiples of the check's bound, for making a history minimal
)

// minimal frees the operations of a non-linearizable history that the violation does
// not need, one after the other, the last ones first. A freed operation may have
// happened at any time or never, and may have returned anything, so it cannot
// contradict the others. Removing it altogether would be wrong: a read without the
// write that it saw is no violation. One pass suffices, because an operation that is
// needed remains needed when others are freed.
func (s *spec) minimal(ops []operation) []operation {
	ops = slices.Clone(ops)
	left := searches * s.steps
	for i := len(ops) - 1; i >= 0 && left > 0; i-- {
		was := ops[i]
		ops[i].free, ops[i].call = true, 0
		c := s.search(ops, min(left, s.steps), false)
		left -= c.asked
		if c.legal || !c.decided() {
			ops[i] = was
		}
	}
	return ops
}

// needed reports whether an operation is part of a minimal history.
func (op *operation) needed() bool { return op.call != 0 }

// explain describes the violation in a part of a history: a line, and then a diagram of
// the operations.
func (s *spec) explain(p part) []string {
	ops := s.minimal(p.ops)
	var core []operation
	for _, op := range ops {
		if op.needed() {
			core = append(core, op)
		}
	}
	these := "this operation"
	if len(core) > 1 {
		these = "these " + source.Plural(len(core), "operation")
	}
	text := fmt.Sprintf(engine.NotLinearizable+"%s: no order explains %s", p.label(), these)
	if n := len(ops) - len(core); n > 0 {
		text += fmt.Sprintf(", whatever %s did", others(n))
	}
	rows := s.diagram(core)
	if hint := s.nearest(ops); hint != "" {
		rows = append(rows, hint)
	}
	return []string{copied(text), copied(strings.Join(rows, "\n"))}
}

func others(n int) string {
	if n == 1 {
		return "the other one"
	}
	return fmt.Sprintf("the other %d", n)
}

// diagram draws operations as intervals, one per line, in the order of their calls. The
// scale shows only the order of calls and returns.
func (s *spec) diagram(ops []operation) []string {
	var times []int64
	client, text := 0, 0
	for i := range ops {
		op := &ops[i]
		times = append(times, op.call)
		if op.ret != 0 {
			times = append(times, op.ret)
		}
		client = max(client, utf8.RuneCountInString(op.client))
		text = max(text, utf8.RuneCountInString(s.show(op)))
	}
	slices.Sort(times)
	var rows []string
	for i := range ops {
		if i == maxRows {
			return append(rows, fmt.Sprintf("    and %d more", len(ops)-i))
		}
		op := &ops[i]
		rows = append(rows, fmt.Sprintf("    %-*s  %-*s  %s", client, op.client, text, s.show(op), bar(op, times)))
	}
	return rows
}

// bar draws an operation's interval.
func bar(op *operation, times []int64) string {
	const unit = 3
	from, _ := slices.BinarySearch(times, op.call)
	to, end := len(times), "…"
	if op.ret != 0 {
		to, _ = slices.BinarySearch(times, op.ret)
		end = "┤"
	}
	return strings.Repeat(" ", unit*from) + "├" + strings.Repeat("─", unit*(to-from)-1) + end
}

// show formats a call with its result.
func (s *spec) show(op *operation) string {
	text := oneLine(s.describe(op.in))
	switch {
	case op.ret == 0:
		return text + " never returned"
	case s.result == nil:
		return text
	}
	return text + " = " + oneLine(s.result(op.out))
}

func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > maxText {
		text = string([]rune(text)[:maxText-1]) + "…"
	}
	return text
}

// nearest describes the longest legal order, and how the next operation violates the model.
func (s *spec) nearest(ops []operation) string {
	c := s.search(ops, s.steps, true)
	if !c.decided() || c.legal {
		return ""
	}
	next := -1 // the operation that had to come next is the first to return
	for i := range ops {
		if !ops[i].free && !slices.Contains(c.tried, i) && (next < 0 || ops[i].ret < ops[next].ret) {
			next = i
		}
	}
	if next < 0 {
		return ""
	}
	order := s.shorten(ops, c.tried, next)
	state, _ := s.after(ops, order)
	_, want := s.step(state, ops[next].in)
	var names []string
	if n := len(order) - maxOrder; n > 0 {
		names, order = append(names, "…"), order[n:]
	}
	for _, i := range order {
		if ops[i].free {
			names = append(names, oneLine(s.describe(ops[i].in)))
		} else {
			names = append(names, s.show(&ops[i]))
		}
	}
	text := "    the nearest order: "
	if len(names) > 0 {
		text += strings.Join(names, ", ") + ", then "
	}
	text += s.show(&ops[next])
	if s.result == nil {
		return text + ", which the model refuses"
	}
	return text + ", where the model has " + oneLine(s.result(want))
}

// shorten removes free operations from an order as long as it remains legal and the
// next operation still contradicts the model.
func (s *spec) shorten(ops []operation, order []int, next int) []int {
	for k := len(order) - 1; k >= 0; k-- {
		if !ops[order[k]].free {
			continue
		}
		shorter := slices.Delete(slices.Clone(order), k, k+1)
		if state, legal := s.after(ops, shorter); legal {
			if _, want := s.step(state, ops[next].in); !s.agree(want, ops[next].out) {
				order = shorter
			}
		}
	}
	return order
}

// after returns the state to which an order leads, and whether the order is legal.
func (s *spec) after(ops []operation, order []int) (state any, legal bool) {
	state = s.init()
	for _, i := range order {
		next, want := s.step(state, ops[i].in)
		if !ops[i].free && !s.agree(want, ops[i].out) {
			return state, false
		}
		state = next
	}
	return state, true
}

// annotate sets the log lines of a shown execution to the calls and their
// results.
func (s *spec) annotate(ops []operation) {
	for i := range ops {
		op := &ops[i]
		if op.notes[0] != nil {
			*op.notes[0] = copied("call " + oneLine(s.describe(op.in)))
		}
		if op.notes[1] != nil {
			*op.notes[1] = copied(s.show(op))
		}
	}
}
