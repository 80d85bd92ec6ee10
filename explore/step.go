package explore

import "github.com/jacquard-go/jacquard/internal/control"

// choose asks the strategy, if there is a choice.
func (ex *execution) choose(runnable []uint32, current int) (id, selected uint32, decided bool) {
	if ex.enabled.owned {
		for _, id := range runnable {
			if ex.owned[id] {
				return id, 0, false
			}
		}
	}
	first := ex.e.Member(int(runnable[0]))
	if len(runnable) == 1 && first.Op != control.OpSelect {
		return runnable[0], 0, false
	}
	p := &ex.point
	p.Runnable, p.Pending, p.Steps = runnable, ex.pending, ex.trail
	fair := ex.steps > ex.x.cfg.MaxSteps/2
	p.Index, p.Current, p.Created = len(ex.run), current, ex.e.Len()
	p.Yielded = current >= 0 && (fair || ex.streak >= runAlone || ex.e.Member(int(ex.last)).Op == control.OpYield)
	if p.Next = ex.next(runnable); fair {
		p.Next = ex.turn(runnable, current)
	} else if p.Yielded && current == p.Next {
		p.Next = (p.Next + 1) % len(runnable)
	}
	var c Choice
	if fair {
		c = Choice{Index: p.Next} // which is no deviation
		ex.forced = true
	} else {
		c = ex.pick.Pick(p)
	}
	if c.Stop {
		ex.stopped = true
		return 0, 0, false
	}
	if c.Index < 0 || c.Index >= len(runnable) {
		c.Index = p.Default()
	}
	ex.run = append(ex.run, Decision{
		Runnable: len(runnable), Default: p.Default(), Preempts: current >= 0 && !p.Yielded,
		Chosen: c, Goroutine: runnable[c.Index], Last: ex.last, Nth: ex.nth[ex.last], hash: ex.hash,
	})
	ex.nth[ex.last]++
	if c.Index == current {
		ex.streak++
	} else {
		ex.streak = 0
	}
	return runnable[c.Index], c.Case, true
}

// step runs one member until its next operation.
func (ex *execution) step(id, selected uint32, decided bool) {
	m := ex.e.Member(int(id))
	ex.mix(m)
	ex.begin(m)
	at := len(ex.trail) - 1
	var before *event
	if ex.trace != nil && ex.kept() && len(ex.trace.events) < mostShown {
		before = ex.trace.before(ex, m)
	}
	ex.ran = id
	if decided || !ex.owned[id] {
		ex.last = id
	}
	op := m.Op
	ex.begins = op == control.OpStart
	ex.glance(m)
	ex.advance(id, selected)
	ex.seen.ready = m.Ready
	if decided && op == control.OpSelect && m.Ready > 1 {
		d := &ex.run[len(ex.run)-1]
		d.Ready, d.Chosen.Case = int(m.Ready), selected%m.Ready
		ex.trail[at].Case = d.Chosen.Case
	} else if decided {
		ex.run[len(ex.run)-1].Chosen.Case = 0
	}
	ex.settle() // the rest of the operation
	ex.borrows(m)
	effect := ex.spun(m, op)
	ex.slices.effective = effect
	ex.locked(m, op, ex.seen.site, ex.seen.visit.addr, effect)
	if before != nil {
		ex.trace.after(ex, m, before)
	}
	ex.collect()
}

// mix adds the operation that is about to run to the execution's hash: who,
// what, and the code it is in, relative to this program's text.
func (ex *execution) mix(m *control.Member) {
	h := ex.hash ^ uint64(m.ID)<<32 ^ uint64(m.Op)
	if m.Op != control.OpStart && m.Op != control.OpWoken {
		h ^= ex.site(m).hash
	}
	ex.hash = (h ^ h>>29) * 0x9e3779b97f4a7c15
}
