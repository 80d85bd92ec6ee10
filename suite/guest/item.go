package guest

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/explore"
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// tempVar names the variable that says where temporary files go.
const tempVar = "TMPDIR"

// An item is a test or an example that is being run.
type item struct {
	*guest
	name string
	once func() (ok, skipped bool)

	out     *output
	printed *os.File // by an example
	temp    *temp    // nil where temporary files go where they always go
	orders  string   // folder for the request of workers; "" before the first

	// Of the execution that runs, or was the last one. Its goroutines write this,
	// of which one runs at a time.
	t    *explore.T // nil before the first
	line string     // that the goroutine last logged
	by   uint32     // which one

	spoke time.Time // when it was told last, by the real time, that it goes on
	first string    // what the first schedule wrote
	runs  int       // schedules that were begun
	ends  int       // those in which the test has come to its end
	skips int       // and was skipped
	own   bool      // the test explores by itself

	hungUp bool // on sockets of this process, which later tests may want to reach
}

// explore does what the request wants with the item.
func (it *item) explore() protocol.Event {
	began := time.Now()
	out, err := capture(it.request.Output, !it.request.Debug)
	if err != nil {
		giveUp(err)
	}
	it.out = out
	if it.printed, err = scratch(); err != nil {
		giveUp(err)
	}
	defer it.printed.Close()
	if it.request.Mode != protocol.Survey && it.request.Temp != "" {
		if it.temp, err = newTemp(it.request.Temp, it.request.Worker); err != nil {
			giveUp(err)
		}
	}
	event, err := it.event()
	if it.orders != "" {
		_ = os.RemoveAll(it.orders) // it is temporary
	}
	last := it.out.text()
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
	event.Test = it.name
	event.Skipped = it.ends > 0 && it.skips == it.ends
	event, last = it.judged(event, last)
	event.Spoilt = event.Spoilt || it.hungUp
	event.Took = time.Since(began)
	if event.Verdict == explore.Violated.String() {
		event.Output = last
	}
	_, _ = os.Stdout.WriteString(last)
	return event
}

// judged is what a result is worth, and what the test has written: output, what
// its last schedule wrote, is that of the failing one, if one failed.
func (it *item) judged(e protocol.Event, output string) (protocol.Event, string) {
	if it.own {
		return it.ownWay(e)
	}
	e = it.confirmed(e)
	if e.Verdict != explore.Violated.String() {
		output = it.first
	}
	if it.unfinished(e) {
		e, output = it.decided(e)
		e.Spoilt = true // by goroutines that were stopped wherever they were
		return e, output
	}
	if it.doubtful(e) {
		return it.settled(e, output)
	}
	return e, output
}

// event runs the item and says what came of it.
func (it *item) event() (protocol.Event, error) {
	cfg, err := it.config()
	if err != nil {
		return protocol.Event{}, err
	}
	var r *explore.Result
	outcome := ""
	switch it.request.Mode {
	case protocol.Survey:
		r, err = explore.Survey(it.ctx, cfg, it.body)
	case protocol.Explore:
		r, err = explore.Run(it.ctx, cfg, it.body)
	case protocol.Replay:
		var replayed *explore.Replayed
		if replayed, err = explore.Replay(it.ctx, cfg, it.request.Card, it.body); err == nil {
			r, outcome = replayed.Result, replayed.Outcome.String()
		}
	default:
		err = fmt.Errorf("mode: got %q, want %s, %s or %s", it.request.Mode, protocol.Survey, protocol.Explore, protocol.Replay)
	}
	if err != nil {
		return protocol.Event{}, err
	}
	e := it.told(r)
	e.Replayed = outcome
	return e, nil
}

// body is one schedule of the item.
func (it *item) body(t *explore.T) {
	it.t, it.line, it.by = t, "", 0
	ok, skipped := it.once()
	if it.ends++; skipped {
		it.skips++
	}
	if !ok && !t.Failed() {
		t.Error(it.failure())
	}
}

// pulse is how often it is told that an item goes on.
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
		_ = os.Setenv(tempVar, it.temp.dir) // there is nothing wrong with either
	}
	it.runs++
}

// failure is what is said of an item that says nothing itself.
func (it *item) failure() string { return it.name + " failed" }

func (g *guest) named(name string) { g.inTest(func(it *item) { it.t.Named(name) }) }
func (g *guest) logged(line string) {
	g.inTest(func(it *item) {
		it.line, it.by = strings.TrimSuffix(line, "\n"), control.Self()
		it.t.Log(it.line)
	})
}

// failed: what was logged just before says why, if it was logged by the same
// goroutine.
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

// explores: a test explores by itself. It reports whether that test is the item.
func (g *guest) explores() (heard bool) {
	g.inTest(func(it *item) { it.own, heard = true, true })
	return heard
}

// collect is for examples: what they print is compared.
func (g *guest) collect() (to *os.File, written func() string) {
	out := output{file: g.item.printed}
	out.clear()
	return out.file, out.all
}

// inTest calls f if the calling goroutine is one of the execution.
func (g *guest) inTest(f func(*item)) {
	if control.Self() != 0 && g.item != nil {
		f(g.item)
	}
}

// leaks says it in the explorer's words.
var leaks = map[protocol.Leaks]explore.LeakPolicy{
	protocol.LeaksDiffer: explore.LeaksDiffer, protocol.LeaksFail: explore.LeaksFail, protocol.LeaksNote: explore.LeaksIgnore,
}

func (it *item) config() (explore.Config, error) {
	q := it.request
	stages, err := plan(q)
	if err != nil {
		return explore.Config{}, err
	}
	p, err := it.wait()
	if err != nil {
		return explore.Config{}, err
	}
	stall := time.Duration(0)
	if q.Debug {
		stall = debugStall
	}
	return explore.Config{
		Name: it.name, Seed: q.Seed, Bookmark: q.Bookmark, Plan: stages, Schedules: q.Schedules, MaxSteps: q.MaxSteps, Stall: stall, Leaks: leaks[q.Leaks], Residents: true, Patient: true, Runner: "testing",
		Prepare: it.prepare, Enough: p.over, Workers: max(q.Workers, 1), Worker: p.worker, Exclusive: true, Logger: slog.New(slog.DiscardHandler),
	}, nil
}

// debugStall is how long one step may take while somebody looks at it.
const debugStall = 1000 * time.Hour

// sequential is what one schedule says where there is no other: all. What it did
// that nobody controls is told besides.
func (it *item) sequential(e protocol.Event) protocol.Event {
	if e.Verdict == explore.Unknown.String() && !e.Concurrent && e.Distinct > 0 && it.ends == it.runs {
		e.Verdict, e.Reason, e.Summary, e.Exhausted = explore.Holds.String(), "", "1 schedule, and no other", true
	}
	return e
}

// told is what a result is to those who asked.
func (it *item) told(r *explore.Result) protocol.Event {
	e := protocol.Event{
		Verdict: r.Verdict.String(), Reason: r.Reason, Summary: r.Summary(), Concurrent: r.Points > 0,
		Exhausted: r.Exhausted && r.Unbounded, Incomplete: r.Incomplete, Outside: r.Outside, Depends: r.Depends, Leaked: r.Left, Spoilt: r.Lost, Schedules: r.Schedules, Distinct: r.Distinct, Points: r.Points, Coarse: r.Coarse,
		Bookmark: r.Bookmark,
	}
	if r.Exhausted && !r.Unbounded {
		e.Bound = &r.Bound
	}
	if f := r.Failure; f != nil {
		e.Kind, e.Message = string(f.Kind), f.Message
		if e.Concurrent || stuck(e.Kind) { // else go test does the same
			e.Card = f.Card
		}
		e.Strategy, e.Preemptions, e.Steps = f.Strategy, f.Preemptions, f.Steps
		f.Timeline.Replay = ""
		if e.Card != "" {
			f.Timeline.Replay = it.request.ReplayLine(it.name, e.Card)
		}
		e.Report, e.HTML = it.report(f, e.Concurrent), it.page(f.Timeline)
		e.Spoilt = e.Spoilt || f.Kind != explore.KindCheck && f.Kind != explore.KindRace
	}
	if it.request.Mode != protocol.Replay {
		e = it.sequential(e)
	}
	return e
}
