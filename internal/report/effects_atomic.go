package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/source"
)

// atomicDone records what an atomic operation has read and written. No other task has run since it
// began, so it met the value recorded before it.
func (r *Recorder) atomicDone(e *event) {
	switch {
	case strings.HasPrefix(e.Site.Op, "WaitGroup."):
		r.counted(e)
		return
	case e.onValue():
		r.valueDone(e)
		return
	case e.isTry():
		r.tryGoesOn(e)
		return
	case strings.HasPrefix(e.Site.Call, "Map."):
		e.mapDone()
		return
	}
	if e.Site.Type == "" || e.Site.Size == 0 || e.was == "" {
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

// operandText formats an argument of an atomic operation. Arguments of four bytes lie side by side.
func (r *Recorder) operandText(e *event, i int) string {
	bits := uint64(e.operand[i])
	if e.Site.Size == 4 {
		bits = uint64(e.operand[0]) >> (32 * i)
	}
	return r.values.Atomic(e.Site.Type, bits)
}

// delta formats the argument of an atomic addition. An unsigned one is shown as a signed number, as
// in x.Add(^uint64(0)).
func (r *Recorder) delta(e *event) string {
	if e.Site.Size == 4 {
		return fmt.Sprint(int32(e.operand[0]))
	}
	return fmt.Sprint(int64(e.operand[0]))
}

// counted records the counter of a wait group.
func (r *Recorder) counted(e *event) {
	now, ok := source.Word(e.variable(), 8)
	if !ok {
		return
	}
	was, is := int32(e.bits>>32), int32(now>>32)
	switch {
	case e.started != nil:
		if now != 0 {
			e.panics("panics: the wait group is used again")
		}
	case e.reads && !e.writes:
		e.value = fmt.Sprint("= ", was)
		if was != 0 && now != 0 && r.hasWaited(e) {
			e.panics("panics: the wait group is used again")
		}
	default:
		e.value = fmt.Sprintf("%d → %d", was, is)
		e.miscounts(is, is-was, now)
	}
}

// hasWaited reports whether a row of Wait comes after the wait: the row before is then another part of
// that call.
func (r *Recorder) hasWaited(e *event) bool {
	for _, o := range slices.Backward(r.events) {
		if o != e && o.task == e.task {
			return o.waitsForGroup() && o.Site.Kind == source.SiteAtomicWrite && o.object == e.object
		}
	}
	return false
}

// miscounts records whether package sync panics for a change of the counter by delta to is.
func (e *event) miscounts(is, delta int32, now uint64) {
	const waiters = 1<<31 - 1 // the lower half of its state, except one bit
	switch {
	case is < 0:
		e.panics("panics: the counter is negative")
	case now&waiters != 0 && delta > 0 && is == delta:
		e.panics("panics: others wait already")
	}
}

// mapDone records whether an operation within a call of sync.Map has changed the map.
func (e *event) mapDone() {
	if e.Site.Kind != source.SiteAtomicWrite || source.Through(e.within(), ".initSlow") {
		return
	}
	call := cmp.Or(e.inside, e)
	call.stored = call.stored || !strings.HasPrefix(source.Leaf(e.pcs), "Load")
}
