package suite

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// An Outcome is the result of a package, for callers that report it in another form than go test.
type Outcome struct {
	Package string
	Dir     string // the package's folder
	Root    string // its module's folder
	Took    time.Duration
	Summary string // go test's line for it
	Trouble string // why it failed, if not because of a test; "" if it did not
	Tests   []Ended
}

// An Ended test is the result of a test.
type Ended struct {
	Name    string
	Word    string // PASS, FAIL or SKIP
	Why     string // what the test said when it skipped itself, with the place
	Notes   string // what else to say of it, such as how it was explored
	Output  string // the output of the failing schedule, or of its process if it died
	Took    time.Duration
	Finding finding.Finding
	// Timeline is a failure's timeline as JSON; nil if no failure was recorded.
	Timeline json.RawMessage
}

// done passes the package's result to Config.Done, if that is set.
func (r *run) done(took time.Duration) {
	if r.cfg.Done == nil {
		return
	}
	o := Outcome{Package: r.ImportPath, Dir: r.Dir, Root: r.Module.Dir, Took: took, Summary: strings.TrimSpace(r.summary(took))}
	if !r.ok() && !r.failed() {
		o.Trouble = strings.TrimSuffix(strings.ReplaceAll(r.lastWord(), output.Marker, ""), "FAIL\n")
	}
	for _, t := range r.tests {
		e := t.last()
		if known := t.known(); !t.violates() && len(known) > 0 {
			e = known[0] // a known failure, which the search passed over
			e.Verdict = violated
		}
		ended := Ended{
			Name: t.name, Word: "FAIL", Why: t.discovered.Why, Notes: strings.TrimSpace(r.noted(t) + r.figures(t)), Output: e.Output, Took: t.took,
			Finding: r.finding(t, e), Timeline: e.Timeline,
		}
		ended.Finding.Report = e.Report
		if !t.failed() {
			ended.Word = t.word()
		}
		if t.died != "" {
			ended.Output, ended.Timeline = t.words, nil
		}
		o.Tests = append(o.Tests, ended)
	}
	r.cfg.Done(o)
}

// notRun reports a package that has no test binary.
func (c Config) notRun(p build.Program, why string) {
	if c.Done != nil {
		c.Done(Outcome{Package: p.ImportPath, Dir: p.Dir, Root: p.Module.Dir, Trouble: why})
	}
}

// finding returns the finding of a test from its event.
func (r *run) finding(t *test, e protocol.Event) finding.Finding {
	f := Finding(r.ImportPath+"."+t.name, e)
	f.Covered = e.Covered.Report(r.source)
	if t.died != "" {
		f.Verdict, f.Message = violated, t.died
	}
	if f.Verdict == violated {
		f.Signature, f.Known = finding.Signature(r.ImportPath, t.name, f.Kind, f.Cause), !t.failed()
		f.FoundCard = t.first.Card
	}
	if f.Card != "" {
		req := r.request(protocol.Explore)
		f.Replay = req.ReplayLine(t.name, f.Card)
	}
	return f
}
