package explore

// A stage is run in batches. All schedules of a batch are drawn before any of
// them is run, and what came of them is taken in their order, so the result is
// the same whoever runs them. Each batch is as large as all before it together,
// since a strategy that learns from schedules learns most from the first ones.
const batchMost = 128

// A course is what is known of an execution once it is over.
type course struct {
	run     []Decision
	digest  uint64 // of all that happened, in its order
	order   uint64 // up to the order of what does not conflict
	members int
	kind    Kind   // "" is well
	unknown string // why nothing can be concluded
	races   []RaceReport
	outside string // what it depended on that is no part of it; see network.go
	cut     bool   // a goroutine that spun was made to rest; see spin.go

	ex *execution // nil if another process has run it
}

func courseOf(ex *execution) course {
	return course{
		run: ex.run, digest: ex.digest(), order: ex.sum, members: ex.e.Len(),
		kind: ex.out.kind, unknown: ex.out.unknown, races: ex.out.races, outside: ex.outside, cut: ex.spins.cut, ex: ex,
	}
}

// trace is what the strategy is told. The steps of an execution stay in its
// process, where a strategy that needs them runs its schedules.
func (c *course) trace() Trace {
	t := Trace{Decisions: c.run}
	if c.ex != nil {
		t.Steps, t.Forced, t.Opaque = c.ex.trail, c.ex.forced, c.ex.x.sites.opaque()
	}
	return t
}

// ends reports whether the exploration is over with this execution.
func (c *course) ends() bool { return c.kind != "" || c.unknown != "" }

// try runs one schedule in this process.
func (x *explorer) try(s schedule) course {
	p, seed := s.start()
	return courseOf(x.execute(p, seed, nil))
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
	for x.result.Schedules < end {
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
	for _, next := range batch {
		if err := s.x.ctx.Err(); err != nil {
			return err
		}
		more, err := s.take(next, s.x.try(next))
		if err != nil || !more {
			return err
		}
	}
	return nil
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
	if _, ok := was.(priorities); ok {
		x.result.PCT.add(&c)
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
	if fresh { // there are new points: what was drawn before is out of date
		s.strategy.Reset(seedOf(s.strategy, x.cfg.Seed+4*uint64(x.result.Schedules)))
		s.size = 0
	}
	return !fresh, nil
}

func (x *explorer) count(c *course) {
	r := x.result
	r.Schedules++
	r.Points = max(r.Points, len(c.run))
	r.Cut = r.Cut || c.cut
	if x.outside == "" {
		x.outside = c.outside
	}
	if c.ex == nil || !c.ex.stopped {
		x.seen[c.order] = true
	}
	if x.cfg.Progress != nil {
		x.cfg.Progress(r.Schedules)
	}
}

// add counts one more schedule.
func (b *PCTBound) add(c *course) {
	b.Schedules++
	b.Goroutines = max(b.Goroutines, c.members)
	b.Points = max(b.Points, len(c.run))
}
