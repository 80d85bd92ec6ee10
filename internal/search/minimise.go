package search

import (
	"time"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// A moment identifies a decision independently of the number of earlier ones: by the
// goroutine that ran last and how many decisions were made after steps of that goroutine.
type moment struct {
	last uint32
	nth  int
}

func momentOf(d schedule.Decision) moment { return moment{last: d.Last, nth: d.Nth} }

// A guide is a schedule given by its deviations at moments. Unlike a card's follower it
// is not strict: it skips deviations that cannot be made.
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

// Stall returns for how long goroutines may be held up.
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

// guideOf returns the guide that leads to run.
func guideOf(run []schedule.Decision) guide {
	g := make(guide)
	for _, d := range run {
		if d.Deviates() {
			g[momentOf(d)] = guided{goroutine: d.Goroutine, selected: d.Chosen.Case}
		}
	}
	return g
}

// guided executes the body under a guide, with the stall bound of another execution.
func (x *explorer) guided(g guide, like *engine.Execution, seed uint64, trace engine.Recorder) *engine.Execution {
	p := &guidePicker{guide: g, stall: like.Stalls.Bound}
	return x.ExecuteWith(func(ex *engine.Execution) schedule.Picker { p.ex = ex; return p }, seed, trace)
}

// minimiseSteps is how many steps of a schedule count as one more execution in
// Config.Minimise: a livelock uses the whole step budget each time.
const minimiseSteps = 1000

// A minimiser reduces one failing schedule.
type minimiser struct {
	x       *explorer
	kind    engine.Kind
	cause   string
	seed    uint64
	best    *engine.Execution
	left    int  // executions left to spend
	minimal bool // no schedule with fewer preemptions fails like this
	most    int  // most steps of a kept schedule: a longer one is harder to read, even with fewer preemptions
	longer  bool // a schedule was rejected for its length
	only    bool // no schedule in which goroutines are held up for less time fails like this
}

// A reduced schedule may have more steps than the original: one in slack of them, or
// fewSteps if that is more.
const slack, fewSteps = 50, 8

// unhurried multiplies that bound for a schedule without preemptions: a goroutine that must
// wait there blocks and is woken, which takes more steps than being preempted.
const unhurried = 2

// stepsShare is the divisor for the share of executions that may look for fewer steps
// when fewer preemptions are impossible.
const stepsShare = 4

// stallShare is the divisor for the share of executions that may look for a failure in
// which no goroutine is held up, or for less time.
const stallShare = 2

// minimise looks for a schedule that fails for the same cause and holds goroutines up for
// less time; among those, for one with fewer preemptions, and then with fewer steps. It tries
// the schedule without preemptions; then it drops deviations, many at once while there are
// many and then one by one, for as long as that helps (delta debugging, Zeller and
// Hildebrandt, TSE 2002); it merges blocks of goroutines, and continues from schedules
// similar to the best one; then it searches depth first below the best. It sets f.Minimal if
// that search has shown that fewer preemptions do not suffice. The random choices stay those
// of the failing schedule.
func (x *explorer) minimise(ex *engine.Execution, seed uint64, f *verdict.Failure) (best *engine.Execution) {
	m := &minimiser{x: x, kind: ex.Out.Kind, cause: ex.Cause(), seed: seed, best: ex, left: max(x.cfg.Minimise, 0), most: ex.Steps + max(ex.Steps/slack, fewSteps)}
	if schedule.Cost(ex.Run) > 0 {
		m.try(guide{})
	}
	m.halve()
	m.shorten()
	if m.best.Stalls.Noticed() > 0 {
		share := max(m.left/stallShare, 1)
		rest := m.left - share
		m.left = share
		if m.only = m.less(share / 2); !m.only {
			m.run(strategy.POS(), 0, share/4)
			m.search(0)
		}
		m.left += rest
	}
	if m.best.Stalls.Noticed() > 0 {
		m.lighten()
	}
	m.wander()
	m.search(m.best.Stalls.Spent)
	f.Minimal, f.Only = m.minimal, m.only && m.best.Stalls.Noticed() > 0
	return m.best
}

// shorten drops and merges for as long as that helps.
func (m *minimiser) shorten() {
	for m.more() && (m.drop() || m.merge()) {
	}
}

// less looks, by DPOR with at most the given number of executions, for schedules that hold
// goroutines up for less time. It reports whether DPOR ran all of them and none failed.
func (m *minimiser) less(most int) bool {
	for most > 0 && m.best.Stalls.Noticed() > 0 {
		d, before := strategy.DPOR(), m.left
		better, clean := m.run(d, m.best.Stalls.Spent-1, most)
		most -= before - m.left
		if better {
			continue
		}
		now := d.(schedule.Exhauster).Exhausted()
		return clean && now.Complete && now.Unbounded
	}
	return false
}

// run runs schedules of a strategy in which goroutines are held up for at most stall,
// until one is better. clean reports whether none of them failed.
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
		clean = clean && good(ex) && !ex.Slices.Coarse
	}
	return false, clean
}

// A held is a picker that bounds how long goroutines are held up.
type held struct {
	schedule.Picker
	most time.Duration
}

// Stall returns that bound.
func (h held) Stall(time.Duration) time.Duration { return h.most }

// fewDeviations is the number of deviations up to which halve leaves all of them to drop.
const fewDeviations = 32

// halve tries to drop half of the deviations, the last ones first, then a quarter, and
// so on: of thousands of deviations most have no part in the failure, and there is no
// time to try each.
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

// drop tries to drop each deviation in turn, the last ones first. It reports whether
// one could be dropped.
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

// more reports whether another execution may be spent.
func (m *minimiser) more() bool {
	if m.x.cfg.Hurry != nil && m.x.cfg.Hurry() {
		m.left = 0
	}
	return m.left > 0
}

// try executes a guide and keeps the execution if it fails for the same cause and is
// simpler.
func (m *minimiser) try(g guide) bool {
	if !m.more() {
		return false
	}
	ex := m.x.guided(g, m.best, m.seed, nil)
	m.spend(ex)
	return m.keep(ex)
}

// spend charges one more execution. One that does not fail, such as an endless loop,
// may be far longer than the best, and costs more.
func (m *minimiser) spend(ex *engine.Execution) {
	length := func(ex *engine.Execution) int { return ex.Steps + ex.Slices.Operations/(engine.SliceMost/10) }
	m.left = max(m.left-1-max(length(m.best), length(ex))/minimiseSteps, 0)
}

// alike reports whether an execution fails for the same cause as the one being reduced.
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
	if ex.Steps > most && ex.Stalls.Noticed() == m.best.Stalls.Noticed() {
		m.longer = true
		return false
	}
	m.best = ex
	return true
}

// limited is a bounded search that limits how long goroutines are held up.
type limited struct {
	*strategy.BoundedSearch
	most time.Duration
}

func (s limited) Stall(time.Duration) time.Duration { return s.most }

// search tries every schedule with fewer preemptions than the best one, and then some
// of those with as many. It tries fewer preemptions first, so the first schedule that
// fails has the fewest. No goroutine is held up for longer than most.
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

// deviationSteps is how many steps a deviation counts as in a schedule without preemptions: if
// it has a single one, that is what decides, and is told as the cause.
const deviationSteps = 3

// felt is the sum of the times for which tasks are held up.
func felt(ex *engine.Execution) (sum int64) {
	if ex.Stalls.Noticed() > 0 {
		for _, d := range ex.Stalls.Holds {
			sum += d
		}
	}
	return sum
}

// simpler orders schedules by total stall time, then by the sum over held-up
// goroutines, then by preemptions, then by steps, then by deviations, fewer first. Without
// preemptions steps and deviations are weighed together.
func simpler(a, b *engine.Execution) bool {
	if x, y := a.Stalls.Noticed(), b.Stalls.Noticed(); x != y {
		return x < y
	}
	if x, y := felt(a), felt(b); x != y {
		return x < y
	}
	cost, other := schedule.Cost(a.Run), schedule.Cost(b.Run)
	if cost != other {
		return cost < other
	}
	if cost > 0 && a.Steps != b.Steps {
		return a.Steps < b.Steps
	}
	fewer := len(schedule.Deviations(a.Run)) - len(schedule.Deviations(b.Run))
	steps := a.Steps - b.Steps + deviationSteps*fewer
	return steps < 0 || steps == 0 && fewer < 0
}
