package explore

import (
	"maps"
	"slices"
)

// A stage is run in batches. All schedules of a batch are drawn before any of
// them is run, and what came of them is taken in their order, so the result is
// the same whoever runs them. Each batch is as large as all before it together,
// since a strategy that learns from schedules learns most from the first ones.
const batchMost = 1024

// A course is what is known of an execution once it is over.
type course struct {
	run     []Decision
	digest  uint64 // of all that happened, in its order
	order   uint64 // up to the order of what does not conflict
	members int
	kind    Kind   // "" is well
	unknown string // why nothing can be concluded
	races   []RaceReport
	used    []string // trusted packages whose points were left out
	outside string   // what it depended on that is no part of it; see network.go
	cut     bool     // a goroutine that spun was made to rest; see spin.go
	stopped bool     // by the strategy
	left    []string // kinds of goroutines that never end; see leakage

	ex *execution // if this process has run it, and somebody will look at it
}

// trace is what the strategy is told. The steps of an execution stay in its
// process, where a strategy that needs them runs its schedules.
func (c *course) trace() Trace {
	t := Trace{Decisions: c.run}
	if c.ex != nil {
		t.Steps, t.Forced, t.Rested, t.Opaque = c.ex.trail, c.ex.forced, c.cut, c.ex.x.sites.opaque()
	}
	return t
}

// ends reports whether the exploration is over with this execution.
func (c *course) ends() bool { return c.kind != "" || c.unknown != "" }

// try runs one schedule in this process. It changes nothing of the result.
func (x *explorer) try(s schedule) course {
	used := x.sites.used
	x.sites.used = make(map[string]bool)
	p, seed := s.start()
	ex := x.execute(p, seed, nil)
	c := course{
		run: ex.run, digest: ex.digest(), order: ex.sum, members: ex.e.Len(),
		kind: ex.out.kind, unknown: ex.out.unknown, races: ex.out.races,
		outside: ex.outside, cut: ex.spins.cut, stopped: ex.stopped,
		used: slices.Sorted(maps.Keys(x.sites.used)), left: ex.kinds(),
	}
	x.sites.used = used
	if c.ends() || !portable(s) {
		c.ex = ex
	} else {
		x.spare.trail = ex.trail // nobody will look at it
	}
	return c
}

// A stageRun is a stage that is being run.
type stageRun struct {
	x        *explorer
	strategy drawer
	size     int  // of the batches drawn since the strategy was reset, in all
	done     bool // the result is settled
}

// run explores one stage. It reports whether that settles the result.
func (x *explorer) run(stage Stage) (done bool, err error) {
	s := stageRun{x: x, strategy: drawerOf(stage.Strategy)}
	s.strategy.Reset(seedOf(s.strategy, x.cfg.Seed))
	end := x.result.Schedules + stage.Schedules
	for x.result.Schedules < end && !x.enough {
		if _, alone := s.strategy.(*single); !alone {
			x.hire(end - x.result.Schedules)
		}
		batch := s.draw(end - x.result.Schedules)
		if len(batch) == 0 {
			break
		}
		if err := s.batch(batch); err != nil || s.done {
			return s.done, err
		}
	}
	x.noteBound(stage.Strategy)
	return false, nil
}

// draw draws a batch of at most so many schedules.
func (s *stageRun) draw(most int) []schedule {
	var batch []schedule
	for most = min(most, max(s.size, 1), batchMost); len(batch) < most; {
		next, ok := s.strategy.draw()
		if !ok {
			break
		}
		batch = append(batch, next)
	}
	s.size += len(batch)
	return batch
}

// batch runs the schedules of a batch until the rest does not matter.
func (s *stageRun) batch(batch []schedule) error {
	memory := make([]int64, len(s.x.memory))
	for i, pc := range s.x.memory {
		memory[i] = relative(pc)
	}
	return s.x.crew.run(batch, memory, s.take)
}

// take takes what came of the next schedule into the result. It reports whether
// the rest of the batch is still wanted.
func (s *stageRun) take(was schedule, c course) (more bool, err error) {
	x := s.x
	if c.ends() && c.ex == nil {
		c = x.try(was)
	}
	s.strategy.ran(was, c.trace())
	x.count(&c)
	if p, ok := was.(priorities); ok {
		x.result.PCT.add(&c, p.Depth)
	}
	if c.kind != "" {
		s.done = true
		_, seed := was.start()
		return false, x.report(c.ex, s.strategy.Name(), seed)
	}
	fresh := x.learn(c.races)
	if c.unknown != "" {
		s.done = true
		x.result.Reason = c.unknown
		return false, nil
	}
	if x.cfg.Leaks == LeaksDiffer && x.leakage.misses(&c) {
		s.done = true
		return false, x.report(x.execute(defaultPick{}, x.cfg.Seed, nil), byDefault, x.cfg.Seed)
	}
	if fresh { // there are new points: what was drawn before is out of date
		s.strategy.Reset(seedOf(s.strategy, x.cfg.Seed+4*uint64(x.result.Schedules)))
		s.size = 0
	}
	if c.ex == nil {
		x.spare.run = c.run
	}
	return !fresh && !x.enough, nil
}

func (x *explorer) count(c *course) {
	r := x.result
	r.Schedules++
	r.Points = max(r.Points, len(c.run))
	r.Cut = r.Cut || c.cut
	if !c.stopped {
		x.seen[c.order] = true
	}
	for _, pkg := range c.used {
		x.sites.used[pkg] = true
	}
	if x.outside == "" {
		x.outside = c.outside
	}
	if x.cfg.Progress != nil {
		x.cfg.Progress(r.Schedules)
	}
	if x.cfg.Enough != nil && !c.ends() {
		r.Distinct = len(x.seen)
		x.enough = x.cfg.Enough(*r)
	}
}

// add counts one more schedule.
func (b *PCTBound) add(c *course, depth int) {
	for len(b.Schedules) < depth {
		b.Schedules = append(b.Schedules, 0)
	}
	b.Schedules[depth-1]++
	b.Goroutines = max(b.Goroutines, c.members)
	b.Points = max(b.Points, len(c.run))
}
