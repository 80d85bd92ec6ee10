package search

import (
	"errors"
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/internal/card"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/report"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/strategy"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/internal/workers"
)

// Lazily initialised state is there for every execution of a process but the first. If
// the first execution takes another course than the next, the state matters, and first
// executions are explored too: each in a process of its own, which then ends. There are
// few of them, since a process costs far more than an execution. A card is replayed in
// a new process, whose first execution can follow it.
const (
	firstSamples  = 10
	firstSearches = 30 // by DPOR, which completes after a few for small programs
	firstMore     = 20 // further samples if DPOR does not complete
	firstTries    = 40 // executions for removing deviations from a failing run
	firstKept     = 3  // samples if no difference was seen
)

// opens runs the first execution of this process and reports it to the process that asked.
func (x *explorer) opens(p *workers.Role) {
	t := <-p.Jobs
	x.pointsAre(t.Points)
	x.Tracking = true // the cause of a deadlock includes the goroutines' positions
	o := t.Opening
	if o.Report {
		p.Tell(workers.Message{Opened: x.told(o)})
		return
	}
	s := o.Schedule
	var search schedule.Drawer
	switch {
	case o.Search != nil:
		var err error
		if search, _, err = resumed(o.Search, x.cfg.Seed); err != nil {
			p.Quit(1, err.Error())
		}
		s, _ = search.Draw()
	case s == nil:
		run, err := schedule.DecodeRun(o.Run)
		if err != nil {
			p.Quit(1, err.Error())
		}
		for _, i := range o.Without {
			run[i].Chosen = schedule.Choice{Index: run[i].Default}
		}
		s = steered{guide: guideOf(run), seed: o.Seed, stall: engine.StallOf(o.Seed, x.cfg.Stall)}
	}
	c := x.try(s)
	opened := new(workers.Opened)
	if c.Ex != nil && c.Kind != "" {
		opened.Met = x.asMet(c.Ex)
	}
	if search != nil {
		search.Ran(s, traceOf(&c))
		kept, err := underlying(search).(schedule.Checkpointer).Checkpoint()
		if err != nil {
			p.Quit(1, err.Error())
		}
		opened.Search = &workers.Searching{Checkpoint: kept}
	}
	p.Tell(workers.Message{Opened: opened, Reports: []*workers.Report{workers.ReportOf(t.Batch, 0, c)}})
}

// resumed returns a search of first executions, restored from its checkpoint.
func resumed(s *workers.Searching, seed uint64) (search schedule.Drawer, itsSeed uint64, err error) {
	search = schedule.DrawerOf(strategy.DPOR())
	itsSeed = engine.SeedOf(underlying(search), seed)
	search.Reset(itsSeed)
	if len(s.Checkpoint) > 0 {
		err = underlying(search).(schedule.Checkpointer).Restore(s.Checkpoint)
	}
	return search, itsSeed, err
}

// openings counts the first executions that were run in processes of their own.
type openings struct {
	Samples  int
	Searched int
	Search   workers.Searching
	All      bool // the search is complete
}

func (o *openings) ran() int { return o.Samples + o.Searched }

// told follows a failing run as the first execution of this process, and returns the
// failure as a result.
func (x *explorer) told(o *workers.Opening) *workers.Opened {
	run, err := schedule.DecodeRun(o.Run)
	if err != nil {
		return &workers.Opened{}
	}
	c, err := x.numbers(o.Decision.Ending.Kind, o.Seed, o.Decision.Digest, run, x.cfg.Stall)
	if err != nil {
		return &workers.Opened{}
	}
	f := &card.Follower{Card: c, Making: true}
	ex := x.ExecuteWith(f.Follow, c.Seed, report.NewRecorder())
	if f.Done(ex) != nil {
		return &workers.Opened{}
	}
	c.People, c.Anchors, c.Cause = f.People, f.Anchors, card.NameID(ex.Cause())
	failure := o.Failure
	failure.Card = c.String()
	x.fail(ex, c.Seed, &failure, nil)
	return &workers.Opened{Result: x.result, Met: x.asMet(ex)}
}

// steered is a schedule given by a guide.
type steered struct {
	guide guide
	seed  uint64
	stall time.Duration // for how long goroutines may be held up
}

func (s steered) Start() (schedule.Picker, uint64) {
	return &guidePicker{guide: s.guide, stall: s.stall}, s.seed
}

// onlyFirsts explores the first executions of processes, if an execution leaves state behind
// that makes the next one of its process differ. If none fails the result stays Unknown,
// because later executions are not explored.
func (x *explorer) onlyFirsts() error {
	var first [2]*workers.Course // by the default schedule
	for i := range first {
		if !x.mayOpen() {
			return nil
		}
		_, c, err := x.open(&workers.Opening{Run: schedule.EncodeRun(nil), Seed: x.cfg.Seed})
		if err != nil {
			return x.Context.Err() // not possible here; the result says why it is unknown
		}
		first[i] = c
	}
	if first[0].Digest != first[1].Digest || first[0].Unknown != "" {
		return nil
	}
	x.firstDiffers = true
	why, before := x.result.Reason, x.result.Schedules
	x.result.Reason = ""
	failed, err := x.firsts(firstSamples, firstMore)
	if !failed {
		x.result.Reason = why
		if n := x.result.Schedules - before; n > 0 {
			x.result.Reason += fmt.Sprintf("; %s of its first execution, each in a process of its own, passed", source.Plural(n, "schedule"))
		}
	}
	return err
}

// mayOpen reports whether first executions may run in processes of their own.
func (x *explorer) mayOpen() bool {
	return workers.Serving == nil && !x.workers.Alone && !workers.HooksOf(x.Context).OnlyLater
}

// firsts explores first executions, which may differ from later ones: by few samples; if
// more is not 0, then by a search; and by more samples if the search does not complete. It
// reports whether one of them failed, which settles the result.
func (x *explorer) firsts(few, more int) (failed bool, err error) {
	if !x.mayOpen() {
		return false, nil
	}
	samples := schedule.DrawerOf(strategy.POS())
	samples.Reset(x.cfg.Seed)
	for n := range few + more {
		if n == few {
			if over, failed, err := x.searchFirsts(); over || failed || err != nil {
				return failed, err
			}
		}
		s, _ := samples.Draw()
		if n < x.openings.Samples {
			continue // run before this exploration resumed
		}
		_, c, err := x.open(&workers.Opening{Schedule: s})
		if err != nil {
			return false, x.Context.Err() // not possible here; the result says so
		}
		x.openings.Samples++
		if _, seed := s.Start(); c.Kind != "" {
			if failed, err := x.failsFirst(c, seed, strategy.POS()); failed || err != nil {
				return failed, err
			}
		}
		if _, over := x.opened(c); over {
			break
		}
	}
	return false, nil
}

// searchFirsts searches first executions by DPOR. over reports that no more are wanted,
// because the search is complete or for another reason.
func (x *explorer) searchFirsts() (over, failed bool, err error) {
	for o := &x.openings; o.Searched < firstSearches && !o.All; {
		got, c, err := x.open(&workers.Opening{Search: &o.Search})
		if err != nil || got.Search == nil {
			return true, false, x.Context.Err()
		}
		o.Searched++
		o.Search = *got.Search
		search, seed, err := resumed(&o.Search, x.cfg.Seed)
		if err != nil {
			return false, false, err
		}
		if c.Kind != "" {
			if failed, err = x.failsFirst(c, seed, strategy.DPOR()); failed || err != nil {
				return true, failed, err
			}
		}
		fresh, over := x.opened(c)
		if over {
			return true, false, nil
		}
		if fresh {
			o.Search = workers.Searching{}
			continue
		}
		e := underlying(search).(schedule.Exhauster).Exhausted()
		if o.All = e.Complete; e.Why != "" {
			break
		}
	}
	return x.openings.All, false, nil
}

// opened adds a first execution that did not fail to the result. fresh reports new
// points; over reports that no more executions are wanted.
func (x *explorer) opened(c *workers.Course) (fresh, over bool) {
	x.count(c, false) // no sample for Novelty, since there are few and they differ from others
	fresh = x.learn(c.Races)
	fresh = x.Observe(c.Observed) || fresh
	return fresh, c.Unknown != "" || x.enough
}

// open makes a new process run its first execution.
func (x *explorer) open(o *workers.Opening) (*workers.Opened, *workers.Course, error) {
	s, err := x.workers.Ask(workers.Job{Points: x.points(), Opening: o})
	switch {
	case err != nil:
		return nil, nil, err
	case s.Opened == nil || !o.Report && len(s.Reports) != 1:
		return nil, nil, errors.New("it said nothing of its first execution")
	case o.Report:
		return s.Opened, nil, nil
	}
	c, err := s.Reports[0].Course()
	return s.Opened, &c, err
}

// failsFirst makes a result of a failing first execution, after removing deviations
// that the failure does not need. It returns false if the failure is passed by
// (Config.Pass).
func (x *explorer) failsFirst(c *workers.Course, seed uint64, by schedule.Strategy) (bool, error) {
	best := c
	o := &workers.Opening{Run: schedule.EncodeRun(c.Run), Seed: seed}
	known, _, err := x.open(o) // this repetition yields the cause
	if err != nil {
		return false, x.Context.Err()
	}
	if x.cfg.Pass != nil && known.Met.Kind != "" && x.cfg.Pass(known.Met) {
		x.passedBy()
		return false, nil
	}
	x.count(c, false)
	later := x.try(steered{guide: guideOf(c.Run), seed: seed, stall: engine.StallOf(seed, x.cfg.Stall)})
	if later.Ex != nil && later.Kind == c.Kind && !x.left && x.asMet(later.Ex).Cause == known.Met.Cause {
		return true, x.report(later.Ex, by.Name(), seed) // later executions fail in the same way
	}
	for tries := 0; tries < firstTries; {
		better := false
		for i := len(best.Run) - 1; i >= 0 && tries < firstTries; i-- {
			if !best.Run[i].Deviates() {
				continue
			}
			tries++
			got, less, err := x.open(&workers.Opening{Run: schedule.EncodeRun(best.Run), Without: []int{i}, Seed: seed})
			if err != nil {
				return false, x.Context.Err()
			}
			if less.Kind == c.Kind && less.Unknown == "" && got.Met.Cause == known.Met.Cause && len(schedule.Deviations(less.Run)) < len(schedule.Deviations(best.Run)) {
				best, better = less, true
				break
			}
		}
		if !better {
			break
		}
	}
	found := verdict.Failure{Strategy: by.Name(), Schedule: x.result.Schedules, Found: schedule.Preemptions(c.Run), FoundSteps: len(c.Run)}
	got, _, err := x.open(&workers.Opening{
		Report: true, Run: schedule.EncodeRun(best.Run), Seed: seed, Failure: found,
		Decision: workers.Report{Ending: workers.Ending{Kind: best.Kind}, Digest: best.Digest},
	})
	if err != nil || got.Result == nil {
		x.result.Reason = fmt.Sprintf("the first execution of a process failed (%s), but does not repeat", c.Kind)
		return true, x.Context.Err()
	}
	r := x.result
	r.Verdict, r.Failure, r.Noted = verdict.Violated, got.Result.Failure, got.Result.Noted
	r.Failure.Cause = got.Met.Cause
	r.Failure.Plain = false
	r.Points = max(r.Points, len(c.Run))
	r.Distinct = len(x.seen)
	return true, nil
}
