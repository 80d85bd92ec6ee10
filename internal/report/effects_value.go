package report

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/internal/source"
)

// A valueUse is an operation's part in a call on an atomic.Value: the call reads the type of the
// value held, and then reads or changes the data.
type valueUse struct {
	box    [2]uint64 // type and data before the operation
	atData bool      // the operation is on the data
	glance bool      // it decides nothing, because another row of the call does
}

const wordSize = 8

func (e *event) onValue() bool { return e.Site.Type == "Value" }

// lookAtValue records what an atomic.Value holds. The row's object is the whole Value.
func (r *Recorder) lookAtValue(e *event) {
	if first := r.lastOf(e); first != nil && first.onValue() && first.PC == e.PC && first.Action == e.Action && first.object+wordSize == e.object {
		e.object, e.atData = first.object, true
	}
	e.box = storedAt(e.object)
	e.was = r.values.Boxed(e.box)
}

// lastOf returns the row before e of the same goroutine.
func (r *Recorder) lastOf(e *event) *event {
	for i := e.index - 2; i >= 0; i-- {
		if last := r.events[i]; last.task == e.task && !last.log {
			return last
		}
	}
	return nil
}

func storedAt(object uintptr) (words [2]uint64) {
	words[0], _ = source.Word(object, wordSize)
	words[1], _ = source.Word(object+wordSize, wordSize)
	return words
}

// valueDone records what an operation on an atomic.Value has read and written.
func (r *Recorder) valueDone(e *event) {
	now := storedAt(e.object)
	e.is = r.values.Boxed(now)
	e.writes = now != e.box
	_, method, _ := strings.Cut(e.Action, ".")
	if !e.writes && !e.atData && e.box[0] != 0 {
		e.glance, e.reads = true, false // it only reads the type
		return
	}
	switch method {
	case "Load":
		e.value = source.Prefixed("= ", e.was)
	case "Store":
		e.reads, e.writes = false, true
		e.value = change(e.was, e.is)
	case "Swap":
		e.writes = true
		e.verb = fmt.Sprintf("Value.Swap(%s)", e.is)
		e.value = source.Prefixed("= ", e.was)
	case "CompareAndSwap":
		r.valueCompared(e)
	}
}

// valueCompared records the result of a comparison: the call reads the data and, if they are the
// expected ones, tries to swap them. Its operands are read only then.
func (r *Recorder) valueCompared(e *event) {
	swaps := e.atData && !strings.Contains(source.Leaf(e.pcs), "Load")
	if last := r.lastOf(e); swaps && last != nil && last.atData {
		last.value, last.refused, last.glance, last.reads = "", false, true, false
	}
	if swapped := e.writes || swaps && uint64(e.operand[0]) == e.box[1]; swapped {
		e.value, e.writes = "= true"+source.Prefixed(": ", change(e.was, e.is)), true
		return
	}
	e.value, e.refused = fmt.Sprint("= false", source.Prefixed(": it is ", e.is)), true
}
