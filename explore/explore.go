package explore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
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
// that ended because a goroutine did not give way within Config.Stall: it still
// runs, and so no other execution can be controlled. All else in the process goes
// on as usual.
var ErrLost = errors.New("explore: a goroutine of an earlier execution still runs; nothing more can be explored in this process")

// Controlled reports whether this process can choose schedules.
func Controlled() bool { return control.Available() }

// Run explores body according to cfg. It returns an error only if it could not
// explore at all: [ErrNotControlled], [ErrConfig], [ErrNested], [ErrBubble], [ErrLost],
// or the context's. A body that fails is a result. Explorations of one process run
// one after the other.
func Run(ctx context.Context, cfg Config, body func(*T)) (*Result, error) {
	x, err := begin(ctx, cfg, body)
	if err != nil {
		return nil, err
	}
	defer x.end()
	x.at = arrive()
	if posted != nil {
		return posted.run(x)
	}
	r, err := x.explore()
	r.Outside, r.Depends = x.outsiders(), x.depends()
	x.at.depart(x.cfg.Name, r, err)
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
	ctx       context.Context
	cfg       Config
	body      func(*T)
	sites     *sites
	races     *raceLog
	memory    []uintptr // racing accesses, which are points; sorted
	kept      uint64    // live bytes after the last collection
	jammed    bool      // a finalizer does not end
	spare     spare     // memory of executions that are over
	lost      bool      // an execution could not be ended
	outside   string    // what an execution depended on that is no part of it
	gc        int       // settings of the process, to be restored
	stack     int
	procs     int
	temp      tempRoot
	unwatch   func() // stops the watchdog
	result    *Result
	seen      map[uint64]bool
	starts    map[uintptr]string // see plain
	plains    map[string]string  // see plainName
	course    uint64             // digest of the default schedule
	unpicked  outcome            // how that ended
	crew      *crew
	began     time.Time
	notes     control.Notes
	leakage   leakage
	enough    bool // Config.Enough says so
	settledIn bool // there has been an execution
	hired     int  // workers that have been started
	alone     bool // there are to be none any more
	at        station

	tracking bool // every execution gets a tracker
	earlier  int  // schedules that were run before, by the bookmark
	followed int  // executions that it took to follow the last card
}

func begin(ctx context.Context, cfg Config, body func(*T)) (*explorer, error) {
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
	log, err := openRaceLog()
	if err != nil {
		process.Unlock()
		return nil, err
	}
	x := &explorer{
		ctx: ctx, cfg: cfg, body: body, races: log,
		sites:  newSites(cfg.Trust),
		gc:     debug.SetGCPercent(-1), // the collector would be an uncontrolled goroutine
		stack:  debug.SetMaxStack(maxStack),
		procs:  runtime.GOMAXPROCS(1), // the program may have set it; see package control
		result: &Result{Seed: cfg.Seed, RacesUnchecked: !control.Detector()},
		seen:   make(map[uint64]bool),
		starts: make(map[uintptr]string),
		plains: make(map[string]string),
		began:  time.Now(),
	}
	x.crew = newCrew(ctx, x.try, x.workerLost, cfg.Stall+workerSilence)
	x.unwatch = x.watch()
	return x, nil
}

func (x *explorer) end() {
	x.crew.end()
	if x.cfg.crew.helped != nil {
		x.cfg.crew.helped(x.crew.helped)
	}
	x.unwatch()
	x.temp.remove()
	control.SetMemory(nil)
	debug.SetGCPercent(x.gc)
	debug.SetMaxStack(x.stack)
	runtime.GOMAXPROCS(x.procs)
	x.races.close()
	process.lost, x.result.Lost = x.lost, x.lost
	process.Unlock()
}

// explore runs the plan until a schedule fails or the plan is done.
func (x *explorer) explore() (*Result, error) {
	if ok, err := x.repeatable(); !ok {
		return x.result, err
	}
	from, err := x.open()
	if err != nil {
		return x.result, err
	}
	first := 0
	if from != nil {
		first = from.Stage
	}
	for stage := first; stage < len(x.cfg.Plan); stage++ {
		done, err := x.run(stage, from)
		if from = nil; done || err != nil {
			return x.result, err
		}
		if x.result.Unbounded || x.enough {
			break // nothing is left to run
		}
	}
	x.hold()
	return x.result, nil
}

// hold concludes that nothing failed, if anything was explored.
func (x *explorer) hold() {
	r := x.result
	r.Distinct = len(x.seen)
	for pkg := range x.sites.used {
		r.Trusted = append(r.Trusted, pkg)
	}
	slices.Sort(r.Trusted)
	if r.Points == 0 {
		r.Reason = fmt.Sprintf("nothing to explore: %s and never a choice", plural(r.Schedules, "schedule"))
		return
	}
	if x.outside != "" {
		r.Reason = fmt.Sprintf("no failure in %s, but they depend on what is outside the execution: %s", plural(r.Schedules, "schedule"), x.outside)
		return
	}
	r.Verdict = Holds
}

// noteBound keeps how far a systematic search has come.
func (x *explorer) noteBound(s Strategy) {
	r := x.result
	if r.Coarse {
		return // nobody has chosen what came after
	}
	switch d := s.(type) {
	case *depthFirst:
		if k := d.exhausted(); k >= 0 && !r.Unbounded && (!r.Exhausted || k > r.Bound) {
			r.Exhausted, r.Bound, r.Searched = true, k, d.within(k)
		}
	case *dpor:
		if n, ok := d.exhausted(); ok {
			r.Exhausted, r.Unbounded, r.Bound, r.Searched = true, true, 0, n
		}
		r.Incomplete = d.why
	}
}

// learn makes the accesses of races scheduling points, and notes the races.
// It reports whether there are points that were none before.
func (x *explorer) learn(races []RaceReport) bool {
	fresh := false
	for _, r := range races {
		x.result.note(r)
		for _, a := range r.Accesses {
			if a.pc != 0 && !slices.Contains(x.memory, a.pc) {
				x.memory = append(x.memory, a.pc)
				fresh = true
			}
		}
	}
	if fresh {
		slices.Sort(x.memory)
	}
	return fresh
}

// note keeps a race once.
func (r *Result) note(race RaceReport) {
	for _, known := range r.Noted {
		if known.same(race) {
			return
		}
	}
	r.Noted = append(r.Noted, race)
}

// defaultPick is the schedule without any deviation.
type defaultPick struct{}

func (defaultPick) Pick(p *Point) Choice { return Choice{Index: p.Default()} }

// maxStack bounds a goroutine's stack within an execution, in bytes: an endless
// recursion would else need a gigabyte each time.
const maxStack = 64 << 20

// textBase makes code addresses comparable between processes of one program.
var textBase = reflect.ValueOf(Controlled).Pointer()
