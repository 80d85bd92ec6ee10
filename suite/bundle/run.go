package bundle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jacquard-go/jacquard/internal/finding"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/suite"
	"github.com/jacquard-go/jacquard/suite/output"
)

// Format is the version of the JSON form of a Run.
const Format = 1

// A Run is the result of a run as plain data, from which all outputs are made. Several goroutines
// may call Add at once.
type Run struct {
	Format   int       `json:"format"`
	Time     time.Time `json:"time"` // when the run began
	Commit   string    `json:"commit,omitempty"`
	Shards   []string  `json:"shards,omitempty"`
	Merged   bool      `json:"merged,omitempty"` // Shards are merged into one run
	Ended    string    `json:"ended,omitempty"`  // why the run did not finish; "" if it did
	Packages []Package `json:"packages"`

	mu sync.Mutex
}

// A Package is the result of a package.
type Package struct {
	Name    string        `json:"name"`
	Dir     string        `json:"dir"` // in the repository
	Took    time.Duration `json:"took"`
	Summary string        `json:"summary,omitempty"`
	Trouble string        `json:"trouble,omitempty"` // why the package failed, if not because of a test
	Tests   []Test        `json:"tests"`
}

// A Test is the result of a test.
type Test struct {
	Name     string             `json:"name"`
	Word     string             `json:"word"`          // PASS, FAIL or SKIP
	Why      string             `json:"why,omitempty"` // what it said when it skipped itself
	Took     time.Duration      `json:"took"`
	Notes    string             `json:"notes,omitempty"`
	Output   string             `json:"output,omitempty"`
	Finding  finding.Finding    `json:"finding"`
	Place    Place              `json:"place,omitzero"`     // of a failure
	Timeline *timeline.Timeline `json:"timeline,omitempty"` // of a failure
	Sources  []Source           `json:"sources,omitempty"`  // the source lines that the timeline names
}

// Failed reports whether the test has a failure that is not known.
func (t *Test) Failed() bool { return t.Word == "FAIL" }

// Told reports whether the test has a failure to report, known or not.
func (t *Test) Told() bool { return t.Failed() || t.Finding.Known }

// Add adds the result of a package.
func (r *Run) Add(o suite.Outcome) {
	repository := repositoryOf(o.Root)
	p := Package{Name: o.Package, Dir: below(repository, o.Dir), Took: o.Took, Summary: o.Summary, Trouble: o.Trouble}
	for _, e := range o.Tests {
		t := Test{Name: e.Name, Word: e.Word, Why: e.Why, Took: e.Took, Notes: e.Notes, Output: e.Output, Finding: e.Finding}
		if t.Told() {
			if e.Finding.Card != "" { // otherwise the test has one schedule, whose steps explain nothing
				t.Timeline = readTimeline(e.Timeline)
				placeLogs(t.Timeline, below(o.Root, o.Dir))
			}
			t.Place = placeOf(t, o, repository)
			t.Sources = sourcesOf(t.Timeline, o.Root)
		}
		p.Tests = append(p.Tests, t)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Packages = append(r.Packages, p)
}

// mostSteps is how many steps of a failure are kept, the most relevant ones.
const mostSteps = 600

// readTimeline decodes a failure's timeline; nil if there is none that can be shown.
func readTimeline(text json.RawMessage) *timeline.Timeline {
	tl := new(timeline.Timeline)
	if len(text) == 0 || json.Unmarshal(text, tl) != nil {
		return nil
	}
	rows, err := timeline.Rows(tl, len(tl.Steps) <= mostSteps, mostSteps)
	if err != nil || len(rows) == 0 {
		return nil
	}
	if len(tl.Steps) > mostSteps {
		var kept []timeline.Step
		for _, row := range rows {
			if !row.Switch {
				kept = append(kept, tl.Steps[row.Step])
			}
		}
		tl.Steps = kept
	}
	return tl
}

// Counts are the numbers of tests by result.
type Counts struct {
	Tests, Failed, Known, Skipped, Concurrent, Exhausted, Schedules int
	Broken                                                          int // packages that failed, but not because of a test
}

// Counts counts the results.
func (r *Run) Counts() (n Counts) {
	for _, p := range r.Packages {
		if p.Trouble != "" {
			n.Broken++
		}
		for _, t := range p.Tests {
			n.Tests++
			switch {
			case t.Failed():
				n.Failed++
			case t.Finding.Known:
				n.Known++
			case t.Word == "SKIP":
				n.Skipped++
			}
			if f := t.Finding; f.Points > 0 {
				n.Concurrent++
				n.Schedules += f.Schedules
				if f.Exhausted {
					n.Exhausted++
				}
			}
		}
	}
	return n
}

// OK reports whether nothing failed.
func (n Counts) OK() bool { return n.Failed+n.Broken == 0 }

// String returns the counts in one line.
func (n Counts) String() string {
	parts := []string{output.Plural(n.Tests, "test")}
	for _, part := range []struct {
		n    int
		what string
	}{{n.Failed, "failed"}, {n.Known, "known to fail"}, {n.Skipped, "not run to a verdict"}} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	if n.Broken > 0 {
		parts = append(parts, output.Plural(n.Broken, "package")+" failed otherwise")
	}
	if n.Concurrent > 0 {
		parts = append(parts, fmt.Sprintf("%d concurrent, %s", n.Concurrent, output.Plural(n.Schedules, "schedule")))
	}
	if n.Exhausted > 0 {
		parts = append(parts, fmt.Sprintf("%d exhausted", n.Exhausted))
	}
	return strings.Join(parts, ", ")
}

// read reads a Run from a file.
func read(file string) (*Run, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := new(Run)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if r.Format != Format {
		return nil, fmt.Errorf("%s: format: got %d, want %d", file, r.Format, Format)
	}
	return r, nil
}

// sort sorts packages by name, and keeps their tests in the order in which they ran.
func (r *Run) sort() {
	slices.SortStableFunc(r.Packages, func(a, b Package) int { return cmp.Compare(a.Name, b.Name) })
}

// Merge adds another shard of the same run.
func (r *Run) Merge(other *Run) {
	if r.Time.IsZero() || other.Time.Before(r.Time) {
		r.Time = other.Time
	}
	r.Format, r.Merged, r.Commit, r.Ended = Format, true, cmp.Or(r.Commit, other.Commit), cmp.Or(r.Ended, other.Ended)
	r.Shards = append(r.Shards, other.Shards...)
	for _, p := range other.Packages {
		i := slices.IndexFunc(r.Packages, func(q Package) bool { return q.Name == p.Name })
		if i < 0 {
			r.Packages = append(r.Packages, p)
			continue
		}
		q := &r.Packages[i]
		q.Took += p.Took
		q.Tests = append(q.Tests, p.Tests...)
		q.Trouble = cmp.Or(q.Trouble, p.Trouble)
		q.Summary = strings.Trim(q.Summary+"\n"+p.Summary, "\n")
	}
	r.sort()
}
