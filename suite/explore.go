package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// The lengths of turns. The first is so short that each test gets one in the first half of the
// budget, and each later turn is twice as long as the previous one.
const (
	shortest = 100 * time.Millisecond
	longest  = 5 * time.Second
	// mostWaiting bounds the processes that wait for their next turn.
	mostWaiting = 16
)

// A division divides a package's time among explorations. The ones that are worth most get the next
// turn.
type division struct {
	run     *run
	end     time.Time
	workers int // how many tests may have a turn at the same time
	all     []*exploration
	idle    []*exploration // waiting for a turn
	done    int
	failed  int
	files   bool // an exploration whose test changes files has a turn
	over    bool // no more turns
	lonely  bool // TestMain needs to be the only one: one process at a time
}

// explore explores tests until they are done or time is up.
func (r *run) explore(ctx context.Context, all []*exploration, end time.Time) error {
	if len(all) == 0 {
		return nil
	}
	d := &division{run: r, all: all, workers: min(r.cfg.Workers, len(all)), end: end, idle: slices.Clone(all)}
	if slices.ContainsFunc(all, func(x *exploration) bool { return x.discovered.Apart }) {
		d.lonely, d.workers = true, 1
	}
	first := min(max(time.Until(end)*time.Duration(d.workers)/time.Duration(2*len(all)), shortest), time.Second)
	for _, x := range all {
		x.worth, x.turn = math.Inf(1), first
	}
	defer func() {
		for _, x := range all {
			x.drop()
		}
	}()
	err := d.divide(ctx)
	if err == nil {
		err = d.close(ctx)
	}
	if r.cut(ctx) {
		return nil // it is the reason for err
	}
	return err
}

// close ends the explorations that have had all their turns, as many at a time as had turns.
func (d *division) close(ctx context.Context) error {
	cause := errBudget
	if d.run.stop() {
		cause = errFailed
	}
	var g errgroup.Group
	g.SetLimit(d.workers)
	for _, x := range d.idle {
		g.Go(func() error {
			defer d.run.alone(x.test)()
			x.close(d.run, cause)
			err := d.run.tryAgain(ctx, x)
			d.run.settle(x.test)
			return err
		})
	}
	return g.Wait()
}

// divide gives turns until no exploration needs one or time is up.
func (d *division) divide(ctx context.Context) error {
	type turned struct {
		*exploration
		files bool // its test was known to change files
		err   error
	}
	back := make(chan turned)
	var failure error
	for running := 0; ; {
		for running < d.workers && d.another(ctx) {
			x := d.pick(ctx)
			x.alone = d.lonely
			length, processes := max(min(x.turn, time.Until(d.end)), shortest), d.share()
			files := x.discovered.Files
			if files {
				d.files, processes = true, 1
			}
			running++
			go func() { back <- turned{x, files, d.run.next(ctx, x, length, processes)} }()
		}
		if running == 0 {
			return failure
		}
		x := <-back
		running--
		d.files = d.files && !x.files
		switch {
		case x.err != nil:
			failure, d.over = x.err, true
		case x.refused() && !x.alone:
			x.result, d.lonely, d.workers = nil, true, 1
			d.idle = append(d.idle, x.exploration)
		case x.ended():
			d.count(x.exploration)
			d.run.settle(x.test)
		default:
			d.idle = append(d.idle, x.exploration)
		}
		d.run.cfg.Progress(d.progress(x.exploration))
	}
}

// progress describes the progress of all explorations, with that of x, and the time left.
func (d *division) progress(x *exploration) string {
	text := fmt.Sprintf("%s: %d of %d tests explored", d.run.ImportPath, d.done, len(d.all))
	if !x.ended() {
		text += fmt.Sprintf(" · %s at %s", x.name, output.Plural(x.now.Schedules, "schedule"))
	}
	if d.failed > 0 {
		text += fmt.Sprintf(" · %d found", d.failed)
	}
	return text + fmt.Sprintf(" · %v left", max(time.Until(d.end), 0).Round(time.Second))
}

// count records that an exploration has ended.
func (d *division) count(x *exploration) {
	d.done++
	if x.failed() {
		d.failed++
	}
	d.over = d.over || d.run.cfg.FailFast && x.failed()
}

// another reports whether there is time for another turn, and an exploration for it.
func (d *division) another(ctx context.Context) bool {
	left := time.Until(d.end)
	return !d.over && ctx.Err() == nil && left > 0 &&
		slices.ContainsFunc(d.free(), func(x *exploration) bool { return x.least() <= left })
}

// free returns the waiting explorations that may run beside those that have a turn.
func (d *division) free() []*exploration {
	if !d.files {
		return d.idle
	}
	return slices.DeleteFunc(slices.Clone(d.idle), func(x *exploration) bool { return x.discovered.Files })
}

// pick removes and returns the exploration for the next turn, and makes room for its process.
func (d *division) pick(ctx context.Context) *exploration {
	left := time.Until(d.end)
	next := slices.MaxFunc(d.free(), func(a, b *exploration) int {
		return cmp.Or(-cmp.Compare(max(a.least()-left, 0), max(b.least()-left, 0)), byWorth(a, b))
	})
	d.remove(next)
	if next.p == nil {
		d.makeRoom(ctx)
	}
	return next
}

// remove removes an exploration from the waiting ones.
func (d *division) remove(gone *exploration) {
	d.idle = slices.DeleteFunc(d.idle, func(x *exploration) bool { return x == gone })
}

// makeRoom retires processes until one more may wait.
func (d *division) makeRoom(ctx context.Context) {
	var waiting []*exploration
	for _, x := range d.idle {
		if x.p != nil {
			waiting = append(waiting, x)
		}
	}
	most := mostWaiting
	if d.lonely {
		most = 1
	}
	for ; len(waiting) >= most; waiting = slices.DeleteFunc(waiting, func(x *exploration) bool { return x.p == nil }) {
		x := slices.MinFunc(waiting, byWorth)
		if x.retire(d.run); x.ended() {
			_ = d.run.tryAgain(ctx, x) // an error of starting a process will recur for the next one
			d.remove(x)
			d.count(x)
			d.run.settle(x.test)
		}
	}
}

// byWorth orders explorations by what they yield or, where that is equal, the faster ones last.
func byWorth(a, b *exploration) int {
	return cmp.Or(cmp.Compare(a.worth, b.worth), cmp.Compare(b.discovered.Took, a.discovered.Took))
}

// share returns how many processes may run the schedules of one test: where there are fewer tests,
// those that would otherwise be idle. It never falls.
func (d *division) share() int {
	if d.lonely {
		return 1
	}
	return max(d.run.cfg.Workers/(len(d.all)-d.done), 1)
}

// next gives a test a turn with this many processes, and starts its process if it has none.
func (r *run) next(ctx context.Context, x *exploration, d time.Duration, processes int) error {
	defer r.alone(x.test)()
	began := time.Now()
	defer func() { x.took += time.Since(began) }()
	if x.p == nil {
		if err := r.begin(ctx, x); errors.Is(err, errTimeout) {
			x.died = r.timedOut()
			return nil
		} else if err != nil && ctx.Err() != nil {
			return nil
		} else if err != nil {
			return err
		}
	}
	before := x.now.Distinct // its value at the end of a turn
	e, ok := x.ask(r, d, processes)
	switch {
	case !ok && early(x.p.Cause()):
		x.stop(r)
	case !ok:
		x.die(r.timedOut())
	case e.Again && x.afresh < mostAfresh:
		x.afresh++
		x.discovered.Files = x.discovered.Files || e.Files
		x.first, x.reduced = protocol.Event{}, nil // it was not the schedule's failure
		x.once = cmp.Or(x.once, e.Reason)
		x.past.reach(e)
		x.leave()
	case e.Pause:
		x.now = e
		if x.worth = float64(e.Distinct-before) / time.Since(began).Seconds(); e.Schedules >= r.cfg.Schedules {
			x.worth = -x.took.Seconds() // what goes on beyond its schedules comes last, and in turn
		}
		x.turn = min(2*x.turn, longest)
	default:
		x.whole = true
		x.finished(e)
	}
	if x.alone {
		return r.tryAgain(ctx, x)
	}
	return nil
}

// tryAgain replays the card of a failure that the test's process, which has ended, could not try
// again in a second process beside it.
func (r *run) tryAgain(ctx context.Context, x *exploration) error {
	if !x.refused() || x.result.Card == "" {
		return nil
	}
	e, err := r.follow(ctx, Card{Test: x.name, Text: x.result.Card})
	switch {
	case errors.Is(err, ErrReplay):
		return nil // the result stays as it is
	case err == nil && e.Verdict != violated:
		x.result.Reason = "a schedule failed, but not in a process of its own, as if earlier schedules had left something behind: " + e.Reason
		return nil
	}
	if err != nil {
		return err
	}
	e.Concurrent, e.Schedules, e.Distinct = true, x.result.Schedules, x.result.Distinct
	x.result = &e
	return nil
}

// begin starts the process for a test.
func (r *run) begin(ctx context.Context, x *exploration) (err error) {
	req := r.request(protocol.Explore)
	req.Turns, req.Bookmark, req.Pass = "a pipe", x.past.Bookmark, x.pass
	req.Went = x.discovered.Went
	x.now = protocol.Event{Schedules: x.past.Schedules, Distinct: x.past.Distinct}
	x.p, err = r.startTest(ctx, req, x.name)
	return err
}
