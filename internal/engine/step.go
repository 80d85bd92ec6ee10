package engine

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// choose selects the next task. It asks the strategy only if there is a choice.
func (ex *Execution) choose(runnable []uint32, current int) (id, selected uint32, decided bool) {
	if ex.enabled.owned {
		for _, id := range runnable {
			if ex.owned[id] {
				return id, 0, false
			}
		}
		if slices.Contains(runnable, ex.Last) && ex.served(ex.Last) {
			return ex.Last, 0, false
		}
	}
	fair := ex.Steps > ex.Engine.Settings.MaxSteps/2
	all, clocked := runnable, false
	if !fair && ex.Stalls.Bound > 0 {
		all, clocked = ex.clocked(runnable)
	}
	if len(all) == 1 && ex.Control.Task(int(runnable[0])).Op != control.OpSelect {
		return runnable[0], 0, false
	}
	p := &ex.point
	p.Runnable, p.Pending, p.Steps = all, ex.pending, ex.Trail
	if p.Held == nil {
		p.Held, p.Mirrors = ex.held, ex.mirrors
	}
	p.Index, p.Current, p.Created = len(ex.Run), current, ex.Control.Len()
	long := fair || ex.streak >= runAlone // others must run
	p.Yielded = current >= 0 && (long || ex.Control.Task(int(ex.Last)).Op == control.OpYield)
	if p.Next = ex.free(runnable, current); fair {
		p.Next = ex.turn(runnable, current)
	} else if p.Yielded && current == p.Next {
		p.Next = (p.Next + 1) % len(runnable)
	}
	c := schedule.Choice{Index: p.Next} // if fair: the default, so no deviation
	if ex.Forced = ex.Forced || fair; !fair {
		c = ex.pick.Pick(p)
	}
	if c.Stop {
		ex.stop()
		c = ex.pick.Pick(p)
	}
	if c.Index < 0 || c.Index >= len(all) {
		c.Index = p.Default()
	}
	ex.Run = oneMore(ex.Run)
	d := &ex.Run[len(ex.Run)-1] // every field is set in place
	d.Runnable, d.Default, d.Preempts, d.Clocked = len(all), p.Default(), current >= 0 && !p.Yielded, clocked
	d.Held, d.Chosen, d.Ready = clocked && ex.Stalls.allHeld(runnable), c, 0
	d.Goroutine, d.Turn, d.Last, d.Nth, d.Hash = all[c.Index], all[d.Default], ex.Last, ex.Nth[ex.Last], ex.hash
	ex.Nth[ex.Last]++
	ex.enabled.at = c.Index
	if c.Index == current {
		ex.streak++
	} else {
		ex.Quantum = ex.Quantum || current >= 0 && long
		ex.streak = 0
	}
	return all[c.Index], c.Case, true
}

// step runs one task until its next operation.
func (ex *Execution) step(id, selected uint32, decided bool) {
	m := ex.Control.Task(int(id))
	s := ex.mix(m)
	ex.begin(m, s.Place())
	at := len(ex.Trail) - 1
	shown := ex.Trace != nil && ex.kept() && ex.Trace.Before(ex, m)
	ex.ran = id
	ex.Stalls.runs(id)
	if decided || !ex.owned[id] {
		ex.Last = id
	}
	op := m.Op
	ex.begins = op == control.OpStart
	if ex.insight != nil {
		ex.insight.Begin(m, ex.site, ex.owned[id], &ex.Trail[at], ex.systemCalls())
	}
	ex.times, ex.waits = ex.Control.Timely()
	ex.glance(m, s)
	did, addr := ex.seen.site, ex.seen.visit.addr
	ex.advance(id, selected)
	ex.seen.ready = m.Ready
	if decided && op == control.OpSelect && m.Ready > 1 {
		d := &ex.Run[len(ex.Run)-1]
		d.Ready, d.Chosen.Case = int(m.Ready), selected%m.Ready
		ex.Trail[at].Case = d.Chosen.Case
	} else if decided {
		ex.Run[len(ex.Run)-1].Chosen.Case = 0
	}
	ex.settle()             // runs on to the next scheduling point
	m.Ready = ex.seen.ready // not of what was passed on the way
	ex.timely()
	if ex.insight != nil {
		ex.insight.End(&ex.Trail[at], ex.systemCalls())
	}
	if did.Counts() {
		ex.misused(m, did, addr)
	}
	switch m.State {
	case control.Runnable:
		if m.Op == control.OpGo {
			ex.borrows(m)
		}
	case control.Blocked:
		ex.attempted(m)
	case control.Exited:
		ex.manifold()
		ex.bodyEnds(m)
	}
	effect := ex.spun(m, op)
	ex.Slices.effective = effect
	if op == control.OpWoken || ex.seen.site.OnLock() {
		ex.locked(m, op, ex.seen.site, ex.seen.visit.addr, effect)
	}
	if shown {
		ex.Trace.After(ex, m)
	}
	ex.collect()
}

// mix adds the operation that is about to run to the execution's hash: the task, the
// operation, and its code, relative to this program's text. It returns the site, or nil
// if the task begins or was woken. The task's number does not count leftover
// goroutines, because a process that replays the schedule may have none.
func (ex *Execution) mix(m *control.Task) (s *source.Site) {
	if m.Op != control.OpStart && m.Op != control.OpWoken {
		s = ex.site(m)
		if ex.Engine.Watched {
			ex.uses(m, s)
		}
		if !s.Foreign {
			ex.Own = schedule.Mix(ex.Own, m.Path^s.Hash)
		}
	}
	who := m.ID
	switch {
	case m.Leftover():
		who |= 1 << 31
	case who > 1:
		who -= ex.old
	}
	h := ex.hash ^ uint64(who)<<32 ^ uint64(m.Op) ^ s.Place()
	ex.hash = (h ^ h>>29) * 0x9e3779b97f4a7c15
	return s
}
