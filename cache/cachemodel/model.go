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
)

// MaxCreated is the greatest value that a creator may give. Values for Set and Swap are greater.
const MaxCreated = 63

// Call is the input of an operation.
type Call struct {
	Kind  Kind
	Value int // the value to set or swap in
	// Expect is the value whose version is compared, for Swap and Unset; 0 stands for version 0, no value.
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
	value   int    // 0: none
	created uint64 // bit v is set once the created value v has appeared
	closed  bool
}

// New returns the model of one key. created are the values that creators returned in the history, whether a caller
// got them or not.
func New(created ...int) porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init:  func() []any { return []any{state{}} },
		Equal: func(a, b any) bool { return a == b },
		Step: func(s, in, out any) []any {
			var next []any
			for _, n := range step(s.(state), in.(Call), out.(Return), created) {
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
func step(s state, call Call, ret Return, created []int) []state {
	if s.closed || ret.Outcome == Shut {
		return onClosed(s, call, ret)
	}
	switch call.Kind {
	case Get:
		return when(ret == Return{OK, s.value} && s.value != 0 || ret.Outcome == None && s.value == 0, s)
	case Create:
		return create(s, ret, created)
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

func create(s state, ret Return, created []int) []state {
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
		for _, v := range created {
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
	case Invalidate:
		return []state{s}
	}
	return when(ret.Outcome == None, s)
}

func (s state) with(v int) state { s.value = v; return s }

// appear publishes a created value.
func (s state) appear(v int) []state {
	if s.value != 0 || v < 1 || v > MaxCreated || s.created&(1<<v) != 0 {
		return nil
	}
	return []state{{value: v, created: s.created | 1<<v}}
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
	case Set:
		args = fmt.Sprint(call.Value)
	case Swap:
		args = fmt.Sprintf("%d→%d", call.Expect, call.Value)
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
