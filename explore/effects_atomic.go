package explore

import (
	"fmt"
	"strings"
)

// atomicDone notes what an atomic operation has read and written. Nobody else
// has run since it began, so that the value before it is what it met.
func (r *recorder) atomicDone(e *event) {
	if strings.HasPrefix(e.site.op, "WaitGroup.") {
		r.counted(e)
		return
	}
	if e.site.typ == "" || e.site.size == 0 || e.was == "" {
		return
	}
	e.is = r.atomic(e)
	switch e.verb {
	case "Load":
		e.value, e.writes = "= "+e.was, false
	case "Store":
		e.reads = false
		e.value = change(e.was, e.is)
	case "Swap":
		e.verb = fmt.Sprintf("Swap(%s)", r.operandText(e, 0))
		e.value = "= " + e.was
	case "Add":
		e.verb = fmt.Sprintf("Add(%s)", r.delta(e))
		e.value = "= " + e.is
	case "And", "Or":
		e.value = change(e.was, e.is)
	case "CompareAndSwap":
		old, now := r.operandText(e, 0), r.operandText(e, 1)
		swapped := old == e.was
		e.verb = fmt.Sprintf("CompareAndSwap(%s→%s)", old, now)
		e.value, e.refused, e.writes = fmt.Sprint("= ", swapped), !swapped, swapped
		if !swapped {
			e.value += ": it is " + e.was
		}
	}
}

// operandText is an argument of an atomic operation. Those of four bytes lie
// side by side.
func (r *recorder) operandText(e *event, i int) string {
	bits := uint64(e.operand[i])
	if e.site.size == 4 {
		bits = uint64(e.operand[0]) >> (32 * i)
	}
	return r.values.atomic(e.site.typ, bits)
}

// delta is what an atomic addition adds. The argument of an unsigned one is
// shown as a signed number, as it is written in x.Add(^uint64(0)).
func (r *recorder) delta(e *event) string {
	if e.site.size == 4 {
		return fmt.Sprint(int32(e.operand[0]))
	}
	return fmt.Sprint(int64(e.operand[0]))
}

// counted shows the counter of a wait group.
func (r *recorder) counted(e *event) {
	now, ok := word(e.variable(), 8)
	if !ok {
		return
	}
	was, is := int32(e.bits>>32), int32(now>>32)
	switch {
	case e.started != nil:
	case e.reads && !e.writes:
		e.value = fmt.Sprint("= ", was)
	default:
		e.value = fmt.Sprintf("%d → %d", was, is)
	}
}
