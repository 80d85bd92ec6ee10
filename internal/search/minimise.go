package search

import (
	"time"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// A moment names a decision independently of how many went before it: the
// goroutine that ran last and how many decisions followed on its steps.
type moment struct {
	last uint32
	nth  int
}

func momentOf(d schedule.Decision) moment { return moment{last: d.Last, nth: d.Nth} }

// A guide is a schedule given by its deviations at spots. Unlike a follower it
// is not strict: what cannot be done is left out.
type guide map[moment]guided

type guided struct {
	goroutine uint32
	selected  uint32
}

// A guidePicker follows a guide.
type guidePicker struct {
	guide guide
	ex    *engine.Execution
	stall time.Duration // for how long goroutines may be held up
}

// Stall is for how long goroutines may be held up.
func (g *guidePicker) Stall(time.Duration) time.Duration { return g.stall }

// Attach is called before the execution begins.
func (g *guidePicker) Attach(ex *engine.Execution) { g.ex = ex }

func (g *guidePicker) Pick(p *schedule.Point) schedule.Choice {
	at := moment{last: g.ex.Last, nth: g.ex.Nth[g.ex.Last]}
	if want, ok := g.guide[at]; ok {
		for i, id := range p.Runnable {
			if id == want.goroutine {
				return schedule.Choice{Index: i, Case: want.selected}
			}
		}
	}
	return schedule.Choice{Index: p.Default()}
}

// guideOf is the guide that leads to run.
func guideOf(run []schedule.Decision) guide {
	g := make(guide)
	for _, d := range run {
		if d.Deviates() {
			g[momentOf(d)] = guided{goroutine: d.Goroutine, selected: d.Chosen.Case}
		}
	}
	return g
}

// guided executes the body under a guide, with choices like those of an execution.
func (x *explorer) guided(g guide, like *engine.Execution, seed uint64, trace engine.Recorder) *engine.Execution {
	p := &guidePicker{guide: g, stall: like.Stalls.Most()}
	return x.ExecuteWith(func(ex *engine.Execution) schedule.Picker { p.ex = ex; return p }, seed, trace)
}

// minimiseSteps is how many steps of a schedule count as one more execution in
// Config.Minimise: a livelock takes the whole budget of steps each time.
const minimiseSteps = 1000

// A minimiser reduces one failing schedule.
type minimiser struct {
	x       *explorer
	kind    engine.Kind
	cause   string
	seed    uint64
	best    *engine.Execution
	left    int  // executions
	minimal bool // no schedule with fewer preemptions fails like this
	most    int  // steps: with more the story is longer, however few preemptions it has
	longer  bool // one was left out for that
	only    bool // no schedule in which goroutines are held up for less time fails like this
}

// slack is how many steps more than it was found with a schedule may take: one in so many,
// and a few.
const slack, fewSteps = 50, 8

// unhurried is how many times as many a schedule may take that preempts nobody: who is to wait
// for another one first blocks, and is then woken, where a preemption has him come later.
const unhurried = 2

// stepsShare is the part of the executions that may go on looking for fewer
// steps when no fewer preemptions are possible: one in so many.
const stepsShare = 4

// stallShare is the part of the executions that may look for a failure in which nobody
// is held up, if somebody is: one in so many.
const stallShare = 2

// minimise looks for a schedule that fails for the same cause and holds goroutines up
// for less time, among those for one with fewer preemptions, and with fewer steps: by the
// schedule that preempts nobody; then by dropping deviations, many at once as long as there
// are many and then one by one, for as long as that helps (delta debugging, Zeller and
// Hildebrandt, TSE 2002), by merging what goroutines run, and by going on from schedules like
// the one that is left; then by searching depth first below that. It reports whether that
// search has shown that fewer preemptions do not do. The random choices stay those of the
// failing schedule.
func (x *explorer) minimise(ex *engine.Execution, seed uint64, f *verdict.Failure) (best *engine.Execution) {
	m := &minimiser{x: x, kind: ex.Out.Kind, cause: ex.Cause(), seed: seed, best: ex, left: max(x.cfg.Minimise, 0), most: ex.Steps + max(ex.Steps/slack, fewSteps)}
	if schedule.Cost(ex.Run) > 0 {
		m.try(guide{})
	}
	m.halve()
	m.shorten()
	if m.best.Stalls.Spent > 0 {
		share := max(m.left/stallShare, 1)
		rest := m.left - share
		m.left = share
		if m.only = m.less(share / 2); !m.only {
			m.run(strategy.POS(), 0, share/4)
			m.search(0)
		}
		m.left += rest
	}
	if m.best.Stalls.Spent > 0 {
		m.lighten()
	}
	m.wander()
	m.search(time.Duration(m.best.Stalls.Spent))
	f.Minimal, f.Only = m.minimal, m.only && m.best.Stalls.Spent > 0
	return m.best
}

// shorten drops and merges for as long as that helps.
func (m *minimiser) shorten() {
	for m.more() && (m.drop() || m.merge()) {
	}
}

// less looks for schedules that hold goroutines up for less time, by so many of those
// that differ, and reports whether all were run, and none fails.
func (m *minimiser) less(most int) bool {
	for most > 0 && m.best.Stalls.Spent > 0 {
		d, before := strategy.DPOR(), m.left
		better, clean := m.run(d, time.Duration(m.best.Stalls.Spent-1), most)
		most -= before - m.left
		if better {
			continue
		}
		now := d.(schedule.Exhauster).Exhausted()
		return clean && now.Complete && now.Unbounded
	}
	return false
}

// run runs schedules of a strategy in which goroutines are held up for so long at most,
// until one is better. It reports that, or whether all went well.
func (m *minimiser) run(by schedule.Strategy, stall time.Duration, most int) (better, clean bool) {
	s := schedule.DrawerOf(by)
	s.Reset(engine.SeedOf(by, m.seed))
	for clean = true; most > 0 && m.more(); {
		next, ok := s.Draw()
		if !ok {
			break
		}
		p, _ := next.Start()
		before := m.left
		ex := m.x.Execute(held{p, stall}, m.seed, nil)
		m.spend(ex)
		most -= before - m.left
		s.Ran(next, ex.Ran())
		if m.keep(ex) {
			return true, false
		}
		clean = clean && !ex.Out.Failed() && ex.Out.Unknown == "" && !ex.Slices.Coarse
	}
	return false, clean
}

// A held is a picker that has goroutines held up for so long at most.
type held struct {
	schedule.Picker
	most time.Duration
}

// Stall is for how long they may be.
func (h held) Stall(time.Duration) time.Duration { return h.most }

// fewDeviations is how many of them are dropped one by one only.
const fewDeviations = 32

// halve tries to do without half of the deviations, the last ones first, then without a
// quarter, and so on: of a schedule that has thousands most have no part in the failure,
// and there is no time to try each.
func (m *minimiser) halve() {
	all := schedule.Deviations(m.best.Run)
	if len(all) <= fewDeviations {
		return
	}
	for size := len(all) / 2; size > 1; size /= 2 {
		for end := len(all); end > 0 && m.more(); end = min(end-size, len(all)) {
			g := guideOf(m.best.Run)
			for _, d := range all[max(end-size, 0):end] {
				delete(g, momentOf(m.best.Run[d.At]))
			}
			if m.try(g) {
				all = schedule.Deviations(m.best.Run)
			}
		}
	}
}

// drop tries to do without each deviation in turn, the last ones first. It
// reports whether one could go.
func (m *minimiser) drop() bool {
	better := false
	for _, preempting := range []bool{true, false} {
		run, g := m.best.Run, guideOf(m.best.Run)
		for i := len(run) - 1; i >= 0 && m.more(); i-- {
			d := run[i]
			if !d.Deviates() || d.Costs(d.Chosen.Index) != preempting {
				continue
			}
			key := momentOf(d)
			was, still := g[key]
			if !still {
				continue
			}
			delete(g, key)
			if m.try(g) {
				better, g = true, guideOf(m.best.Run)
			} else {
				g[key] = was
			}
		}
	}
	return better
}

// more reports whether there is another execution to spend.
func (m *minimiser) more() bool {
	if m.x.cfg.Hurry != nil && m.x.cfg.Hurry() {
		m.left = 0
	}
	return m.left > 0
}

// try executes a guide and keeps it if it fails for the same cause and is
// simpler.
func (m *minimiser) try(g guide) bool {
	if !m.more() {
		return false
	}
	ex := m.x.guided(g, m.best, m.seed, nil)
	m.spend(ex)
	return m.keep(ex)
}

// spend takes what one more execution has cost: one that does not fail, such as a loop
// that nobody ends, may be far longer than the best.
func (m *minimiser) spend(ex *engine.Execution) {
	length := func(ex *engine.Execution) int { return ex.Steps + ex.Slices.Operations/(engine.SliceMost/10) }
	m.left = max(m.left-1-max(length(m.best), length(ex))/minimiseSteps, 0)
}

// alike reports whether an execution fails as the one does that is reduced.
func (m *minimiser) alike(ex *engine.Execution) bool {
	return ex.Out.Kind == m.kind && ex.Out.Unknown == "" && ex.Cause() == m.cause
}

func (m *minimiser) keep(ex *engine.Execution) bool {
	if !simpler(ex, m.best) || !m.alike(ex) {
		return false
	}
	most := m.most
	if schedule.Cost(ex.Run) == 0 {
		most *= unhurried
	}
	if ex.Steps > most && ex.Stalls.Spent == m.best.Stalls.Spent {
		m.longer = true
		return false
	}
	m.best = ex
	return true
}

// limited is a search in which goroutines are held up for so long at most.
type limited struct {
	*strategy.BoundedSearch
	most time.Duration
}

func (s limited) Stall(time.Duration) time.Duration { return s.most }

// search tries every schedule with fewer preemptions than the best one has, and
// then some of those with as many. Its rounds rise, so the first schedule that
// fails has the fewest preemptions. Nobody is held up for longer than most.
func (m *minimiser) search(most time.Duration) {
	s := limited{&strategy.BoundedSearch{Bound: schedule.Cost(m.best.Run)}, most}
	s.Reset(m.seed)
	for steps := false; m.more(); {
		seed, ok := s.Begin()
		if !ok || s.Round > schedule.Cost(m.best.Run) {
			break
		}
		if s.Round == schedule.Cost(m.best.Run) && !steps {
			steps = true
			m.left = min(m.left, max(m.x.cfg.Minimise/stepsShare, 1))
		}
		ex := m.x.Execute(s, seed, nil)
		m.spend(ex)
		m.keep(ex)
		s.End(schedule.Trace{Decisions: ex.Run, Polled: ex.Spins.Polled})
	}
	m.minimal = !m.longer && s.UpTo() >= schedule.Cost(m.best.Run)-1
}

// simpler orders schedules: less time in which goroutines are held up, then fewer of
// these, then fewer preemptions, then fewer steps, then fewer deviations.
func simpler(a, b *engine.Execution) bool {
	if a.Stalls.Spent != b.Stalls.Spent {
		return a.Stalls.Spent < b.Stalls.Spent
	}
	if x, y := a.Stalls.Felt(), b.Stalls.Felt(); x != y {
		return x < y
	}
	if x, y := schedule.Cost(a.Run), schedule.Cost(b.Run); x != y {
		return x < y
	}
	if a.Steps != b.Steps {
		return a.Steps < b.Steps
	}
	return len(schedule.Deviations(a.Run)) < len(schedule.Deviations(b.Run))
}
