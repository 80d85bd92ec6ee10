package suite

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A run is that of one package's tests.
type run struct {
	program
	cfg   Config
	temp  string
	tests []*test
	text  []section // what the survey wrote
	exit  string    // how its process ended, if no test can be blamed; "" is well
	lost  string    // how a later one ended, which was to run the tests that were left, and ran none; "" is well
	seeds bool      // a fuzz target has failed, which package testing runs by itself
	idle  bool      // there was nothing to run
	late  bool      // the time was over; see timedOut
}

// flags are those of the test binary, besides -test.run.
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
	if r.cfg.FailFast {
		flags = append(flags, "-test.failfast")
	}
	if r.told() {
		flags = append(flags, "-test.v=test2json")
	}
	return append(flags, r.cfg.Args...)
}

// told reports whether all tests are told of, and not only those that fail.
func (r *run) told() bool { return r.cfg.Verbose || r.cfg.JSON }

func (r *run) request(mode protocol.Mode) protocol.Request {
	return protocol.Request{
		Mode: mode, Plan: r.cfg.Plan, Schedules: r.cfg.Schedules, Seed: r.cfg.Seed, MaxSteps: r.cfg.MaxSteps,
		Leaks: r.cfg.Leaks, Workers: r.cfg.Workers, Replay: r.replayLine(),
	}
}

// runSurvey runs each test once. A process that dies in a test, or is spoilt by
// one, is followed by another for the tests after it.
func (r *run) runSurvey(ctx context.Context) error {
	files, err := newTemp(r.binary, "")
	if err != nil {
		return err
	}
	defer files.remove()
	for {
		done := len(r.tests)
		said := &transcript{limit: surveyed}
		flags := append([]string{"-test.run=" + r.cfg.Run}, r.flags()...)
		if skip := r.skip(); skip != "" {
			flags = append(flags, "-test.skip="+skip)
		}
		p, err := r.start(ctx, r.request(protocol.Survey), files, flags, said)
		if r.late = outOfTime(ctx); r.late && err != nil {
			return nil
		} else if err != nil {
			return err
		}
		spoilt := r.listen(p)
		how := p.finish()
		if r.late = outOfTime(ctx); r.late {
			how = r.timedOut()
		} else if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		died, none := r.blame(how), len(r.tests) == done
		r.text = append(r.text, split(written(said, none && done > 0))...)
		r.seeds = r.seeds || slices.ContainsFunc(r.text, section.failsSeed)
		r.idle = len(r.tests) == 0 && strings.Contains(said.String(), noTests)
		switch {
		case none && done > 0:
			r.lost = how
		case !died && !spoilt && !r.failed():
			r.exit = how
		}
		if none || !died && !spoilt || r.late || r.stop() {
			return nil
		}
	}
}

// noTests is package testing's remark if there were neither tests nor examples nor
// fuzz targets.
const noTests = "testing: warning: no tests to run\n"

// written is what a process has written, without package testing's remark if it
// was to run the tests after one that was the last.
func written(said *transcript, none bool) string {
	if !none {
		return said.String()
	}
	return strings.ReplaceAll(said.String(), noTests, "")
}

// listen takes what a survey tells. It reports whether it is to be continued in
// another process.
func (r *run) listen(p *process) (spoilt bool) {
	for e := range p.events {
		if e.Begin {
			r.cfg.Progress(r.ImportPath + ": " + e.Test)
			r.tests = append(r.tests, &test{name: e.Test})
			continue
		}
		if n := len(r.tests); n > 0 && r.tests[n-1].name == e.Test {
			t := r.tests[n-1]
			t.survey, t.ended, t.took = e, true, e.Took
		}
		spoilt = spoilt || e.Spoilt
	}
	return spoilt
}

// blame finds the test that a process died in, and says how. It reports whether
// there is one.
func (r *run) blame(how string) bool {
	n := len(r.tests)
	if n == 0 || r.tests[n-1].ended || r.tests[n-1].died != "" {
		return false
	}
	if how == "" {
		how = "exit status 0"
	}
	r.tests[n-1].died = "the process ended in it: " + how
	if r.late {
		r.tests[n-1].died = how
	}
	return true
}

// timedOut is what is said of a test if the package's time was over in it, or of the
// package if it was over in none.
func (r *run) timedOut() string { return "timed out after " + r.cfg.Timeout.String() }

// outOfTime reports whether a package's time is over.
func outOfTime(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errTimeout) }

// stop reports whether to run nothing more.
func (r *run) stop() bool { return r.cfg.FailFast && r.failed() }

// skip is a pattern of the tests that are not to be run, or not again.
func (r *run) skip() string {
	var skip []string
	if r.cfg.Skip != "" {
		skip = append(skip, r.cfg.Skip)
	}
	for _, t := range r.tests {
		skip = append(skip, only(t.name))
	}
	return strings.Join(skip, "|")
}

// only is a pattern that only one top-level test matches.
func only(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }
