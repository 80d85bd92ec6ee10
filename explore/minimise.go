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

// guided executes the body under a guide.
func (x *explorer) guided(g guide, seed uint64, trace *recorder) *execution {
	p := &guidePicker{guide: g}
	return x.executeWith(func(ex *execution) picker { p.ex = ex; return p }, seed, trace)
}

// minimiseSteps is how many steps of the failing schedule count as one more
// execution in Config.Minimise: a livelock takes the whole budget of steps each
// time.
const minimiseSteps = 1000

// A minimiser reduces one failing schedule.
type minimiser struct {
	x       *explorer
	kind    Kind
	cause   string
	seed    uint64
	best    *execution
	left    int  // executions
	minimal bool // no schedule with fewer preemptions fails like this
}

// stepsShare is the part of the executions that may go on looking for fewer
// steps when no fewer preemptions are possible: one in so many.
const stepsShare = 4

// minimise looks for a schedule that fails for the same cause with fewer
// preemptions, and among those with as many for one with fewer steps: first by
// dropping deviations one by one, for as long as that helps (delta debugging,
// Zeller and Hildebrandt, TSE 2002, with granularity one), then by searching
// depth first below what is left. It reports whether that search has shown that
// fewer preemptions do not do. The random choices stay those of the failing
// schedule.
func (x *explorer) minimise(ex *execution, seed uint64) (best *execution, minimal bool) {
	m := &minimiser{x: x, kind: ex.out.kind, cause: ex.cause(), seed: seed, best: ex, left: max(x.cfg.Minimise, 0)}
	for m.left > 0 && m.drop() {
	}
	m.search()
	return m.best, m.minimal
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

// try executes a guide and keeps it if it fails for the same cause and is
// simpler.
func (m *minimiser) try(g guide) bool {
	if m.left == 0 {
		return false
	}
	m.spend()
	return m.keep(m.x.guided(g, m.seed, nil))
}

// spend takes what one more execution costs.
func (m *minimiser) spend() {
	steps := m.best.steps + m.best.slices.operations/(sliceMost/10)
	m.left = max(m.left-1-steps/minimiseSteps, 0)
}

func (m *minimiser) keep(ex *execution) bool {
	if ex.out.kind != m.kind || ex.out.unknown != "" || !simpler(ex, m.best) || ex.cause() != m.cause {
		return false
	}
	m.best = ex
	return true
}

// search tries every schedule with fewer preemptions than the best one has, and
// then some of those with as many. Its rounds rise, so the first schedule that
// fails has the fewest preemptions.
func (m *minimiser) search() {
	s := &depthFirst{bound: preemptions(m.best.run)}
	s.Reset(m.seed)
	for steps := false; m.left > 0; {
		seed, ok := s.Begin()
		if !ok || s.round > preemptions(m.best.run) {
			break
		}
		if s.round == preemptions(m.best.run) && !steps {
			steps = true
			m.left = min(m.left, max(m.x.cfg.Minimise/stepsShare, 1))
		}
		m.spend()
		ex := m.x.execute(s, seed, nil)
		m.keep(ex)
		s.End(Trace{Decisions: ex.run})
	}
	m.minimal = s.exhausted() >= preemptions(m.best.run)-1
}

// simpler orders schedules: fewer preemptions, then fewer steps, then fewer
// deviations.
func simpler(a, b *execution) bool {
	if x, y := preemptions(a.run), preemptions(b.run); x != y {
		return x < y
	}
	if a.steps != b.steps {
		return a.steps < b.steps
	}
	return len(deviations(a.run)) < len(deviations(b.run))
}
