package linear

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/anishathalye/porcupine"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A spec is a Model without its type parameters.
type spec struct {
	steps     int
	init      func() any
	step      func(state, in any) (next, out any)
	equal     func(a, b any) bool
	agree     func(want, got any) bool
	partition func(in any) string // nil means one part
	describe  func(in any) string
	result    func(out any) string // nil if results carry no information
	fragile   bool                 // states contain references through which a step could change them in place
}

// always is the return time of an operation that no other comes after.
const always = 1 << 62

// judge checks a recording and reports failures to its T.
func judge(t *engine.T, s *spec, rec *recording) {
	ops := rec.snapshot()
	if len(ops) == 0 {
		t.Inconclusive("linearizability: no operation was recorded")
		return
	}
	f := finding{crash: copied(crashed + exits)} // unless it returns
	outside(func() { f = s.find(ops) })
	switch {
	case f.crash != "":
		panic(f.crash)
	case f.unknown != "":
		t.Inconclusive("%s", f.unknown)
	case f.failed != nil:
		engine.FailAs(t, f.failed, engine.NotLinearizable)
	}
}

// outside runs f on a goroutine that is no task of the execution, because porcupine
// starts goroutines and waits for them. The calling task polls, so that it remains the
// running one; any other way of waiting would block it. The variable done is invisible
// to the race detector, because this package is not instrumented: otherwise f, which
// has read data of all tasks, would be ordered before the caller.
func outside(f func()) {
	if control.Self() == 0 {
		f()
		return
	}
	own := control.Enter()
	var done atomic.Bool
	go func() {
		defer done.Store(true)
		f()
	}()
	for !done.Load() {
		runtime.Gosched()
	}
	control.Leave(own)
}

// A finding is the result of a check; at most one field is set.
type finding struct {
	failed  []string // messages
	unknown string
	crash   string
}

// What the message of a crash says.
const (
	crashed = "explore: a function of the Model "
	exits   = "called runtime.Goexit, as Fatal and FailNow of a test do"
)

// find checks the parts of a history in turn and returns the first
// violation.
func (s *spec) find(ops []operation) (f finding) {
	defer func() {
		if r := recover(); r != nil {
			f = finding{crash: copied(crashed + "panicked: " + engine.PanicText(r))}
		}
	}()
	for i := range ops {
		ops[i].pass()
	}
	defer s.annotate(ops)
	for _, p := range s.parts(ops) {
		c := s.search(p.ops, s.steps, false)
		switch {
		case c.exited:
			return finding{crash: copied(crashed + exits)}
		case c.misuse != "":
			return finding{unknown: copied(c.misuse)}
		case c.spent && f.unknown == "":
			f.unknown = copied(fmt.Sprintf("linearizability: %s%s not decided within %d steps of the model", source.Plural(len(p.ops), "operation"), p.label(), s.steps))
		case c.decided() && !c.legal:
			return finding{failed: s.explain(p)}
		}
	}
	return f
}

// copied copies a text inside the runtime, so that the race detector sees no write to
// it.
func copied(text string) string { return string([]byte(text)) }

// A part is the operations of a history that concern one partition.
type part struct {
	key   string
	named bool
	ops   []operation
}

func (p part) label() string {
	if !p.named {
		return ""
	}
	return fmt.Sprintf(" on %q", p.key)
}

// parts divides a history into its partitions, sorted by key.
func (s *spec) parts(ops []operation) []part {
	if s.partition == nil {
		return []part{{ops: ops}}
	}
	var parts []part
	for _, op := range ops {
		key := s.partition(op.in)
		i, found := slices.BinarySearchFunc(parts, key, func(p part, key string) int { return strings.Compare(p.key, key) })
		if !found {
			parts = slices.Insert(parts, i, part{key: key, named: true})
		}
		parts[i].ops = append(parts[i].ops, op)
	}
	return parts
}

// A search is one run of porcupine, which calls its methods from one goroutine at a
// time.
type search struct {
	s      *spec
	bound  int
	asked  int // calls of Step and Equal so far
	legal  bool
	spent  bool          // the bound was reached, so the result is unknown
	misuse string        // how the model was misused
	crash  any           // value with which a function of the model panicked
	exited bool          // a function of the model has ended porcupine's goroutine
	ended  chan struct{} // closed when the search is over, or with exited
	tried  []int         // indices of the longest legal prefix; only in a verbose search
}

// search checks whether operations are linearizable, in at most bound steps of the model.
func (s *spec) search(ops []operation, bound int, verbose bool) *search {
	c := &search{s: s, bound: bound, ended: make(chan struct{})}
	history := make([]porcupine.Operation, len(ops))
	for i := range ops {
		op := &ops[i]
		history[i] = porcupine.Operation{ClientId: i, Input: op, Call: op.call, Return: op.ret}
		if op.free {
			history[i].Return = always
		}
	}
	go c.check(history, verbose)
	if <-c.ended; c.crash != nil {
		panic(c.crash)
	}
	return c
}

// check runs porcupine, which never returns if a function of the model ends its goroutine.
func (c *search) check(history []porcupine.Operation, verbose bool) {
	m := porcupine.Model{Init: c.init, Step: c.step, Equal: c.equal}
	if verbose {
		result, info := porcupine.CheckOperationsVerbose(m, history, 0)
		c.legal, c.tried = result == porcupine.Ok, longest(info.PartialLinearizations())
	} else {
		c.legal = porcupine.CheckOperations(m, history)
	}
	close(c.ended)
}

// decided reports whether the search can still give an answer.
func (c *search) decided() bool { return !c.spent && c.misuse == "" }

// longest returns the longest sequence, and the smallest of several. porcupine returns
// sequences in no fixed order.
func longest(parts [][][]int) (best []int) {
	for _, seqs := range parts {
		for _, seq := range seqs {
			if best == nil || len(seq) > len(best) || len(seq) == len(best) && slices.Compare(seq, best) < 0 {
				best = seq
			}
		}
	}
	return best
}

// init is the Init function for porcupine.
func (c *search) init() (state any) {
	c.call(func() { state = c.s.init() })
	return state
}

// step is the Step function for porcupine. Once the search is over for another reason,
// no step is legal, which ends porcupine soon. A free operation can always be put last,
// where its effect does not show, because Step has an answer in every state.
func (c *search) step(state, input, _ any) (legal bool, next any) {
	if !c.ask() {
		return false, state
	}
	op := input.(*operation)
	c.call(func() {
		var want any
		before := c.s.fingerprint(state)
		next, want = c.s.step(state, op.in)
		if c.s.fingerprint(state) != before {
			c.misuse = "linearizability: Model.Step changed the state that it was given; want a new one (clone maps and slices)"
			return
		}
		legal = op.free || c.s.agree(want, op.out)
	})
	return legal, next
}

// ask counts a call of the model, and reports whether its result still matters.
func (c *search) ask() bool {
	if c.asked == c.bound {
		c.spent = true
	}
	if c.crash != nil || !c.decided() {
		return false
	}
	c.asked++
	return true
}

// equal is the Equal function for porcupine, which uses it to recognise visited states. It
// calls equal once for each state with the same set of operations, so these calls count too.
func (c *search) equal(a, b any) (same bool) {
	if !c.ask() {
		return true // prunes everything, which ends the search soon
	}
	c.call(func() { same = c.s.equal(a, b) })
	return same
}

// call runs functions of the model, and records how they end instead of returning, because
// porcupine's goroutine cannot report it.
func (c *search) call(f func()) {
	returned := false
	defer func() {
		switch r := recover(); {
		case r != nil && c.crash == nil:
			c.crash = r
		case r == nil && !returned:
			c.exited = true
			close(c.ended)
		}
	}()
	f()
	returned = true
}

// fingerprint detects whether a step has changed a state in place.
func (s *spec) fingerprint(state any) string {
	if !s.fragile {
		return ""
	}
	return fmt.Sprint(state)
}

// hasReferences reports whether a value of type t can share memory with a copy of it.
func hasReferences(t reflect.Type, seen []reflect.Type) bool {
	if slices.Contains(seen, t) {
		return false
	}
	switch t.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer, reflect.Interface:
		return true
	case reflect.Array:
		return hasReferences(t.Elem(), append(seen, t))
	case reflect.Struct:
		for i := range t.NumField() {
			if hasReferences(t.Field(i).Type, append(seen, t)) {
				return true
			}
		}
	}
	return false
}
