package suite

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/suite/protocol"
)

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
		req := r.request(protocol.Survey)
		req.FailFast = r.cfg.FailFast
		p, err := r.start(ctx, req, files, flags, said)
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
