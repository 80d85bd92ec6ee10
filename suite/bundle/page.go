package bundle

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/internal/page"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/suite/output"
)

//go:embed assets
var assets embed.FS

// page renders the run as one self-contained HTML page: an index, and each failure with its table,
// the source beside the steps, and what each goroutine holds after each step.
func (r *Run) page() ([]byte, error) {
	style, script := page.Style(), asset("page.js")
	v := view{
		Run: r, Counts: r.Counts(), Style: template.CSS(style), Script: template.JS(script), StyleSum: page.Sum(style), ScriptSum: page.Sum(script),
	}
	for _, p := range r.Packages {
		for i := range p.Tests {
			if t := &p.Tests[i]; t.Told() {
				v.Failures = append(v.Failures, newFailure(len(v.Failures)+1, p.Name, t))
			}
		}
	}
	var b bytes.Buffer
	if err := document().Execute(&b, v); err != nil {
		return nil, fmt.Errorf("filling the page: %w", err)
	}
	return b.Bytes(), nil
}

// tones is how many colours there are for goroutines.
const tones = 8

// document returns the parsed template of the page.
var document = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.tmpl").Funcs(template.FuncMap{"plural": output.Plural, "tone": func(thread int) int { return thread % tones }}).ParseFS(assets, "assets/page.tmpl"))
})

// asset returns the text of an embedded file.
func asset(name string) string {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // the files are embedded
	}
	return string(text)
}

// A view is the data of the template.
type view struct {
	*Run
	Counts
	Style               template.CSS
	Script              template.JS
	StyleSum, ScriptSum string // for the content security policy
	Failures            []failure
}

// A failure is the failure of one test, as the page shows it.
type failure struct {
	*Test
	ID      string
	Package string
	Details string
	Threads []thread // that have rows, with their indices in All
	Rows    []row
	Aside   int // how many rows are hidden at first
	Steps   []step
	All     []string // names of all threads
}

type thread struct {
	timeline.Thread
	Index int
}

// A row is a row of the table.
type row struct {
	Step     *timeline.Step
	At       int // index in Steps
	Aside    bool
	Switch   string // for a preemption, its description; "" for a step
	Column   int
	After    int // how many empty columns follow
	Where    string
	Conflict bool
	Failed   bool
	Resumed  bool
}

// A step is the data of a step for the script.
type step struct {
	Thread  int      `json:"t"`
	Index   int      `json:"n"`
	What    string   `json:"what"`
	Object  string   `json:"on,omitempty"`
	Func    string   `json:"func,omitempty"`
	Where   string   `json:"at,omitempty"`
	Stack   []string `json:"stack,omitempty"`
	Holds   []string `json:"holds,omitempty"`
	Outcome string   `json:"met,omitempty"`
	Marked  bool     `json:"mark,omitempty"`
}

func newFailure(n int, pkg string, t *Test) failure {
	f := failure{Test: t, ID: fmt.Sprintf("f%d", n), Package: pkg}
	if t.Timeline == nil {
		return f
	}
	tl := t.Timeline
	f.Details = strings.Join(tl.Details, "\n")
	rows, err := timeline.Rows(tl, true, 0)
	if err != nil {
		return f // readTimeline has checked it
	}
	shown, err := timeline.Rows(tl, false, 0)
	if err != nil {
		return f
	}
	matters, used := make(map[int]bool), make(map[int]bool)
	for _, r := range shown {
		if !r.Switch {
			matters[r.Step] = true
		}
	}
	for _, s := range tl.Steps {
		used[s.Thread] = true
	}
	column := make(map[int]int)
	for i, th := range tl.Threads {
		f.All = append(f.All, th.Name)
		if used[i] {
			column[i] = len(f.Threads)
			f.Threads = append(f.Threads, thread{th, i})
		}
	}
	for _, r := range rows {
		if r.Switch {
			f.Rows = append(f.Rows, row{Switch: switched(tl, r)})
			continue
		}
		s := &tl.Steps[r.Step]
		one := row{
			Step: s, At: len(f.Steps), Aside: !matters[r.Step], Column: column[s.Thread], Where: s.Where,
			Conflict: s.Mark.Has(timeline.Conflict), Failed: s.Mark.Has(timeline.Failed), Resumed: s.Mark.Has(timeline.Preempted),
		}
		one.After = len(f.Threads) - one.Column - 1
		if one.Aside {
			f.Aside++
		}
		f.Rows = append(f.Rows, one)
		f.Steps = append(f.Steps, step{
			Thread: s.Thread, Index: s.Index, What: strings.Join(strings.Fields(s.Op+" "+s.Object+" "+s.Value), " "), Object: s.Object, Func: s.Func, Where: s.Where,
			Stack: s.Stack, Holds: s.Holds, Outcome: s.Outcome, Marked: s.Mark != timeline.None,
		})
	}
	return f
}

// switched describes a preemption.
func switched(tl *timeline.Timeline, r timeline.Row) string {
	text := tl.Threads[r.From].Name + " is stopped here, though it could go on"
	if r.To >= 0 {
		text += "; " + tl.Threads[r.To].Name + " runs"
	}
	return text
}

// Empty returns the empty columns before the row's own.
func (r row) Empty() []struct{} { return make([]struct{}, r.Column) }

// Behind returns the empty columns after the row's own.
func (r row) Behind() []struct{} { return make([]struct{}, r.After) }

// Data returns the data of a failure for the script.
func (f failure) Data() any {
	return struct {
		Steps   []step   `json:"steps"`
		Threads []string `json:"threads"`
		Sources []Source `json:"sources"`
	}{f.Steps, f.All, f.Sources}
}

// Waits describes what goroutines wait for at the end.
func (f failure) Waits() (all []string) {
	for _, w := range slices.Concat(f.Timeline.Cycle, f.Timeline.Blocked) {
		text := w.Thread + " waits"
		if w.Object != "" {
			text += " for " + w.Object
		}
		if w.Holder != "" {
			how := w.How
			if how == "" {
				how = "held by"
			}
			text += ", " + how + " " + w.Holder
		}
		if w.Where != "" {
			text += " (" + w.Where + ")"
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}
