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

// ErrNotControlled is returned by [Run] and [Replay] in a process that was not built
// with the overlay.
var ErrNotControlled = errors.New("explore: this process is not under control; build it with the overlay, or use explore.Test in a test")

// ErrNested is returned by [Run] and [Replay] inside an explored body.
var ErrNested = errors.New("explore: an explored body cannot itself explore")

// ErrBubble is returned by [Run] and [Replay] inside a bubble of testing/synctest. Only
// the body may have bubbles.
var ErrBubble = errors.New("explore: nothing can be explored from within a bubble of testing/synctest; use bubbles in the body")

// ErrLost is returned by [Run] and [Replay] after an exploration of this process ended
// because a goroutine did not give way within Config.Watchdog. That goroutine still
// runs, so no further execution can be controlled. Everything else in the process works
// as usual.
var ErrLost = errors.New("explore: a goroutine of an earlier execution still runs; nothing more can be explored in this process")

// Controlled reports whether this process can control schedules.
func Controlled() bool { return control.Available() }

// Run explores body according to cfg. It returns an error only if it could not explore
// at all: [ErrNotControlled], [ErrConfig], [ErrNested], [ErrBubble] or [ErrLost]; or if
// the context ended before the exploration did. A body that fails is a result, not an
// error. Concurrent calls run their explorations one after the other.
func Run(ctx context.Context, cfg Config, body func(*engine.T)) (*verdict.Result, error) {
	x, err := begin(ctx, cfg, body)
	if err != nil {
		return nil, err
	}
	return x.whole()
}

// RunCovered is Run, and also returns what the executions did at each operation of the
// main module. A checkpoint from which it resumes must come from RunCovered.
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

// whole explores, or serves another process as a worker, and ends the explorer.
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

// process is the state that all explorations of this process share. Its mutex lets only
// one of them control the runtime.
var process struct {
	sync.Mutex
	lost bool // an execution could not be ended
}

// An explorer is one call of Run or Replay. It holds the lock of process.
type explorer struct {
	*engine.Engine
	cfg    Config
	result *verdict.Result
	met
	course   uint64         // digest of the default schedule
	unpicked engine.Outcome // how the default schedule ended
	enough   bool           // Config.Enough has returned true
	followed int            // executions that it took to follow the last card
	single   bool           // run one schedule even if there is nothing to choose
	warm     bool           // the body is known to be repeatable
	workers  *workers.Starter

	collector *collect.Collector // nil if coverage is not collected
	covered   *collect.Total

	openings     openings
	firstDiffers bool // the first execution of the process took another course than the second
	left         bool // two executions by one schedule differed, perhaps by what one has left behind
}

func begin(ctx context.Context, cfg Config, body func(*engine.T)) (*explorer, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if ctx == nil {
		return nil, fmt.Errorf("%w: got no context, want one", ErrConfig)
	}
	if body == nil {
		return nil, fmt.Errorf("%w: got no body, want a function", ErrConfig)
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

// single is begin for a call that runs one schedule, which the end of ctx does not stop: it comes
// in time, or not at all.
func single(ctx context.Context, cfg Config, body func(*engine.T)) (*explorer, error) {
	x, err := begin(ctx, cfg, body)
	if err == nil && ctx.Err() != nil {
		x.end()
		err = ctx.Err()
	}
	return x, err
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
	first, due := 0, x.firstDiffers // first executions, which cost more than others, are still to be explored
	if from != nil {
		first = from.At.Stage
	}
	for stage := first; stage < len(x.cfg.Plan); stage++ {
		searching := searches(x.cfg.Plan[stage].Strategy)
		if searching && x.result.Unbounded && from == nil {
			continue // an earlier stage has searched everything
		}
		if searching && due && !x.unpicked.Failed() {
			due = false // after the first samples, and before a search claims anything
			if done, err := x.firsts(firstSamples, firstMore); done || err != nil {
				return x.result, err
			}
		}
		done, err := x.run(stage, from)
		if from = nil; done || err != nil {
			return x.result, err
		}
		if x.over() {
			break
		}
	}
	few, more := 0, 0
	switch {
	case x.enough:
	case due:
		few, more = firstSamples, firstMore
	case !x.firstDiffers && x.result.Kept:
		few = firstKept
	}
	if few > 0 {
		if failed, err := x.firsts(few, more); failed || err != nil {
			return x.result, err
		}
	}
	x.hold()
	return x.result, nil
}

// mostBeyond bounds the samples after a completed search if random choices influence the
// body: the search has used the choices of one seed, while each sample has its own.
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

// recant withdraws the claim that a search is complete, after a failure in a later schedule.
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
	r.Unmet = slices.DeleteFunc(slices.Clone(x.cfg.Trust), func(pattern string) bool {
		return slices.ContainsFunc(r.Trusted, func(pkg string) bool { return source.Matches([]string{pattern}, pkg) })
	})
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

// noteBound records how far a systematic search has come.
func (x *explorer) noteBound(s schedule.Strategy) {
	r := x.result
	if r.Unseen = x.hides(); r.Unseen != "" {
		r.Exhausted, r.Unbounded = false, false // even if an earlier stage did not meet it
		return
	}
	if r.Coarse {
		return // what came after so many steps was not chosen
	}
	if r.Passed {
		r.Incomplete = "known failures were passed over"
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

// learn turns the accesses of races into scheduling points, and records the races. It
// reports whether there are new points.
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
