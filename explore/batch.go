package explore

import (
	"fmt"
	"maps"
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
)

// A stage is run in batches. All schedules of a batch are drawn before any of
// them is run, and what came of them is taken in their order, so the result is
// the same whoever runs them. Each batch is as large as all before it together, up
// to batchMost: a strategy that learns from schedules learns most from the first ones.
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
	coarse  bool     // it had too many steps; see slice.go
	stopped bool     // by the strategy
	left    []string // kinds of goroutines that never end; see leakage
	ticking bool     // some of them live by timers
	hidden  []string // see sites
	notes   control.Notes
	visible bool // it has made system calls that other processes may notice

	ex *execution // if this process has run it, and somebody will look at it
}

// trace is what the strategy is told. The steps of an execution stay in its
// process, where a strategy that needs them runs its schedules.
func (c *course) trace() Trace {
	t := Trace{Decisions: c.run}
	if c.ex != nil {
		t.Steps, t.Forced, t.Rested, t.Opaque = c.ex.trail, c.ex.forced, c.cut, c.ex.opaque()
	}
	return t
}

// ends reports whether the exploration is over with this execution.
func (c *course) ends() bool { return c.kind != "" || c.unknown != "" }

// apart reports whether an execution must not meet another one.
func (x *explorer) apart(c *course) bool { return x.cfg.Exclusive && c.visible }

// try runs one schedule in this process. It changes nothing of the result.
func (x *explorer) try(s schedule) course {
	used, outside, noted := x.sites.used, x.outside, x.notes
	x.sites.used = make(map[string]bool)
	p, seed := s.start()
	ex := x.execute(p, seed, nil)
	c := course{
		run: ex.run, digest: ex.digest(), order: ex.sum, members: ex.e.Len(),
		kind: ex.out.kind, unknown: ex.out.unknown, races: ex.out.races,
		outside: ex.outside, cut: ex.spins.cut, coarse: ex.slices.coarse, stopped: ex.stopped,
		used: slices.Sorted(maps.Keys(x.sites.used)), left: ex.kinds(), ticking: ex.ticking(),
		hidden: slices.Sorted(maps.Keys(x.sites.hidden)), notes: ex.notes, visible: ex.visible(),
	}
	x.sites.used, x.outside, x.notes = used, outside, noted
	if c.ends() || !portable(s) || x.apart(&c) {
		c.ex = ex
	} else {
		x.spare.trail = ex.trail // nobody will look at it
	}
	return c
}

// A stageRun is a stage that is being run.
type stageRun struct {
	x        *explorer
	stage    int // of the plan
	end      int // how many schedules there are when it is over
	strategy drawer
	size     int        // of the batches drawn since the strategy was reset, in all
	rest     []schedule // of the last of them: what was not yet run
	done     bool       // the result is settled
}

// run explores a stage of the plan, from a bookmark if there is one. It reports
// whether that settles the result.
func (x *explorer) run(stage int, from *bookmark) (done bool, err error) {
	strategy := x.cfg.Plan[stage].Strategy
	s := &stageRun{x: x, stage: stage, strategy: drawerOf(strategy), end: x.lastOf(stage)}
	if from == nil {
		s.strategy.Reset(seedOf(s.strategy, x.cfg.Seed))
	} else if err := s.goOn(from); err != nil {
		return false, err
	}
	for x.result.Schedules < s.end && !x.enough {
		if _, alone := s.strategy.(*single); !alone {
			x.hire(s.end - x.result.Schedules)
		}
		if len(s.rest) == 0 {
			s.rest = s.draw(s.end - x.result.Schedules)
		}
		if len(s.rest) == 0 {
			break
		}
		if err := s.batch(); err != nil || s.done {
			return s.done, err
		}
	}
	x.noteBound(strategy)
	if x.enough {
		x.result.Bookmark = x.mark(s)
	}
	return false, nil
}

// lastOf is how many schedules there are when a stage is over that begins now.
func (x *explorer) lastOf(stage int) int {
	last := x.result.Schedules + x.cfg.Plan[stage].Schedules
	if x.cfg.Schedules > 0 {
		last = min(last, x.cfg.Schedules)
	}
	return last
}

// goOn makes the stage what a bookmark says.
func (s *stageRun) goOn(from *bookmark) error {
	k, ok := underlying(s.strategy).(keeper)
	if !ok {
		return fmt.Errorf("%w: Bookmark: it is of another strategy than %s", ErrConfig, s.strategy.Name())
	}
	k.restore(from.Strategy)
	s.end, s.size, s.rest = from.End, from.Size, from.Batch
	return nil
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

// batch runs the schedules that were drawn, until the rest does not matter.
func (s *stageRun) batch() error {
	memory := make([]int64, len(s.x.memory))
	for i, pc := range s.x.memory {
		memory[i] = relative(pc)
	}
	return s.x.crew.run(s.rest, memory, s.take)
}

// take takes what came of the next schedule into the result. It reports whether
// the rest of the batch is still wanted.
func (s *stageRun) take(was schedule, c course) (more bool, err error) {
	x := s.x
	s.rest = s.rest[1:]
	if x.apart(&c) {
		x.alone = true
		x.crew.end()
	}
	if c.ex == nil && (c.ends() || x.apart(&c)) {
		c = x.try(was)
	}
	s.strategy.ran(was, c.trace())
	x.count(&c)
	if p, ok := was.(priorities); ok && !c.coarse {
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
		s.size, s.rest = 0, nil
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
	r.Coarse = r.Coarse || c.coarse
	if !c.stopped {
		x.seen[c.order] = true
	}
	x.sites.leftOut(c.used, c.hidden)
	x.notes |= c.notes
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
