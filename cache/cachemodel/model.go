package cachemodel

import (
	"fmt"
	"strings"

	"github.com/anishathalye/porcupine"
)

// Kind is a method of the cache.
type Kind string

// The calls that the model knows.
const (
	Get        Kind = "Get"
	Create     Kind = "GetOrCreate"
	Set        Kind = "Set"
	Delete     Kind = "Delete"
	Invalidate Kind = "Invalidate"
	Swap       Kind = "CompareAndSwap"
	Unset      Kind = "CompareAndDelete"
	Close      Kind = "Close"

	// Begin is the beginning of a creator that will return the value.
	Begin Kind = "Begin"
	// Stamp and Generation take a stamp of the cache, or the generation of its member of a bus. Value is its number, up to
	// MaxStamp.
	Stamp      Kind = "Stamp"
	Generation Kind = "Generation"
	// Fill fills in a value with the stamp Expect, and FillAt, of a member, with the generation Expect.
	Fill   Kind = "Fill"
	FillAt Kind = "FillAt"
	// Publish is an invalidation of all members of the bus.
	Publish Kind = "Publish"
)

// MaxCreated is the greatest value that a creator may give. Values for Set and Swap are greater.
const MaxCreated = 63

// MaxStamp is the greatest number of a stamp or a generation.
const MaxStamp = 63

// Call is the input of an operation.
type Call struct {
	Kind  Kind
	Value int // the value to set or swap in
	// Expect is the value whose version is compared, for Swap and Unset; 0 stands for version 0, no value. For Fill and
	// FillAt it is the number of a stamp or a generation.
	Expect int
}

// Outcome is how a call ended.
type Outcome string

// The outcomes.
const (
	OK       Outcome = "ok"       // with a value, or the change was made
	None     Outcome = "none"     // there was no value, or not the expected one
	Failed   Outcome = "failed"   // with the creator's error
	Stopped  Outcome = "stopped"  // the caller's own context ended first
	Shut     Outcome = "shut"     // with ErrClosed
	DoneOnly Outcome = "returned" // the call returns nothing
)

// Return is the output of an operation.
type Return struct {
	Outcome Outcome
	Value   int // of Get and Create, if Outcome is OK
}

// state is the state of a key. It is comparable.
type state struct {
	value  int // 0: none
	closed bool
	begun  uint64 // bit v is set if v has not appeared and nothing has changed since its creator began
	stamps uint64 // bit n is set if nothing has changed since stamp n was taken
	told   uint64 // bit n is set if nothing has come through the bus since generation n was taken
}

// New returns the model of one key.
func New() porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init:  func() []any { return []any{state{}} },
		Equal: func(a, b any) bool { return a == b },
		Step: func(s, in, out any) []any {
			var next []any
			for _, n := range step(s.(state), in.(Call), out.(Return)) {
				next = append(next, n)
			}
			return next
		},
		DescribeOperation: func(in, out any) string { return describe(in.(Call), out.(Return)) },
		DescribeState:     func(s any) string { return fmt.Sprint(s.(state).value) },
	}
	return m.ToModel()
}

// step returns the states that a call can lead to, or none if the call cannot have returned ret.
func step(s state, call Call, ret Return) []state {
	if s.closed || ret.Outcome == Shut {
		return onClosed(s, call, ret)
	}
	switch call.Kind {
	case Get:
		return when(ret == Return{OK, s.value} && s.value != 0 || ret.Outcome == None && s.value == 0, s)
	case Create:
		return create(s, ret)
	case Begin:
		s.begun |= 1 << call.Value
		return []state{s}
	case Stamp:
		s.stamps |= 1 << call.Value
		return []state{s}
	case Generation:
		s.told |= 1 << call.Value
		return []state{s}
	case Fill:
		return s.fill(call, ret, s.stamps)
	case FillAt:
		return s.fill(call, ret, s.told)
	case Publish:
		s.told = 0
		return []state{s.with(0)}
	case Set:
		return when(ret.Outcome == OK, s.with(call.Value))
	case Delete:
		return when((ret.Outcome == OK) == (s.value != 0), s.with(0))
	case Invalidate:
		return []state{s.with(0)}
	case Swap, Unset:
		if ret.Outcome == OK {
			return when(s.value == call.Expect, s.with(call.Value))
		}
		return when(s.value != call.Expect, s)
	case Close:
		return when(ret.Outcome == OK, state{closed: true})
	}
	return nil
}

func create(s state, ret Return) []state {
	switch ret.Outcome {
	case OK:
		if s.value == ret.Value {
			return []state{s}
		}
		return s.appear(ret.Value)
	case Failed:
		return when(s.value == 0, s)
	case Stopped: // the value it waited for may have appeared just before it left
		next := []state{s}
		for v := range MaxCreated + 1 {
			next = append(next, s.appear(v)...)
		}
		return next
	}
	return nil
}

// onClosed returns the states that a call on a closed cache can lead to. Calls that report nothing, and calls
// whose own context ended, are allowed too.
func onClosed(s state, call Call, ret Return) []state {
	if !s.closed {
		return nil
	}
	switch call.Kind {
	case Create:
		return when(ret.Outcome == Shut || ret.Outcome == Stopped, s)
	case Set, Close:
		return when(ret.Outcome == Shut, s)
	case Invalidate, Publish, Begin, Stamp, Generation:
		return []state{s}
	}
	return when(ret.Outcome == None, s)
}

// with changes the value. Creations that are under way are superseded, and stamps become old.
func (s state) with(v int) state {
	s.value, s.begun, s.stamps = v, 0, 0
	return s
}

// appear publishes a created value.
func (s state) appear(v int) []state {
	if s.value != 0 || s.begun&(1<<v) == 0 {
		return nil
	}
	s.value, s.begun = v, s.begun&^(1<<v)
	return []state{s}
}

// fill stores a value that was read before, unless it may be old. It may always refuse: a change of another key can look
// like one of this key, and creations that are under way are not in the model.
func (s state) fill(call Call, ret Return, current uint64) []state {
	if ret.Outcome != OK {
		return []state{s}
	}
	return when(s.value == 0 && current&(1<<call.Expect) != 0, s.with(call.Value))
}

func when(ok bool, s state) []state {
	if !ok {
		return nil
	}
	return []state{s}
}

func describe(call Call, ret Return) string {
	args := ""
	switch call.Kind {
	case Set, Begin, Stamp, Generation:
		args = fmt.Sprint(call.Value)
	case Swap:
		args = fmt.Sprintf("%d→%d", call.Expect, call.Value)
	case Fill, FillAt:
		args = fmt.Sprintf("%d, %d", call.Value, call.Expect)
	case Unset:
		args = fmt.Sprint(call.Expect)
	}
	if ret.Outcome == OK && ret.Value != 0 {
		return fmt.Sprintf("%s(%s) = %d", call.Kind, args, ret.Value)
	}
	return fmt.Sprintf("%s(%s) %s", call.Kind, args, ret.Outcome)
}

// list shows operations, one a line.
func list(ops []porcupine.Operation) string {
	var b strings.Builder
	for _, op := range ops {
		fmt.Fprintf(&b, "client %d  [%d, %d]  %s\n", op.ClientId, op.Call, op.Return,
			describe(op.Input.(Call), op.Output.(Return)))
	}
	return b.String()
}
