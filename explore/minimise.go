package explore

// A spot names a decision independently of how many went before it: the
// goroutine that ran last and how many decisions followed on its steps.
type spot struct {
	last uint32
	nth  int
}

// A guide is a schedule given by its deviations at spots. Unlike a follower it
// is not strict: what cannot be done is left out.
type guide map[spot]guided

type guided struct {
	goroutine uint32
	selected  uint32
}

// A guidePicker follows a guide.
type guidePicker struct {
	guide guide
	ex    *execution
}

func (g *guidePicker) Pick(p *Point) Choice {
	at := spot{last: g.ex.last, nth: g.ex.nth[g.ex.last]}
	if want, ok := g.guide[at]; ok {
		for i, id := range p.Runnable {
			if id == want.goroutine {
				return Choice{Index: i, Case: want.selected}
			}
		}
	}
	return Choice{Index: p.Default()}
}

// guideOf is the guide that leads to run.
func guideOf(run []Decision) guide {
	g := make(guide)
	for _, d := range run {
		if d.Deviates() {
			g[spot{last: d.Last, nth: d.Nth}] = guided{goroutine: d.Goroutine, selected: d.Chosen.Case}
		}
	}
	return g
}

// A minimiser reduces one failing schedule.
type minimiser struct {
	x    *explorer
	kind Kind
	seed uint64
	best *execution
	left int
}

// minimise looks for a schedule with fewer preemptions that fails in the same
// way: first by dropping deviations one by one, for as long as that helps (delta
// debugging, Zeller and Hildebrandt, TSE 2002, with granularity one), then by
// searching depth first below what is left. The random choices stay those of
// the failing schedule.
func (x *explorer) minimise(ex *execution, seed uint64) *execution {
	m := &minimiser{x: x, kind: ex.out.kind, seed: seed, best: ex, left: max(x.cfg.Minimise, 0)}
	for m.left > 0 && m.drop() {
	}
	m.search()
	return m.best
}

// drop tries to do without each deviation in turn, the last ones first. It
// reports whether one could go.
func (m *minimiser) drop() bool {
	better := false
	for _, preempting := range []bool{true, false} {
		run := m.best.run
		for i := len(run) - 1; i >= 0; i-- {
			d := run[i]
			if !d.Deviates() || (d.Preempts && d.Chosen.Index != d.Default) != preempting {
				continue
			}
			g := guideOf(m.best.run)
			key := spot{last: d.Last, nth: d.Nth}
			if _, still := g[key]; !still {
				continue
			}
			delete(g, key)
			better = m.try(g) || better
		}
	}
	return better && m.left > 0
}

// try executes a guide and keeps it if it fails in the same way and is
// simpler.
func (m *minimiser) try(g guide) bool {
	if m.left == 0 {
		return false
	}
	m.left--
	p := &guidePicker{guide: g}
	ex := m.x.executeWith(func(ex *execution) picker { p.ex = ex; return p }, m.seed, nil)
	return m.keep(ex)
}

func (m *minimiser) keep(ex *execution) bool {
	if ex.out.kind != m.kind || ex.out.unknown != "" || !simpler(ex.run, m.best.run) {
		return false
	}
	m.best = ex
	return true
}

// search tries every schedule with fewer preemptions than the best one has.
func (m *minimiser) search() {
	most := preemptions(m.best.run) - 1
	if most < 0 {
		return
	}
	s := &depthFirst{bound: min(most, 2)}
	s.Reset(m.seed)
	for m.left > 0 {
		seed, ok := s.Begin()
		if !ok {
			return
		}
		m.left--
		ex := m.x.execute(s, seed, nil)
		if m.keep(ex) {
			return // rounds rise, so the first has the fewest
		}
		s.End(Trace{Decisions: ex.run})
	}
}

// simpler orders schedules: fewer preemptions, then fewer deviations, then
// fewer decisions.
func simpler(a, b []Decision) bool {
	if x, y := preemptions(a), preemptions(b); x != y {
		return x < y
	}
	if x, y := len(deviations(a)), len(deviations(b)); x != y {
		return x < y
	}
	return len(a) < len(b)
}
