package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A run is the run of one package's tests.
type run struct {
	build.Program
	cfg   Config
	temp  string
	tests []*test
	text  []output.Section // the output of the discovery run
	exit  string           // how its process failed, if not because of a test; "" if it did not
	idle  bool             // no tests to run
	late  bool             // the package's time was over; see timedOut
	again bool             // tests whose first schedule was cut off are run once more
	kept  int              // how many tests come before those

	began   time.Time
	end     time.Time // of exploring
	spent   bool      // the budget was spent while a process ran
	partial bool      // time was up before every test had run once
	halted  error     // why the run was interrupted; nil if it was not
	teller  *teller
	files   sync.Mutex // held while a test runs that may change files of others
}

// alone waits until no other test runs that changes files, if t changes files, because go test runs
// such tests one after another. The caller must call over when the test has stopped running.
func (r *run) alone(t *test) (over func()) {
	if !t.discovered.Files {
		return func() {}
	}
	r.files.Lock()
	return r.files.Unlock
}

// flags returns the flags of the test binary, besides -test.run.
func (r *run) flags() []string {
	flags := []string{"-test.paniconexit0", "-test.timeout=0", "-test.count=1"}
	if r.cfg.Short {
		flags = append(flags, "-test.short")
	}
	if r.cfg.Parallel > 0 {
		flags = append(flags, fmt.Sprintf("-test.parallel=%d", r.cfg.Parallel))
	}
	if r.cfg.Shuffle != "" {
		flags = append(flags, "-test.shuffle="+r.cfg.Shuffle)
	}
	if r.cfg.FullPath {
		flags = append(flags, "-test.fullpath")
	}
	if r.told() {
		flags = append(flags, "-test.v=test2json")
	}
	return append(flags, r.cfg.Args...)
}

// told reports whether all tests are reported, and not only those that fail.
func (r *run) told() bool { return r.cfg.Verbose || r.cfg.JSON }

func (r *run) request(mode protocol.Mode) protocol.Request {
	return protocol.Request{
		Mode: mode, Plan: r.cfg.Plan, Schedules: r.cfg.Schedules, Further: r.cfg.further, Seed: r.cfg.Seed, MaxSteps: r.cfg.MaxSteps, Stall: r.cfg.Stall,
		Timeline: r.cfg.Done != nil, Covered: r.cfg.covers(), Card: r.cfg.target, Seek: r.cfg.seek, Leaks: r.cfg.Leaks, Workers: r.cfg.Workers, Replay: r.replayLine(), Width: max(r.cfg.Width-output.Margin, 0), Color: r.cfg.Color,
	}
}

// failed reports whether a test failed.
func (r *run) failed() bool { return slices.ContainsFunc(r.tests, (*test).failed) }

// ok reports whether nothing failed.
func (r *run) ok() bool { return !r.failed() && r.exit == "" && !r.late }

// unfinished reports whether tests were not run to their end for lack of time.
func (r *run) unfinished() bool { return r.partial || r.halted != nil }

// stop reports whether no more tests may run.
func (r *run) stop() bool { return r.cfg.FailFast && r.failed() }

// outOfTime reports whether a package's time is over.
func outOfTime(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errTimeout) }

// timedOut returns the message for the test in which the package's time was over, or for the
// package if it was in none.
func (r *run) timedOut() string { return "timed out after " + r.cfg.Timeout.String() }

// test runs the tests of a built package, and prints the results. The error may be an interrupt.
func (r *run) test(ctx context.Context, out io.Writer) error {
	r.began, r.teller = time.Now(), newTeller(out)
	ctx, cancel := r.cfg.bounded(ctx)
	defer cancel()
	ctx, stop := r.budgeted(ctx)
	defer stop()
	for more := true; more; more = r.exit == "" && !r.cut(ctx) && !r.stop() && r.retries() {
		if err := r.discover(ctx); err != nil {
			return err
		}
		if r.exit == "" && !r.cut(ctx) {
			if err := r.exploreAll(ctx); err != nil {
				return err
			}
		}
	}
	r.cut(ctx)
	r.teller.mu.Lock()
	defer r.teller.mu.Unlock()
	r.tell(true)
	if !r.ok() || r.told() {
		r.write(r.lastWord())
	}
	took := time.Since(r.began)
	r.write(r.timings() + r.leftBehind() + r.paces() + r.missed() + r.coveredText() + r.summary(took))
	r.done(took)
	if r.cfg.target != "" {
		return errors.Join(r.teller.err, r.halted) // the caller wants nothing more
	}
	if lost := r.remember(); lost != nil {
		fmt.Fprintf(r.cfg.Errs, "jacquard: the failures could not be stored: %v\n", lost) // they have been printed
	}
	return errors.Join(r.teller.err, r.keepCards(), r.halted)
}

// lastWord returns package testing's closing line, or a message in its place.
func (r *run) lastWord() string {
	switch {
	case r.ok() && r.unfinished() && !r.cfg.JSON, r.halted != nil && !r.failed():
		return ""
	case r.ok():
		return r.marker() + "PASS\n"
	case r.exit == "" && r.late && !r.lateIn():
		return "jacquard: " + r.timedOut() + "\n" + r.marker() + "FAIL\n"
	case r.exit == "":
		return r.marker() + "FAIL\n"
	case len(r.tests) == 0:
		return fmt.Sprintf("jacquard: the process ended before any test began (TestMain or an init function): %s\n%sFAIL\n", r.exit, r.marker())
	}
	return fmt.Sprintf("jacquard: no test failed, but the process did (TestMain?): %s\n%sFAIL\n", r.exit, r.marker())
}

// lateIn reports whether the time was over during a test.
func (r *run) lateIn() bool {
	return slices.ContainsFunc(r.tests, func(t *test) bool { return t.died == r.timedOut() })
}

// exploreAll explores the tests that are worth it, earlier failures first, and stores how far it
// got.
func (r *run) exploreAll(ctx context.Context) error {
	m, err := r.memory()
	if err != nil {
		return err
	}
	all, err := r.worthExploring(m)
	if err != nil || len(all) == 0 {
		return err
	}
	for _, x := range all {
		x.pending = true // no other goroutine runs yet
	}
	r.settleBut(all)
	if err = r.retryAll(ctx, all, r.end); err == nil {
		rest := r.unsettled(all)
		r.settleBut(rest)
		err = r.explore(ctx, rest, r.end)
	}
	if r.cfg.target != "" {
		return err // its failures were passed over, and must not be stored
	}
	if lost := m.keep(all); lost != nil {
		fmt.Fprintf(r.cfg.Errs, "jacquard: what was explored could not be stored: %v\n", lost) // the results have been printed
	}
	return err
}

// unsettled returns the tests that are still to be explored.
func (r *run) unsettled(all []*exploration) (rest []*exploration) {
	for _, x := range all {
		if x.result == nil && x.past.Done {
			x.result, x.before, x.whole = x.past.event(x.discovered), true, true
		}
		if x.result == nil && (!r.stop() || x.failed()) {
			rest = append(rest, x)
		}
	}
	return rest
}

// worthExploring returns the tests that have schedules to choose from, with what is known of them.
func (r *run) worthExploring(m memory) (all []*exploration, err error) {
	explored, failed := make(map[string]saved), make(map[string][]failure)
	if !r.cfg.Fresh {
		var unread [2]error
		explored, unread[0] = m.explored.Read()
		failed, unread[1] = m.failed.Read()
		for _, err := range unread {
			if err != nil {
				fmt.Fprintf(r.cfg.Errs, "jacquard: what earlier runs have explored is forgotten: %v\n", err) // it is only a cache
			}
		}
	}
	for _, t := range r.tests[r.kept:] {
		if t.explorable() && (!r.stop() && !r.waits(t) || t.failed()) {
			past := explored[t.name]
			if t.discovered.Found {
				past = saved{} // the failing schedule must run again
			}
			all = append(all, &exploration{test: t, quiet: r.cfg.silence, leaving: r.cfg.leaving, read: past, past: past, known: failed[t.name]})
		}
	}
	if r.cfg.seek != nil || r.cfg.target != "" {
		return all, nil // only one failure is sought
	}
	r.ledgerCards(all)
	return all, r.keptCards(all)
}

// fewest is how many schedules there must be time for if a test starts other processes: each
// schedule waits for them again, and their scheduling is not controlled.
const fewest = 50

// waits reports whether a test would spend the time for exploring on waiting for other processes.
func (r *run) waits(t *test) bool {
	return slices.Contains(t.discovered.Outside, others) && fewest*t.discovered.Took > r.cfg.Budget
}
