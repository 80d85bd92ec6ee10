package bundle_test

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/internal/junit"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/bundle"
)

// outcome returns the outcome of a package in a folder with a repository, with a test for each word.
func outcome(t *testing.T, hostile string) suite.Outcome {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"bank.go":      "package bank\n\nfunc Take() {\n\tbalance--\n}\n",
		"bank_test.go": "package bank\n\nfunc TestTake(t *testing.T) {\n\tTake()\n\tt.Error(1)\n}\n\nfunc TestHang(t *testing.T) {\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	tl, err := json.Marshal(timeline.Timeline{
		Verdict: "violated: check", Cause: "two took " + hostile,
		Threads: []timeline.Thread{{Name: "TestTake"}, {Name: "idle"}, {Name: "other " + hostile, CreatedBy: "TestTake", Where: "bank_test.go:4"}},
		Steps: []timeline.Step{
			{Index: 1, Op: "Lock", Object: "mu", Where: "bank.go:4", Stack: []string{"bank.Take bank.go:4"}, Holds: []string{"mu"}, Matters: true},
			{Index: 2, Op: "start", Thread: 2},
			{Index: 3, Op: "Store", Thread: 2, Where: "other.go:7", Mark: timeline.Conflict, Value: hostile},
			{Index: 4, Op: "log", Value: "bank_test.go:5: got 1", Mark: timeline.Failed | timeline.Preempted},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return suite.Outcome{
		Package: "example.com/bank", Dir: root, Root: root, Took: 2 * time.Second,
		Tests: []suite.Ended{
			{Name: "TestTake", Word: "FAIL", Took: time.Second, Timeline: tl, Output: hostile, Finding: finding.Finding{Kind: "check", Message: "bank_test.go:5: got 1" + hostile, Card: "jq2-x", Replay: "jacquard replay x", Report: "the report " + hostile, Points: 1, Schedules: 3}},
			{Name: "TestHang", Word: "SKIP", Finding: finding.Finding{Kind: "deadlock", Message: "all wait", Known: true, Signature: "0123"}},
			{Name: "TestGood", Word: "PASS", Notes: "exhausted"},
			{Name: "TestSkips", Word: "SKIP"},
			{Name: "TestSays", Word: "SKIP", Why: "bank_test.go:9: no bank on <sundays>"},
			{Name: "TestVague", Word: "SKIP", Why: "not told", Finding: finding.Finding{Reason: "it starts processes"}},
		},
	}
}

// written returns the files that a run leaves in a folder.
func written(t *testing.T, outcomes ...suite.Outcome) (r *bundle.Run, dir string, read func(name string) string) {
	t.Helper()
	dir = t.TempDir()
	r = &bundle.Run{Time: time.Date(2026, 11, 22, 16, 0, 0, 0, time.UTC), Commit: "abc"}
	for _, o := range outcomes {
		r.Add(o)
	}
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
	return r, dir, func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

func TestAnnotate(t *testing.T) {
	broken := suite.Outcome{Package: "example.com/broken", Trouble: "build failed\n100% wrong\n"}
	r, _, _ := written(t, outcome(t, ""), broken)
	var b strings.Builder
	if err := r.Annotate(&b); err != nil {
		t.Fatal(err)
	}
	want := `::error file=bank_test.go,line=5,title=TestTake (check)::bank_test.go:5: got 1%0Atwo took %0Areplay: jacquard replay x
::notice file=bank_test.go,line=8,title=TestHang (known failure)::all wait
::error title=example.com/broken::build failed%0A100%25 wrong
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
	if got, want := r.Counts().String(), "6 tests, 1 failed, 1 known to fail, 3 not run to a verdict, 1 package failed otherwise, 1 concurrent, 3 schedules"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestJUnit(t *testing.T) {
	_, _, read := written(t, outcome(t, "\x00\x1b[31m<b>&"), suite.Outcome{Package: "example.com/broken", Trouble: "build failed\n"})
	var all junit.Suites
	if err := xml.Unmarshal([]byte(strings.NewReplacer(` time="2.000"`, "", ` time="1.000"`, "").Replace(read(bundle.JUnit))), &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Suites) != 2 {
		t.Fatalf("got %d suites, want 2", len(all.Suites))
	}
	bank, broken := all.Suites[0], all.Suites[1]
	if bank.Tests != 6 || bank.Failures != 1 || bank.Skipped != 4 || broken.Tests != 1 || broken.Failures != 1 {
		t.Errorf("got %+v\n%+v", bank, broken)
	}
	if f := bank.Cases[0].Failure; f == nil || f.Kind != "check" || !strings.Contains(f.Body, "the report ") {
		t.Errorf("got %+v, want the check with its report", f)
	}
	if s := bank.Cases[3].Skipped; s == nil || s.Message != "skipped by the test" {
		t.Errorf("got %+v, want that it says so itself", s)
	}
	if s := bank.Cases[4].Skipped; s == nil || s.Message != "bank_test.go:9: no bank on <sundays>" {
		t.Errorf("got %+v, want the test's own reason", s)
	}
	if s := bank.Cases[5].Skipped; s == nil || s.Message != "it starts processes" {
		t.Errorf("got %+v, want why nothing can be said", s)
	}
}

// A page is a single file, escapes all text, and has all failures with their
// sources.
func TestPage(t *testing.T) {
	const hostile = `</script><script>alert(1)</script><img onerror=x>`
	o := outcome(t, hostile)
	plain := o.Tests[0]
	plain.Name, plain.Finding.Card = "TestPlain", ""
	o.Tests = append(o.Tests, plain)
	_, _, read := written(t, o)
	page := read(bundle.Page)
	if n := strings.Count(page, "<script"); n != 2 || strings.Contains(page, "<img") {
		t.Errorf("got %d scripts, want the page's own and its data, and no image\n%s", n, page)
	}
	if loads := regexp.MustCompile(`(?i)(?:src|href)="?[^"#]|url\(|@import|https?:`).FindString(page); loads != "" {
		t.Errorf("the page loads something: %q", loads)
	}
	for _, want := range []string{
		`<h2>TestTake <span class="pill bad">✗ check</span>`, `<h2>TestHang <span class="pill warn">known: deadlock</span>`, `<a href="#f1">TestTake</a>`,
		`<tr id="f1.1" class="step" data-at="0">`, `<tr id="f1.2" class="step aside" data-at="1">`, `"holds":["mu"]`, `"at":"bank_test.go:5"`, `\tt.Error(1)`, `"lines":["package bank"`, `\tbalance--`,
		`TestTake is stopped here, though it could go on; other `,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if strings.Contains(page, `id="f3.1"`) {
		t.Error("there are steps of a failure without a choice")
	}
	if strings.Contains(page, ">idle<") {
		t.Error("there is a column for a goroutine without a step")
	}
}

// The folders of two shards are merged: the newer record of each failure counts.
func TestMerge(t *testing.T) {
	first := outcome(t, "")
	second := first
	first.Tests, second.Tests = first.Tests[:1], second.Tests[1:]
	_, a, _ := written(t, first)
	_, b, _ := written(t, second)
	day := func(n int) finding.Sighting {
		return finding.Sighting{Time: time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC)}
	}
	old := finding.Record{Signature: "1", State: finding.Known, Subject: "p.TestA", First: day(2), Last: day(3), Runs: 4}
	fixed, other := old, finding.Record{Signature: "2", State: finding.Known, Subject: "p.TestB", First: day(9), Last: day(9)}
	fixed.State, fixed.Checked, fixed.First = finding.Fixed(nil), day(9), day(1)
	for dir, l := range map[string]finding.Ledger{a: {Format: finding.Format, Failures: []finding.Record{old, other}}, b: {Format: finding.Format, Failures: []finding.Record{fixed}}} {
		text, err := l.Text()
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, bundle.Ledger), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(t.TempDir(), "all")
	r, err := bundle.Merge(out, []string{a, b})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Counts(); n.Tests != 6 || n.Failed != 1 || len(r.Packages) != 1 {
		t.Errorf("got %+v", r)
	}
	l, err := finding.Read(filepath.Join(out, bundle.Ledger))
	if err != nil || len(l.Failures) != 2 || l.Failures[0].State != finding.Fixed(nil) || l.Failures[0].First != day(1) || l.Failures[1].Signature != "2" {
		t.Errorf("got %v, %+v", err, l)
	}
	if got := r.Word() + r.Lacks(); got != "failed" {
		t.Errorf("got %q, want no shard to be missing", got)
	}
	if _, err := bundle.Merge(out, []string{t.TempDir()}); err == nil {
		t.Error("an empty folder: got no error")
	}
}
