package suite

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/child"
	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
	"github.com/jacquard-go/jacquard/suite/scratch"
)

// discover runs each test once. If a process dies in a test, or is spoilt by one, another process
// runs the tests after it.
func (r *run) discover(ctx context.Context) error {
	files, err := scratch.New(r.Binary, "")
	if err != nil {
		return err
	}
	defer files.Remove()
	partly := "" // why the result may differ from go test's
	for more := true; more; {
		done, whole := len(r.tests), !r.again && len(r.tests)+len(r.elsewhere()) == 0
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
			r.text = append(r.text, output.Split(said.String())...)
			r.begunOnly()
			if r.partial = ctx.Err() != nil; r.partial {
				return nil
			}
			continue
		}
		died, none := r.blame(how, said.String()), len(r.tests) == done
		r.text = append(r.text, output.Split(written(said, none && done > 0))...)
		r.idle = len(r.tests) == 0 && strings.Contains(said.String(), noTests)
		switch failed := slices.ContainsFunc(r.tests, (*test).violates); {
		case how == "" || died || spoilt:
		case none && done > 0 && len(r.remaining()) > 0:
			partly = r.lose(how, said.String())
		case whole && !failed:
			r.exit = how
		case !failed:
			partly = "the process that ran some of the tests ended with " + how
		}
		more = !none && (died || spoilt) && !r.late && !r.spent && r.halted == nil && !r.stop()
	}
	if partly = cmp.Or(partly, r.refused()); partly == "" || r.late || r.spent || r.halted != nil || slices.ContainsFunc(r.tests, (*test).violates) {
		return nil
	}
	return r.outright(ctx, files, partly)
}

// lose records the remaining tests as not run when a process for them ended before one began, and
// returns the reason: TestMain may need to be the only one, or the first.
func (r *run) lose(how, said string) (why string) {
	why = fmt.Sprintf("the process that was to run the tests after %s %s", r.tests[len(r.tests)-1].name, refusal(how, said))
	for _, name := range r.remaining() {
		t := &test{name: name, pass: r.cfg.book.pass(r.ImportPath, name)}
		t.discovered = protocol.Event{Test: name, Verdict: unknown, Reason: "not run: " + why}
		r.tests = append(r.tests, t)
	}
	return why
}

// refused returns why a test could not be run in another process beside the others'; "" if each
// test could that had to.
func (r *run) refused() string {
	for _, t := range r.tests[r.kept:] {
		if t.discovered.Refused {
			return t.discovered.Reason
		}
	}
	return ""
}

// outright runs the whole package without control, as go test does, if no test has failed but a
// process that ran only some of them, or none, has: TestMain may need all of them to run, or no
// other process. It prints how the package ends.
func (r *run) outright(ctx context.Context, files *scratch.Folder, partly string) error {
	r.cfg.Progress(r.ImportPath + ": whole, without control")
	cmd := r.plain(files, r.cfg.Run)
	said, most := &child.Words{Limit: mostDiscovered}, max(r.left()/2, overtime)
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	p, err := child.Start(ctx, cmd, child.Options{Words: said, Output: true, Grace: dumpTime})
	if err != nil {
		return fmt.Errorf("running the tests without control: %w", err)
	}
	switch how := p.Wait(); {
	case ctx.Err() != nil:
		fmt.Fprintf(r.cfg.Errs, "jacquard: %s: %s, and whether go test fails is not known: it took longer than %v\n", r.ImportPath, partly, most.Round(time.Millisecond))
	case !how.OK() && !output.Ended.MatchString(said.String()) && r.refuses(ctx, files):
		fmt.Fprintf(r.cfg.Errs, "jacquard: %s: %s, and whether go test fails is not known: a process without control ended so too\n", r.ImportPath, partly)
	case !how.OK():
		r.exit = "run whole and without control: " + how.String()
		r.text = append(r.text, output.Split(said.String())...)
	}
	return nil
}

// plain returns a command that runs the tests that match a pattern without control.
func (r *run) plain(files *scratch.Folder, pattern string) *exec.Cmd {
	cmd := exec.Command(r.Binary, append([]string{"-test.run=" + pattern, "-test.skip=" + r.cfg.Skip}, r.flags()...)...)
	cmd.Dir, cmd.Env = r.Dir, append(environment(r.Package, r.temp), files.Entry())
	return cmd
}

// refuses reports whether a process that is to run no test fails before package testing prints its
// closing line.
func (r *run) refuses(ctx context.Context, files *scratch.Folder) bool {
	said := &child.Words{Limit: mostDiscovered}
	p, err := child.Start(ctx, r.plain(files, protocol.NoTest), child.Options{Words: said, Output: true, Grace: dumpTime})
	return err == nil && !p.Wait().OK() && !output.Ended.MatchString(said.String())
}

// The limits of a process's output that is kept, in bytes: what a test writes in its one schedule
// of the discovery run is printed; what it writes in thousands of schedules matters only if the
// process dies.
const (
	mostDiscovered = 8 << 20
	explored       = 32 << 10
)

// noTests is package testing's warning if there are no tests, examples or fuzz targets.
const noTests = "testing: warning: no tests to run\n"

// written returns what a process has written, without that warning if the process was to run the
// tests after the last one.
func written(said *child.Words, none bool) string {
	if !none {
		return said.String()
	}
	return strings.ReplaceAll(said.String(), noTests, "")
}

// listen receives the events of a discovery run. It reports whether another process must continue
// it.
func (r *run) listen(p *process) (spoilt bool) {
	alarm := time.AfterFunc(time.Hour, func() { p.End(errBudget) })
	alarm.Stop() // until a test begins
	defer alarm.Stop()
	var began time.Time
	for e, more := p.next(); more; e, more = p.next() {
		if e.Begin {
			began = time.Now()
			r.cfg.Progress(r.ImportPath + ": " + e.Test)
			r.tests = append(r.tests, &test{name: e.Test, pass: r.cfg.book.pass(r.ImportPath, e.Test)})
			if t := r.tests[len(r.tests)-1]; len(r.tests) > 1 || len(r.remaining()) > 0 {
				t.left = r.left()
				alarm.Reset(r.firstTime())
			} else {
				alarm.Reset(r.left())
			}
			continue
		}
		n := len(r.tests)
		if e.Found && n > 0 {
			r.tests[n-1].first, r.tests[n-1].first.Took = e, time.Since(began)
			alarm.Reset(r.firstTime()) // so that the test can still be explored
			continue
		}
		alarm.Stop()
		if n > 0 && r.tests[n-1].name == e.Test {
			t := r.tests[n-1]
			t.discovered, t.ended, t.took, t.first = e, true, e.Took, protocol.Event{}
			if e.Verdict == violated {
				r.announce(t, e)
			}
		}
		spoilt = spoilt || e.Spoilt
	}
	return spoilt
}

// begunOnly records the test, if any, whose first schedule ran out of time. A test that failed in
// it is still explored if there is time: exploring tries the failure again, and that result counts.
func (r *run) begunOnly() {
	if n := len(r.tests); n > 0 && !r.tests[n-1].ended {
		t := r.tests[n-1]
		f := t.first
		t.cut, t.discovered.Verdict, t.discovered.Reason = !f.Found, unknown, "its first schedule did not end in its share of the time"
		if f.Found {
			t.ended, t.first = true, protocol.Event{}
			t.discovered.Found, t.discovered.Concurrent, t.discovered.Took = true, true, f.Took
			t.discovered.Schedules, t.discovered.Distinct = 1, 1
			seenOnce(&t.discovered, f, "its share of the budget was over")
			r.announce(t, protocol.Event{Kind: f.Kind, Cause: f.Cause, Message: oneLine(f.Message) + " (" + f.Kind + ", in its first schedule; there was no time to try that again)"})
		}
	}
}

// blame records how a process died in the test that was running. It reports whether there was such
// a test.
func (r *run) blame(how, said string) bool {
	n := len(r.tests)
	if n == 0 || r.tests[n-1].ended || r.tests[n-1].died != "" || r.tests[n-1].cut {
		return false
	}
	t, why := r.tests[n-1], output.GaveUp(how, said)
	switch {
	case r.late:
		t.died = how
	case why != "":
		t.discovered.Verdict, t.discovered.Reason, t.ended = unknown, why, true
	default:
		t.died = "the process ended in it: " + word(how)
	}
	return true
}

// skip returns a pattern for the tests that must not be run, or not again.
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

// only returns a pattern that matches exactly one top-level test.
func only(name string) string { return "^" + regexp.QuoteMeta(name) + "$" }
