package explore

import "github.com/jacquard-go/jacquard/internal/control"

// An order identifies an execution up to the order of operations that do not
// conflict: two executions in which every pair of conflicting operations comes
// in the same order have the same sum (they are one Mazurkiewicz trace). Each
// step hashes what it depends on, which is its goroutine's last step and the
// steps on its object that it conflicts with; the sum of all does not depend on
// their order.
type order struct {
	sum     uint64
	known   int               // members seen so far
	threads map[uint32]uint64 // last step of each goroutine
	writes  map[uint64]uint64 // last step on each object that others can notice
	reads   map[uint64]uint64 // sum of the steps since, which they cannot
}

// add notes the step that m is about to make.
func (o *order) add(m *control.Member, op Operation) {
	if o.threads == nil {
		o.threads, o.writes, o.reads = make(map[uint32]uint64), make(map[uint64]uint64), make(map[uint64]uint64)
	}
	last := o.threads[m.ID]
	if m.Op == control.OpWoken {
		last = mixed(last, o.threads[m.Waker])
	}
	h := mixed(mixed(last, uint64(m.ID)<<8|uint64(m.Op)), o.writes[op.Object])
	switch {
	case op.Object == 0:
	case op.Writes:
		h = mixed(h, o.reads[op.Object])
		o.writes[op.Object], o.reads[op.Object] = h, 0
	default:
		o.reads[op.Object] += h
	}
	o.threads[m.ID] = h
	o.sum += h
}

// born notes members that the last step has started.
func (o *order) born(e *control.Execution) {
	for ; o.known < e.Len(); o.known++ {
		m := e.Member(o.known + 1)
		if m.Parent != 0 {
			o.threads[m.ID] = o.threads[m.Parent]
		}
	}
}

// joined makes a goroutine's next step depend on every other's last one: it has
// waited for all of them, in whatever order they ended.
func (o *order) joined(id uint32) {
	sum := uint64(0)
	for other, h := range o.threads {
		if other != id {
			sum += h
		}
	}
	o.threads[id] = mixed(o.threads[id], sum)
}

func mixed(a, b uint64) uint64 {
	h := (a ^ b>>32 ^ b<<32) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}
