package suite

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// discover runs each test once. A process that dies in a test, or is spoilt by
// one, is followed by another for the tests after it.
func (r *run) discover(ctx context.Context) error {
	files, err := newTemp(r.binary, "")
	if err != nil {
		return err
	}
	defer files.remove()
	for {
		done, whole := len(r.tests), len(r.tests)+len(r.elsewhere()) == 0
		said := &child.Words{Limit: mostDiscovered}
		flags := append([]string{"-test.run=" + r.cfg.Run}, r.flags()...)
		if skip := r.skip(); skip != "" {
			flags = append(flags, "-test.skip="+skip)
		}
		req := r.request(protocol.Discover)
		req.FailFast = r.cfg.FailFast
		p, err := r.start(ctx, req, files, flags, said)
		if err != nil && r.cut(ctx) {
			return nil
		} else if err != nil {
			return err
		}
		spoilt := r.listen(p)
		how := p.finish()
		ended := early(p.Cause())
		if r.cut(ctx); r.late {
			how = r.timedOut()
		}
		if ended {
			r.text = append(r.text, split(said.String())...)
			r.begunOnly()
			if r.partial = ctx.Err() != nil; r.partial {
				return nil
			}
			continue
		}
		died, none := r.blame(how), len(r.tests) == done
		r.text = append(r.text, split(written(said, none && done > 0))...)
		r.idle = len(r.tests) == 0 && strings.Contains(said.String(), noTests)
		switch failed := slices.ContainsFunc(r.tests, (*test).violates); {
		case how == "" || died || spoilt:
		case none && done > 0 && (failed || len(r.remaining()) > 0):
			r.lost = how
		case whole && !failed:
			r.exit = how
		case !failed:
			if err := r.outright(ctx, files, how); err != nil {
				return err
			}
		}
		if none || !died && !spoilt || r.late || r.spent || r.halted != nil || r.stop() {
			return nil
		}
	}
}

// outright runs the package whole and without control, as go test does, after a process
// that ran some of its tests only has failed, though none of them has: TestMain may want
// all to have run. It says how the package ends.
func (r *run) outright(ctx context.Context, files *temp, partly string) error {
	r.cfg.Progress(r.ImportPath + ": whole, without control")
	cmd := exec.Command(r.binary, append([]string{"-test.run=" + r.cfg.Run, "-test.skip=" + r.cfg.Skip}, r.flags()...)...)
	cmd.Dir, cmd.Env = r.Dir, append(environment(r.listed, r.temp), files.entry())
	said, most := &child.Words{Limit: mostDiscovered}, max(r.left()/2, overtime)
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	p, err := child.Start(ctx, cmd, child.Options{Words: said, Output: true, Grace: dumpTime})
	if err != nil {
		return fmt.Errorf("running the tests without control: %w", err)
	}
	switch how := p.Wait(); {
	case ctx.Err() != nil:
		fmt.Fprintf(r.cfg.Errs, "jacquard: %s: the process that ran some of the tests ended with %s, and whether one that runs all of them would was not found out within %v\n", r.ImportPath, partly, most.Round(time.Millisecond))
	case !how.OK():
		r.exit = "run whole and without control: " + how.String()
		r.text = append(r.text, split(said.String())...)
	}
	return nil
}

// The limits of what is kept of a process's output: what a test writes in its one
// schedule of the discovery run is printed, what it writes in thousands of schedules is of
// interest only if the process dies.
const (
	mostDiscovered = 8 << 20
	explored       = 32 << 10
)

// noTests is package testing's remark if there were neither tests nor examples nor
// fuzz targets.
const noTests = "testing: warning: no tests to run\n"

// written is what a process has written, without package testing's remark if it
// was to run the tests after one that was the last.
func written(said *child.Words, none bool) string {
	if !none {
		return said.String()
	}
	return strings.ReplaceAll(said.String(), noTests, "")
}

// listen takes what a discovery run tells. It reports whether it is to be continued in
// another process.
func (r *run) listen(p *process) (spoilt bool) {
	alarm := time.AfterFunc(time.Hour, func() { p.End(errBudget) })
	alarm.Stop() // until a test begins
	defer alarm.Stop()
	for e, more := p.next(); more; e, more = p.next() {
		if e.Begin {
			r.cfg.Progress(r.ImportPath + ": " + e.Test)
			r.tests = append(r.tests, &test{name: e.Test, pass: r.cfg.book.pass(r.ImportPath, e.Test)})
			alarm.Reset(max(r.left()/2, overtime)) // so that the others have some
			continue
		}
		alarm.Stop()
		if n := len(r.tests); n > 0 && r.tests[n-1].name == e.Test {
			t := r.tests[n-1]
			t.discovered, t.ended, t.took = e, true, e.Took
			if e.Verdict == violated {
				r.announce(t, e)
			}
		}
		spoilt = spoilt || e.Spoilt
	}
	return spoilt
}

// begunOnly takes note of the test, if there is one, that there was no time for.
func (r *run) begunOnly() {
	if n := len(r.tests); n > 0 && !r.tests[n-1].ended {
		t := r.tests[n-1]
		t.cut, t.discovered.Verdict, t.discovered.Reason = true, unknown, "there was no time for its first schedule"
	}
}

// blame finds the test that a process died in, and says how. It reports whether
// there is one.
func (r *run) blame(how string) bool {
	n := len(r.tests)
	if n == 0 || r.tests[n-1].ended || r.tests[n-1].died != "" || r.tests[n-1].cut {
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
	for _, name := range r.elsewhere() {
		skip = append(skip, only(name))
	}
	return strings.Join(skip, "|")
}

// only is a pattern that only one top-level test matches.
func only(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }
