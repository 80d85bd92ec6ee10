package guest

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/search"
	"github.com/jacquard-go/jacquard/internal/verdict"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// tempVar names the variable for the folder of temporary files.
const tempVar = "TMPDIR"

// An item is a test or an example that is being run.
type item struct {
	*guest
	name string
	once func() (ok, skipped bool)

	out     *output
	printed *os.File // by an example
	temp    *temp    // nil if temporary files are where they always are
	orders  string   // folder of the workers' request; "" before the first

	// Of the present or last execution. Its goroutines write these fields, one at a time.
	t    *engine.T // nil before the first execution
	line string    // last line that a goroutine logged
	by   uint32    // the goroutine that logged it

	began time.Time
	spoke time.Time // when the item last reported that it is alive, in real time
	first string    // output of the first schedule
	runs  int       // schedules begun
	ends  int       // schedules in which the test ended
	skips int       // schedules in which it was skipped
	why   string    // what it logged last in the last of these
	// foundAt is the schedule of the failure that was announced last, before it was tried again.
	foundAt int
	own     bool // the test explores by itself

	covered *coverage.Listing // what its schedules did, if coverage was requested

	plain  *plainRun // how it ended without control; nil before it was run so
	hungUp bool      // on sockets of this process, which later tests may need to reach
}

// explore runs the item as the request says.
func (it *item) explore() protocol.Event {
	it.began = time.Now()
	out, err := capture(it.request.Output, !it.request.Debug)
	if err != nil {
		giveUp(err)
	}
	it.out = out
	if it.printed, err = scratch(); err != nil {
		giveUp(err)
	}
	defer it.printed.Close()
	if it.request.Mode != protocol.Discover && it.request.Temp != "" {
		if it.temp, err = newTemp(it.request.Temp, it.request.Worker); err != nil {
			giveUp(err)
		}
		control.SetEmptied(it.request.Temp)
	}
	control.TakeFilesChanged() // forget earlier changes
	event, result, err := it.event()
	files := control.TakeFilesChanged()
	if it.orders != "" {
		_ = os.RemoveAll(it.orders) // temporary
	}
	last := event.Output
	event.Output = ""
	it.out.end()
	if it.temp != nil {
		it.temp.remove()
	}
	it.place.restore()
	if err != nil {
		giveUp(err)
	}
	if it.first == "" {
		it.first = last
	}
	if event.Skipped = it.ends > 0 && it.skips == it.ends; event.Skipped {
		event.Why = it.why
	}
	event, last = it.judged(event, result, last)
	if target, err := it.target(); err == nil && target != nil && event.Kind != "" {
		event.Same = same(target, protocol.Cause{Kind: event.Kind, Cause: event.Cause})
	}
	if seek := it.request.Seek; seek != nil && event.Kind != "" && it.request.Mode != protocol.Replay {
		event.Same = sought(*seek, protocol.Cause{Kind: event.Kind, Cause: event.Cause}, []string{event.Message})
	}
	event.Spoilt, event.Apart = event.Spoilt || it.hungUp || it.apart && it.plain != nil, it.apart
	event.Files = event.Files || files || it.apart
	event.Covered = it.covered
	event.Went = it.request.Mode == protocol.Discover && result.Failure == nil && it.ends > 0
	event.Took = time.Since(it.began)
	if event.Verdict == verdict.Violated.String() {
		event.Output = last
	}
	_, _ = os.Stdout.WriteString(last)
	return event
}

// judged returns the final result, and what the test has written: output, of its last schedule,
// which is the failing one if one failed.
func (it *item) judged(e protocol.Event, r *verdict.Result, output string) (protocol.Event, string) {
	if it.own {
		return it.ownWay(e)
	}
	failed := e.Verdict == verdict.Violated.String()
	if it.request.Mode == protocol.Discover {
		if failed {
			it.announce(*r.Failure, protocol.Event{Doubt: it.doubt(e, r)}) // the announcement comes first, because what follows may be cut off
		}
		if e = it.confirmed(e, r); e.Output != "" { // it is of another process
			output, e.Output = e.Output, ""
		}
	}
	if e.Verdict != verdict.Violated.String() {
		output = it.first
		if failed && it.request.Mode == protocol.Discover {
			return e, output
		}
	}
	if it.unfinished(e) {
		e, output = it.decided(e)
		e.Spoilt = true // goroutines were stopped wherever they were
		return e, output
	}
	if it.questionable(e, r) {
		e, output = it.settled(e, output)
	}
	if it.besideOthers(e, r) {
		return doubted(e, "it fails by itself ("+e.Message+"), and go test passes it among the other tests of its package: it needs them"), it.first
	}
	if it.needsOthers(e, r) {
		return doubted(e, "it fails by itself, without control too ("+e.Message+"), but passed after the other tests of its package: it needs what they leave behind"), output
	}
	return e, output
}

// event runs the item and returns the result as an event.
func (it *item) event() (protocol.Event, *verdict.Result, error) {
	cfg, err := it.config()
	if err != nil {
		return protocol.Event{}, nil, err
	}
	var r *verdict.Result
	outcome, was := "", ""
	switch it.request.Mode {
	case protocol.Discover:
		r, err = search.Survey(it.ctx, cfg, it.body)
	case protocol.Explore:
		r, err = it.explored(cfg)
	case protocol.Replay:
		var replayed *verdict.Replayed
		if replayed, err = search.Replay(it.ctx, cfg, it.request.Card, it.body); err == nil {
			r, outcome, was = replayed.Result, replayed.Outcome.String(), string(replayed.Was)
		}
	case protocol.Confirm:
		r, err = search.Confirm(it.ctx, cfg, it.request.Card, it.body)
	default:
		err = fmt.Errorf("mode: got %q, want %s, %s, %s or %s", it.request.Mode, protocol.Discover, protocol.Explore, protocol.Replay, protocol.Confirm)
	}
	if err != nil {
		return protocol.Event{}, nil, err
	}
	e := it.told(r)
	e.Replayed, e.Was, e.Output = outcome, was, it.out.text()
	if it.request.Mode == protocol.Confirm && r.Failure == nil {
		e.Card = r.Suspect
	}
	if it.request.Mode != protocol.Explore || it.own {
		return e, r, nil
	}
	if e = it.confirmed(e, r); e.Verdict != verdict.Violated.String() || it.questionable(e, r) && it.plainly(e.Kind).ok {
		return e, r, nil
	}
	it.reduced(e)
	return it.more(cfg, e, r)
}

// explored explores the item, with coverage if requested.
func (it *item) explored(cfg search.Config) (r *verdict.Result, err error) {
	if it.request.Covered {
		r, it.covered, err = search.RunCovered(it.ctx, cfg, it.body)
	} else {
		r, err = search.Run(it.ctx, cfg, it.body)
	}
	if err != nil {
		return nil, err
	}
	return it.behindRaces(cfg, r)
}

// body runs one schedule of the item.
func (it *item) body(t *engine.T) {
	it.t, it.line, it.by = t, "", 0
	ok, skipped := it.once()
	if it.ends++; skipped {
		it.skips++
		it.why = it.line
	}
	if !ok && !t.Failed() {
		t.Error(it.failure())
	}
}

// took returns about how long a schedule takes.
func (it *item) took() time.Duration { return time.Since(it.began) / time.Duration(max(it.runs, 1)) }

// pulse is how often an item reports that it is alive.
const pulse = 10 * time.Second

// prepare is called before each schedule.
func (it *item) prepare() {
	if it.request.Turns != "" && time.Since(it.spoke) >= pulse {
		it.spoke = time.Now()
		it.tell(protocol.Event{Test: it.name, Alive: true})
	}
	if it.runs == 1 {
		it.first = it.out.text()
	}
	it.out.begin()
	it.place.restore()
	if it.temp != nil {
		it.temp.prepare(it.runs)
		_ = os.Setenv(tempVar, it.temp.dir) // neither name nor value is invalid
	}
	it.runs++
}

// failure returns the message for an item that fails without one.
func (it *item) failure() string { return it.name + " failed" }

func (g *guest) named(name string) { g.inTest(func(it *item) { it.t.Named(name) }) }
func (g *guest) logged(line string) {
	g.inTest(func(it *item) {
		it.line, it.by = strings.TrimSuffix(line, "\n"), control.Self()
		it.t.Log(it.line)
	})
}

// failed reports a failure. The line logged just before is its message, if the same goroutine
// logged it.
func (g *guest) failed(name string) {
	g.inTest(func(it *item) {
		why := name + " failed"
		if it.by == control.Self() && it.line != "" {
			why = it.line
		}
		it.line = ""
		it.t.Error(why)
	})
}

// explores is called by a test that explores by itself. It reports whether that test is the item.
func (g *guest) explores() (heard bool) {
	g.inTest(func(it *item) { it.own, heard = true, true })
	return heard
}

// collect gives an example a file for its output, which is compared.
func (g *guest) collect() (to *os.File, written func() string) {
	out := output{file: g.item.printed}
	defer control.Leave(control.Enter())
	out.clear()
	return out.file, func() string {
		defer control.Leave(control.Enter())
		return out.all()
	}
}

// inTest calls f if the calling goroutine belongs to the execution.
func (g *guest) inTest(f func(*item)) {
	if control.Self() != 0 && g.item != nil {
		f(g.item)
	}
}

// leaks translates the protocol's leak policies to the engine's.
var leaks = map[protocol.Leaks]engine.LeakPolicy{
	protocol.LeaksDiffer: engine.LeaksDiffer, protocol.LeaksFail: engine.LeaksFail, protocol.LeaksNote: engine.LeaksIgnore,
}

func (it *item) config() (search.Config, error) {
	q := it.request
	stages, err := further(q)
	if err != nil {
		return search.Config{}, err
	}
	p, err := it.wait()
	if err != nil {
		return search.Config{}, err
	}
	target, err := it.target()
	if err != nil {
		return search.Config{}, err
	}
	seed := q.Seed
	if target != nil {
		seed = target.Seed
	}
	watchdog := time.Duration(0)
	if q.Debug {
		watchdog = debugWatchdog
	}
	races := engine.RacesFail
	if len(q.Pass) > 0 {
		races = engine.RacesGoOn
	}
	if q.Seek != nil && q.Seek.Kind != string(engine.KindRace) {
		races = engine.RacesNote // no race may hide the failure sought, which a run without the detector may have found
	}
	return search.Config{
		Races: races, Name: it.name, Seed: seed, Bookmark: q.Bookmark, Plan: stages, Schedules: q.Schedules, MaxSteps: q.MaxSteps, Watchdog: watchdog, Stall: q.Stall, Leaks: leaks[q.Leaks], Residents: true, Patient: true, Runner: "testing", Streams: []*os.File{it.printed},
		Prepare: it.prepare, Enough: p.over, Found: it.found, Pass: it.pass(target), Hurry: p.hurry, Workers: max(q.Workers, 1), Worker: p.worker, Fresh: it.fresh, Exclusive: true, Logger: slog.New(slog.DiscardHandler),
	}, nil
}

// found announces a failure before it is reduced, and again when it was tried again: with its card,
// if it failed again by that.
func (it *item) found(f verdict.Failure) {
	doubt := scarce(&f)
	if f.Card == "" && f.Schedule == it.foundAt {
		doubt = "it did not fail again at once"
	}
	it.foundAt = f.Schedule
	it.announce(f, protocol.Event{Doubt: doubt})
}

// announce sends an event for a failure. e says how it relates to other failures.
func (it *item) announce(f verdict.Failure, e protocol.Event) {
	if it.request.Mode != protocol.Explore && it.request.Mode != protocol.Discover || it.request.Worker {
		return
	}
	it.tell(protocol.Event{
		Test: it.name, Found: true, Another: e.Another, Instead: e.Instead, Unconfirmed: e.Unconfirmed, Doubt: e.Doubt, Kind: string(f.Kind), Message: f.Message, Cause: causeOf(&f), Card: f.Card,
		Strategy: f.Strategy, Schedules: f.Schedule, Preemptions: f.Preemptions, Quantum: f.Quantum, Steps: f.Steps,
	})
}

// debugWatchdog is how long one step may take under a debugger.
const debugWatchdog = 1000 * time.Hour

// sequential makes one schedule a full result where there is no other. Uncontrolled activities are
// reported as well.
func (it *item) sequential(e protocol.Event) protocol.Event {
	if e.Verdict == verdict.Unknown.String() && !e.Concurrent && e.Distinct > 0 && it.ends == it.runs {
		e.Verdict, e.Reason, e.Summary, e.Exhausted = verdict.Holds.String(), "", "1 schedule, and no other", true
	}
	return e
}

// told converts a result to an event.
func (it *item) told(r *verdict.Result) protocol.Event {
	e := protocol.Event{
		Test: it.name, Verdict: r.Verdict.String(), Reason: r.Reason, Summary: r.Summary(), Concurrent: r.Points > 0,
		Exhausted: r.Exhausted && r.Unbounded, Unexplored: r.Unexplored(), Claim: r.Claim(), Incomplete: r.Incomplete, Outside: r.Outside, Depends: r.Depends, Leaked: r.Left, Pace: r.Pace.Differs(), Spoilt: spent(r), Schedules: r.Schedules, Distinct: r.Distinct, Points: r.Points, Coarse: r.Coarse,
	}
	if r.Verdict != verdict.Violated && r.Suspect == "" {
		e.Bookmark = r.Bookmark
	}
	if r.Exhausted && !r.Unbounded {
		e.Bound = &r.Bound
	}
	if f := r.Failure; f != nil {
		e.Kind, e.Message, e.Cause, e.Sites = string(f.Kind), f.Message, causeOf(f), sitesOf(f.Timeline)
		e.Blame, e.Evidence = f.Blame.Of, f.Blame.Why
		if e.Concurrent || stuck(e.Kind) { // otherwise go test fails in the same way
			e.Card = f.Card
		}
		e.Strategy, e.Preemptions, e.Quantum, e.Steps = f.Strategy, f.Preemptions, f.Quantum, f.Steps
		e.Schedule, e.FoundWith, e.FoundSteps, e.Minimal = f.Schedule, f.Found, f.FoundSteps, f.Minimal
		f.Timeline.Replay = ""
		if e.Card != "" {
			f.Timeline.Replay = it.request.ReplayLine(it.name, e.Card)
		}
		e.Report, e.HTML, e.Timeline = it.report(r, e.Concurrent), it.page(f.Timeline), it.data(f.Timeline)
		e.Spoilt = e.Spoilt || it.ends < it.runs || f.Of != engine.KindCheck && f.Of != engine.KindRace
	}
	if it.request.Mode == protocol.Discover || it.request.Mode == protocol.Explore {
		e = it.sequential(e)
	}
	return e
}
