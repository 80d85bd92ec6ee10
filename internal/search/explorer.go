package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/coverage/collect"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// ErrNotControlled is returned by [Run] and [Replay] in a process that was not
// built with the overlay.
var ErrNotControlled = errors.New("explore: this process is not under control; build it with the overlay, or use explore.Test in a test")

// ErrNested is returned by [Run] and [Replay] inside an explored body.
var ErrNested = errors.New("explore: an explored body cannot itself explore")

// ErrBubble is returned by [Run] and [Replay] in a bubble of testing/synctest. It is
// the body that may have bubbles.
var ErrBubble = errors.New("explore: nothing can be explored from within a bubble of testing/synctest; use bubbles in the body")

// ErrLost is returned by [Run] and [Replay] after an exploration of the process
// that ended because a goroutine did not give way within Config.Watchdog: it still
// runs, and so no other execution can be controlled. All else in the process goes
// on as usual.
var ErrLost = errors.New("explore: a goroutine of an earlier execution still runs; nothing more can be explored in this process")

// Controlled reports whether this process can choose schedules.
func Controlled() bool { return control.Available() }

// Run explores body according to cfg. It returns an error only if it could not
// explore at all: [ErrNotControlled], [ErrConfig], [ErrNested], [ErrBubble], [ErrLost],
// or the context's. A body that fails is a result. Explorations of one process run
// one after the other.
func Run(ctx context.Context, cfg Config, body func(*engine.T)) (*verdict.Result, error) {
	x, err := begin(ctx, cfg, body)
	if err != nil {
		return nil, err
	}
	return x.whole()
}

// RunCovered is Run, and says too what the executions did at each operation of the main
// module. If it goes on from a checkpoint, that has to be one of its own.
func RunCovered(ctx context.Context, cfg Config, body func(*engine.T)) (*verdict.Result, *coverage.Listing, error) {
	x, err := begin(ctx, cfg, body)
	if err != nil {
		return nil, nil, err
	}
	x.collector = collect.New()
	r, err := x.whole()
	listing := x.covered.Covered().Listing()
	for i := range listing.Operations {
		listing.Operations[i].Alike = err == nil && r.Unbounded
	}
	return r, listing, err
}

// whole explores, or is a worker of those who do, and ends the explorer.
func (x *explorer) whole() (*verdict.Result, error) {
	defer x.end()
	at := workers.NextExploration()
	x.workers.Exploration = at
	if workers.Serving != nil {
		return x.serve(workers.Serving)
	}
	r, err := x.explore()
	r.Outside, r.Depends = x.Outsiders(), x.Depends()
	at.Done(x.cfg.Name, r, err)
	return r, err
}

// process is what the explorations of one process share: there is one
// runtime to control.
var process struct {
	sync.Mutex
	lost bool // an execution could not be ended
}

// An explorer is one call of Run or Replay.
type explorer struct {
	*engine.Engine
	cfg    Config
	result *verdict.Result
	met
	course   uint64         // digest of the default schedule
	unpicked engine.Outcome // how that ended
	enough   bool           // Config.Enough says so
	followed int            // executions that it took to follow the last card
	single   bool           // to run one schedule, even if it is the only one there is
	warm     bool           // it is known to be repeatable
	workers  *workers.Starter

	collector *collect.Collector // nil if nobody asks what is covered
	covered   *collect.Total

	openings     openings
	firstDiffers bool // the first of the process took another course than the next
	left         bool // one execution was not like the next of its process
}

func begin(ctx context.Context, cfg Config, body func(*engine.T)) (*explorer, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if !Controlled() {
		return nil, ErrNotControlled
	}
	if control.Self() != 0 {
		return nil, ErrNested
	}
	if control.Bubbled() {
		return nil, ErrBubble
	}
	process.Lock()
	if process.lost {
		process.Unlock()
		return nil, ErrLost
	}
	e, err := engine.NewEngine(ctx, cfg.settings(), body)
	if err != nil {
		process.Unlock()
		return nil, err
	}
	x := &explorer{
		Engine: e, cfg: cfg,
		result: &verdict.Result{Seed: cfg.Seed, RacesUnchecked: !control.Detector(), Stall: max(cfg.Stall, 0)},
		met:    met{seen: make(map[uint64]bool)}, covered: collect.NewTotal(),
	}
	x.workers = workers.NewStarter(ctx, cfg.hiring(), x.try, cfg.Watchdog, x.identity)
	return x, nil
}

func (x *explorer) end() {
	x.workers.End()
	x.Engine.Close()
	process.lost, x.result.Lost = x.Lost, x.Lost
	process.Unlock()
}

// explore runs the plan until a schedule fails or the plan is done.
func (x *explorer) explore() (*verdict.Result, error) {
	if !x.warm {
		ok, err := x.repeatable()
		if !ok && err == nil && x.left {
			err = x.onlyFirsts()
		}
		if !ok {
			return x.result, err
		}
	}
	from, err := x.resume()
	if err != nil {
		return x.result, err
	}
	if x.firstDiffers {
		if done, err := x.firsts(firstSamples, firstMore); done || err != nil {
			return x.result, err
		}
	}
	first := 0
	if from != nil {
		first = from.At.Stage
	}
	for stage := first; stage < len(x.cfg.Plan); stage++ {
		if _, searches := x.cfg.Plan[stage].Strategy.(schedule.Exhauster); searches && x.result.Unbounded && from == nil {
			continue // all was searched
		}
		done, err := x.run(stage, from)
		if from = nil; done || err != nil {
			return x.result, err
		}
		if x.over() {
			break
		}
	}
	if !x.firstDiffers && x.result.Kept {
		if failed, err := x.firsts(firstKept, 0); failed || err != nil {
			return x.result, err
		}
	}
	x.hold()
	return x.result, nil
}

// mostBeyond is how many samples follow a search that has come to its end where random
// choices decide what happens: it has had those of one seed, and each sample has its own.
const mostBeyond = 100

// over reports whether nothing is left to run.
func (x *explorer) over() bool {
	r := x.result
	switch {
	case x.enough, r.Unbounded && !r.Drew && !r.Ranged:
		return true
	case r.Unbounded && x.last == 0:
		x.last = r.Schedules + mostBeyond
	}
	return r.Unbounded && r.Schedules >= x.last
}

// recant takes back that a search has come to its end: what was run behind it did not go well.
func (x *explorer) recant() {
	if x.result.Unbounded {
		x.result.Exhausted, x.result.Unbounded = false, false
	}
}

// hold concludes that nothing failed, if anything was explored.
func (x *explorer) hold() {
	r := x.result
	r.Distinct = len(x.seen)
	for pkg := range x.Sites.Used {
		r.Trusted = append(r.Trusted, pkg)
	}
	slices.Sort(r.Trusted)
	if r.Points == 0 && !x.single {
		r.Reason = fmt.Sprintf("nothing to explore: %s and never a choice", source.Plural(r.Schedules, "schedule"))
		return
	}
	if x.Outside != "" {
		r.Reason = fmt.Sprintf("no failure in %s, but they depend on what is outside the execution: %s", source.Plural(r.Schedules, "schedule"), x.Outside)
		return
	}
	r.Verdict = verdict.Holds
}

// noteBound keeps how far a systematic search has come.
func (x *explorer) noteBound(s schedule.Strategy) {
	r := x.result
	r.Kept = r.Kept && !x.openings.All
	if r.Unseen = x.hides(); r.Unseen != "" {
		r.Exhausted, r.Unbounded = false, false // though an earlier stage did not meet it
		return
	}
	if r.Coarse {
		return // nobody has chosen what came after so many steps
	}
	if r.Passed {
		r.Incomplete = "failures that are known were passed by"
		return
	}
	e, ok := s.(schedule.Exhauster)
	if !ok {
		return
	}
	now := e.Exhausted()
	if now.Unbounded {
		r.Incomplete = now.Why
	}
	switch {
	case !now.Complete || r.Unbounded:
	case now.Unbounded:
		r.Exhausted, r.Unbounded, r.Bound, r.Searched = true, true, 0, now.Schedules
	case !r.Exhausted || now.Bound > r.Bound:
		r.Exhausted, r.Bound, r.Searched = true, now.Bound, now.Schedules
	}
}

// learn makes the accesses of races scheduling points, and notes the races.
// It reports whether there are points that were none before.
func (x *explorer) learn(races []engine.RaceReport) bool {
	fresh := false
	for _, r := range races {
		verdict.NoteRace(x.result, r)
		for _, a := range r.Accesses {
			if a.PC != 0 && !slices.Contains(x.Memory, a.PC) {
				x.Memory = append(x.Memory, a.PC)
				fresh = true
			}
		}
	}
	if fresh {
		slices.Sort(x.Memory)
	}
	return fresh
}
