package timeline

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
)

//go:embed assets
var assets embed.FS

// HTML writes tl as one HTML page, with one write to w. The page is self-contained: style and
// script are inside, it loads nothing from a network, and
// it works from file://. It shows what [Text] shows, and draws the steps as a
// timeline with one lane per thread that can be zoomed and panned with the
// mouse or the keyboard. Pointing at a step, or moving to it with the arrow
// keys, shows all that is known of it, its stack included.
//
// At first the page shows the steps that matter. The part of its address after
// "#" may ask for more: "#all" for every step, "#step=9" for the step with
// that index, "#zoom=50" for half the size, or several joined by "&". Without
// a script the page shows the table of [Text] instead.
//
// No text of tl is treated as markup or script: it is escaped, and the page's content security
// policy allows only this package's script and style.
//
// The same timeline gives the same bytes. Their number is linear in the steps;
// the browser holds the elements of those in view only. The error is one of w,
// or wraps [ErrInvalid].
func HTML(w io.Writer, tl *Timeline) error {
	if err := tl.check(); err != nil {
		return fmt.Errorf("timeline: %w", err)
	}
	var b bytes.Buffer
	if err := document().Execute(&b, newView(tl)); err != nil {
		return fmt.Errorf("timeline: filling the HTML page: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("timeline: writing HTML: %w", err)
	}
	return nil
}

// document returns the template of the page. It is parsed when the first page is written, so that
// programs that write none do not pay for it.
var document = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.tmpl").ParseFS(assets, "assets/page.tmpl"))
})

// asset returns the text of an embedded file.
func asset(name string) string {
	raw, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // the files are embedded
	}
	return string(raw)
}

// A view is the data of the template. Its strings contain only printable characters; the template
// escapes them.
type view struct {
	Style               template.CSS
	Script              template.JS
	StyleSum, ScriptSum string // for the content security policy

	Title, Verdict string
	Tone           string // class of the verdict: good, bad or warn
	Sign           string // the same as a sign
	Details        []string

	Chart  *chart // nil if no step was recorded
	Plain  string // the table for browsers without scripts
	Cause  string
	Blame  string
	Ring   *ring
	Chains [][]hop
	Waits  []waitView
	Races  []raceView

	Footer []string
	Replay string
}

type waitView struct{ Thread, Sentence, Where string }

type raceView struct {
	Title    string
	Accesses []accessView
}

type accessView struct {
	Who    string
	Frames []frameView
}

type frameView struct{ Func, Where string }

func newView(tl *Timeline) *view {
	style, script := asset("page.css"), wholeScript()
	v := &view{
		Style: template.CSS(style), StyleSum: sum(style),
		Script: template.JS(script), ScriptSum: sum(script),
		Title: clean(tl.Title), Verdict: clean(tl.Verdict),
		Cause: clean(tl.Cause), Blame: clean(tl.Blame), Waits: waitViews(tl), Replay: clean(tl.Replay),
		Details: allLines(tl.Details), Footer: allLines(tl.Footer),
	}
	v.Tone, v.Sign = tone(tl.Verdict)
	if len(tl.Steps) > 0 {
		v.Chart, v.Plain = newChart(tl), plainTable(tl)
	}
	if v.Ring = newRing(tl.Cycle); v.Ring == nil {
		v.Chains = chains(tl.Cycle)
	}
	for _, r := range tl.Races {
		v.Races = append(v.Races, newRaceView(r))
	}
	return v
}

// wholeScript returns the script of the page: its files in order, inside one function.
func wholeScript() string {
	return "(() => {\n" + asset("base.js") + asset("draw.js") + asset("input.js") + "})();\n"
}

// sum returns the name of a text in a content security policy.
func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(s[:])
}

func tone(verdict string) (class, sign string) {
	switch verdictStyle(verdict) {
	case bad:
		return "bad", "✗"
	case good:
		return "good", "✓"
	}
	return "warn", "?"
}

// allLines returns the lines of all texts, each made printable.
func allLines(texts []string) []string {
	var all []string
	for _, text := range texts {
		for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
			all = append(all, clean(strings.ReplaceAll(l, "\t", "    ")))
		}
	}
	return all
}

// plainTable returns the table of [Text].
func plainTable(tl *Timeline) string {
	p := &page{width: defaultWidth}
	p.steps(tl, Options{MaxRows: screen}.withDefaults())
	return strings.Trim(p.text.String(), "\n")
}

func waitViews(tl *Timeline) []waitView {
	var all []waitView
	for _, w := range everyWait(tl.Cycle, tl.Blocked) {
		all = append(all, waitView{clean(w.Thread), clean(sentence(w)), clean(w.Where)})
	}
	return all
}

func newRaceView(r Race) raceView {
	v := raceView{Title: clean(raceTitle(r))}
	for _, a := range r.Accesses {
		access := accessView{Who: clean(accessTitle(a))}
		for _, frame := range a.Stack {
			fn, at := splitFrame(frame)
			access.Frames = append(access.Frames, frameView{fn, at})
		}
		v.Accesses = append(v.Accesses, access)
	}
	return v
}
