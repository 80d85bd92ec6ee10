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

// An Outcome is what has come of a package, for those who tell it in another way than go
// test does.
type Outcome struct {
	Package string
	Dir     string // its folder
	Root    string // that of its module
	Took    time.Duration
	Summary string // what go test says of it in a line
	Trouble string // why it failed, where no test can be blamed; "" is well
	Tests   []Ended
}

// An Ended test is what has come of one.
type Ended struct {
	Name    string
	Word    string // PASS, FAIL or SKIP
	Notes   string // what is to be said of it besides, such as how it was explored
	Output  string // what the failing schedule wrote, or its process at the end
	Took    time.Duration
	Finding finding.Finding
	// Timeline is a failure as package timeline has it; nil if nobody has seen it.
	Timeline json.RawMessage
}

// done tells of the package, if anybody has asked.
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
			e = known[0] // the search has gone on behind it
			e.Verdict = violated
		}
		ended := Ended{
			Name: t.name, Word: "FAIL", Notes: strings.TrimSpace(r.noted(t) + r.figures(t)), Output: e.Output, Took: t.took,
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

// notRun tells of a package that has no test binary.
func (c Config) notRun(p build.Program, why string) {
	if c.Done != nil {
		c.Done(Outcome{Package: p.ImportPath, Dir: p.Dir, Root: p.Module.Dir, Trouble: why})
	}
}

// finding is what is known of a test by what was said of it.
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
