package search

import (
	"fmt"
	"hash/fnv"
	"os"
	"reflect"
	"slices"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// A stage is run in batches. All schedules of a batch are drawn before any of them
// runs, and their results are processed in that order, so the result does not depend on
// which process runs them. Each batch is as large as all earlier ones together, up to
// batchMost: a strategy that learns from schedules learns most from the first ones.
const batchMost = 1024

// traceOf returns the trace for the strategy. The steps of an execution stay in its
// process; schedules of a strategy that needs the steps run in that strategy's own process.
func traceOf(c *workers.Course) schedule.Trace {
	if c.Ex != nil {
		return c.Ex.Ran()
	}
	return schedule.Trace{Decisions: c.Run, Polled: c.Polled}
}

// apart reports whether an execution must not run at the same time as another one.
func (x *explorer) apart(c *workers.Course) bool { return x.cfg.Exclusive && c.Visible }

// try runs one schedule in this process. It does not change the result.
func (x *explorer) try(s schedule.Schedule) workers.Course {
	used, outside, noted := x.Sites.Used, x.Outside, x.Notes
	x.Sites.Used = make(map[string]bool)
	p, seed := s.Start()
	ex := x.Execute(p, seed, x.covers())
	c := workers.Course{
		Run: ex.Run, Digest: ex.Digest(), Order: ex.Sum, Tasks: ex.Control.Len(), Races: ex.Out.Races,
		Ending: workers.Ending{
			Kind: ex.Out.Kind, Unknown: ex.Out.Unknown, Cut: ex.Spins.Cut, Polled: ex.Spins.Polled, Timed: ex.Timed || ex.Timers,
			Coarse: ex.Slices.Coarse, Stopped: ex.Stopped,
			Left: ex.Kinds(), Ticking: ex.Ticking(), Stalled: ex.Stalls.Noticed() > 0, Lasted: ex.Lasted,
		},
		Contact: workers.Contact{
			Used: members(x.Sites.Used), Hidden: members(x.Sites.Hidden),
			Outside: ex.Outside, Notes: ex.Notes, Visible: ex.Visible(), Observed: ex.Observed,
		},
	}
	if x.collector != nil {
		c.Covered = x.collector.End(ex)
	}
	x.Sites.Used, x.Outside, x.Notes = used, outside, noted
	if c.Ends() || !workers.Portable(s) || x.apart(&c) {
		c.Ex = ex
	} else {
		c.Pairs = x.pairs.Of(ex.Trail)
		x.Free.Over = ex
	}
	return c
}

// members returns the names in a set, sorted. It avoids allocation for the usual empty set.
func members(set map[string]bool) []string {
	if len(set) == 0 {
		return nil
	}
	all := make([]string, 0, len(set))
	for name := range set {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// covers returns the recorder of covered operations; nil if coverage is not collected.
func (x *explorer) covers() engine.Recorder {
	if x.collector == nil {
		return nil
	}
	x.collector.Begin()
	return x.collector
}

// A stageRun is the state of a stage that is running.
type stageRun struct {
	x        *explorer
	stage    int // index in the plan
	end      int // the number of schedules at which the stage is over
	strategy schedule.Drawer
	size     int                 // number of schedules drawn since the strategy was reset
	rest     []schedule.Schedule // those of the last batch that have not run yet
	done     bool                // the result is settled
}

// run explores a stage of the plan, from a checkpoint if there is one. A strategy of an
// earlier stage resumes where that ended. run reports whether it has settled the result.
func (x *explorer) run(stage int, from *checkpoint) (done bool, err error) {
	strategy := x.cfg.Plan[stage].Strategy
	s := &stageRun{x: x, stage: stage, strategy: schedule.DrawerOf(strategy), end: x.lastOf(stage)}
	x.Watched = slices.ContainsFunc(x.cfg.Plan[stage:], func(of schedule.Stage) bool { return searches(of.Strategy) })
	defer func() { x.Watched = false }()
	if from != nil {
		if err := s.goOn(from); err != nil {
			return false, err
		}
	} else if x.cfg.turnBefore(stage) < x.renewed {
		s.strategy.Reset(engine.SeedOf(s.strategy, x.seedOf(stage)))
	}
	for x.result.Schedules < s.end && !x.enough && s.near() {
		if _, alone := s.strategy.(*schedule.Single); !alone {
			x.workers.Start(s.end-x.result.Schedules, x.result.Schedules)
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

// near reports whether the stage goes on: if it is for a search that is near its end, only as long as
// that seems to be so, and a claim can be made.
func (s *stageRun) near() bool {
	x := s.x
	if !x.cfg.Plan[s.stage].Near {
		return true
	}
	search := x.cfg.Plan[s.stage].Strategy.(schedule.Foreseer)
	return !x.result.Coarse && !x.result.Passed && x.hides() == "" && search.Rest() <= float64(s.end-x.result.Schedules)
}

// turnBefore returns the last stage before this one that has the same strategy; -1 if
// there is none.
func (c *Config) turnBefore(stage int) int {
	s := c.Plan[stage].Strategy
	for before := stage - 1; before >= 0; before-- {
		if reflect.TypeOf(s).Kind() == reflect.Pointer && c.Plan[before].Strategy == s {
			return before
		}
	}
	return -1
}

// seedOf returns the seed of a stage that begins anew. It differs from the seeds of
// earlier stages with the same kind of strategy, so that the stage draws other schedules.
func (x *explorer) seedOf(stage int) uint64 {
	seed := x.cfg.Seed
	for _, before := range x.cfg.Plan[:stage] {
		if before.Strategy.Name() == x.cfg.Plan[stage].Strategy.Name() {
			seed += 4 * uint64(x.result.Schedules)
		}
	}
	return seed
}

// lastOf returns the number of schedules at which a stage that begins now is over.
func (x *explorer) lastOf(stage int) int {
	last := x.result.Schedules + x.cfg.Plan[stage].Schedules
	if x.cfg.Schedules > 0 && !x.cfg.Plan[stage].Beyond {
		last = min(last, x.cfg.Schedules)
	}
	if x.last > 0 {
		last = min(last, x.last)
	}
	return last
}

// goOn restores the stage from a checkpoint.
func (s *stageRun) goOn(from *checkpoint) error {
	for stage, kept := range from.At.Strategies {
		strategy := s.x.cfg.Plan[stage].Strategy
		k, ok := strategy.(schedule.Checkpointer)
		if !ok {
			return fmt.Errorf("%w: Bookmark: it is of another strategy than %s", ErrConfig, strategy.Name())
		}
		if err := k.Restore(kept); err != nil {
			return fmt.Errorf("%w: Bookmark: strategy %s: %w", ErrConfig, strategy.Name(), err)
		}
	}
	s.end, s.size, s.rest = from.At.End, from.At.Size, from.At.Batch
	return nil
}

// draw draws a batch of at most the given number of schedules.
func (s *stageRun) draw(most int) []schedule.Schedule {
	var batch []schedule.Schedule
	for most = min(most, max(s.size, 1), batchMost); len(batch) < most; {
		next, ok := s.strategy.Draw()
		if !ok {
			break
		}
		batch = append(batch, next)
	}
	s.size += len(batch)
	return batch
}

// batch runs the drawn schedules, until take wants no more of them.
func (s *stageRun) batch() error {
	return s.x.workers.Pool.Run(s.rest, s.x.points(), s.take)
}

// points returns the points and observers known so far.
func (x *explorer) points() workers.Structure {
	all := workers.Structure{Memory: make([]int64, len(x.Memory)), Observers: x.Observers, Watched: x.Watched, Races: x.cfg.Races, Stall: x.cfg.Stall}
	for i, pc := range x.Memory {
		all.Memory[i] = source.Relative(pc)
	}
	return all
}

// take adds the course of the next schedule to the result. It reports whether the rest
// of the batch is still wanted.
func (s *stageRun) take(was schedule.Schedule, c workers.Course) (more bool, err error) {
	x := s.x
	s.rest = s.rest[1:]
	if x.apart(&c) {
		x.workers.DismissAll()
	}
	if c.Ex == nil && (c.Ends() || x.apart(&c)) {
		c = x.try(was)
	}
	s.strategy.Ran(was, traceOf(&c))
	sampled := !searches(underlying(s.strategy))
	if sampled && c.Ex != nil {
		c.Pairs = x.pairs.Of(c.Ex.Trail)
	}
	x.count(&c, sampled)
	if p, ok := was.(schedule.Ranked); ok && !c.Coarse {
		verdict.AddRanked(&x.result.PCT, len(c.Run), c.Tasks, p.Depth())
	}
	if c.Kind != "" || c.Unknown != "" {
		x.recant()
	}
	if _, seed := was.Start(); c.Kind != "" && x.passes(c.Ex, seed) {
		x.passedBy()
		return s.renew(x.learn(c.Races)), nil
	} else if c.Kind != "" {
		s.done = true
		if x.cfg.Enough != nil {
			x.result.Bookmark = x.mark(s)
		}
		return false, x.report(c.Ex, s.strategy.Name(), seed)
	}
	fresh := x.learn(c.Races)
	if x.Observe(c.Observed) {
		if fresh = true; x.unpicked.Failed() { // it may now be told in other words
			x.unpick()
		}
	}
	if c.Unknown != "" {
		s.done = true
		x.result.Reason = c.Unknown
		return false, nil
	}
	x.result.Left = slices.DeleteFunc(slices.Clone(x.result.Left), func(kind string) bool { return !engine.Leaves(c.Left, kind) })
	if x.cfg.Leaks == engine.LeaksDiffer && c.Outside == "" && !c.Ticking && x.Leakage.Misses(c.Left) {
		known := x.Leakage.Known
		x.Leakage.Known = true
		ex := x.Execute(schedule.DefaultPick{}, x.cfg.Seed, nil)
		if ex.Out.Unknown != "" {
			s.done, x.result.Reason = true, ex.Out.Unknown
			return false, nil
		}
		if ex.Out.Failed() && !x.passes(ex, x.cfg.Seed) {
			s.done = true
			return false, x.report(ex, byDefault, x.cfg.Seed)
		}
		if x.Leakage.Known = known; ex.Out.Failed() {
			x.passedBy()
		}
	}
	if c.Ex == nil {
		x.Free.Run = c.Run
	}
	return s.renew(fresh), nil
}

// renew restarts the stage if there are new points, because the schedules drawn before
// are out of date. It reports whether the rest of the batch is still wanted.
func (s *stageRun) renew(fresh bool) (more bool) {
	x := s.x
	if fresh {
		s.strategy.Reset(engine.SeedOf(s.strategy, x.cfg.Seed+4*uint64(x.result.Schedules)))
		s.size, s.rest, x.renewed = 0, nil, s.stage
	}
	return !fresh && !x.enough
}

func (x *explorer) count(c *workers.Course, sampled bool) {
	r := x.result
	r.Schedules++
	x.First = false
	r.Points = max(r.Points, len(c.Run))
	r.Cut = r.Cut || c.Cut
	r.Polled = r.Polled || c.Polled
	r.Timed = r.Timed || c.Timed
	r.Coarse = r.Coarse || c.Coarse
	if !c.Stopped {
		x.seen[c.Order] = true
	}
	if sampled && c.Kind == "" {
		x.samples.add(c.Pairs)
		r.Novelty = x.samples.sum()
	}
	x.covered.Add(c.Covered)
	x.Sites.LeftOut(c.Used, c.Hidden)
	if c.Kind+engine.Kind(c.Unknown) == "" && !c.Stalled && c.Lasted >= 0 {
		r.Pace.Add(c.Lasted)
	}
	x.Notes |= c.Notes
	r.Kept = x.keeps()
	r.Looked, r.Drew, r.Ranged = x.Notes&control.NoteClock != 0, x.Notes&control.NoteRandom != 0, x.Notes&control.NoteMaps != 0
	r.Pooled, r.Mirrored, r.Together = x.Notes&control.NotePooled != 0, x.Notes&control.NoteMirrored != 0, x.Notes&control.NoteTogether != 0
	if x.Outside == "" {
		x.Outside = c.Outside
	}
	if x.cfg.Progress != nil {
		x.cfg.Progress(r.Schedules)
	}
	if x.cfg.Enough != nil && !c.Ends() {
		r.Distinct = len(x.seen)
		x.enough = x.cfg.Enough(*r)
	}
}

// identity distinguishes this exploration from others, for workers and checkpoints.
func (x *explorer) identity() (workers.Identity, error) {
	program, err := card.ProgramID()
	if err != nil {
		return workers.Identity{}, err
	}
	return workers.Identity{
		Number: x.workers.Exploration.Number, Name: x.cfg.Name, Program: program, Config: x.cfg.digest(),
		Body: source.Relative(reflect.ValueOf(x.Body).Pointer()), Course: x.course,
	}, nil
}

// digest identifies the parts of a Config that influence executions.
func (c Config) digest() uint64 {
	h := fnv.New64a()
	for i, s := range c.Plan {
		fmt.Fprintf(h, "%s %d %d %t %t\n", s.Strategy.Name(), s.Schedules, c.turnBefore(i), s.Near, s.Beyond)
	}
	c.Plan, c.Progress, c.Prepare, c.Enough, c.Found, c.Pass, c.Hurry, c.Logger, c.Workers, c.Worker, c.Fresh, c.Bookmark, c.Replayed = nil, nil, nil, nil, nil, nil, nil, nil, 0, nil, nil, nil, ""
	c.Streams = make([]*os.File, len(c.Streams)) // their descriptors differ between processes
	fmt.Fprintf(h, "%+v", c)
	return h.Sum64()
}
