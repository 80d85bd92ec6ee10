// Package page writes coverage as one self-contained HTML page over the source, which
// loads nothing else.
package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/page"
)

//go:embed assets
var assets embed.FS

// A Run is the content of a page.
type Run struct{ Packages []Package }

// A Package is the coverage of one package's tests.
type Package struct {
	Name    string
	Listing *coverage.Listing
	Source  coverage.Sources
	Shown   func(file string) string
}

// A view is the template's data for a package.
type view struct {
	Name              string
	Met, Of           int
	Both, Pairs       int
	Files             []file
	MetPart, PairPart string
}

type file struct {
	Name    string
	Met, Of int
	Lines   []line
}

// A line is a line of source. Gap says that lines without notes were left out before it.
type line struct {
	Number int
	Text   string
	Gap    bool
	Notes  []note
}

type note struct {
	Text string
	Met  bool
}

// HTML returns the page.
func (r *Run) HTML() ([]byte, error) {
	own, err := assets.ReadFile("assets/page.css")
	if err != nil {
		return nil, err
	}
	style := page.Style() + string(own)
	t, err := template.New("page.tmpl").ParseFS(assets, "assets/page.tmpl")
	if err != nil {
		return nil, err
	}
	v := struct {
		Style    template.CSS
		StyleSum string
		Packages []view
	}{template.CSS(style), page.Sum(style), nil}
	for _, p := range r.Packages {
		v.Packages = append(v.Packages, p.view())
	}
	var b bytes.Buffer
	if err := t.Execute(&b, v); err != nil {
		return nil, fmt.Errorf("filling the page: %w", err)
	}
	return b.Bytes(), nil
}

func (p *Package) view() view {
	all, pairs := p.Listing.Requirements(p.Source), p.Listing.Pairs()
	ways := coverage.OneWays(pairs)
	v := view{Name: p.Name, Met: coverage.Met(all), Of: len(all), Both: len(pairs) - len(ways), Pairs: len(pairs)}
	v.MetPart, v.PairPart = coverage.Percent(v.Met, v.Of), coverage.Percent(v.Both, v.Pairs)
	notes, files := make(map[string]map[int][]note), []string(nil)
	add := func(s coverage.Spot, n note) {
		if notes[s.File] == nil {
			notes[s.File] = make(map[int][]note)
			files = append(files, s.File)
		}
		notes[s.File][s.Line] = append(notes[s.File][s.Line], n)
	}
	for _, r := range all {
		if r.Met == 0 {
			add(r.Spot, note{fmt.Sprintf("%s (0 of %d)", r.Missing, r.Of), false})
		} else {
			add(r.Spot, note{fmt.Sprintf("%s %s: %d of %d", r.Op, r.Want, r.Met, r.Of), true})
		}
	}
	for _, w := range ways {
		add(w.First, note{w.Missing(p.Shown), false})
	}
	slices.Sort(files)
	for _, name := range files {
		v.Files = append(v.Files, p.file(name, notes[name]))
	}
	return v
}

// around is how many lines are shown on either side of a line with notes.
const around = 4

// file returns the parts of a file with notes.
func (p *Package) file(name string, notes map[int][]note) file {
	f := file{Name: p.Shown(name)}
	for _, all := range notes {
		for _, n := range all {
			f.Of++
			if n.Met {
				f.Met++
			}
		}
	}
	text, err := p.Source(name)
	source := strings.Split(string(text), "\n")
	if err != nil {
		source = nil // lines are shown without their text
	}
	most := len(source)
	for n := range notes {
		most = max(most, n)
	}
	gap := false
	for n := 1; n <= most; n++ {
		if !near(notes, n) {
			gap = true
			continue
		}
		l := line{Number: n, Notes: notes[n], Gap: gap && len(f.Lines) > 0}
		if gap = false; n <= len(source) {
			l.Text = source[n-1]
		}
		f.Lines = append(f.Lines, l)
	}
	return f
}

// near reports whether a line, or one close to it, has notes.
func near(notes map[int][]note, line int) bool {
	for n := line - around; n <= line+around; n++ {
		if notes[n] != nil {
			return true
		}
	}
	return false
}

// Class is the style class of a line: missed, if any of its requirements was not met.
func (l line) Class() string {
	switch {
	case len(l.Notes) == 0:
		return ""
	case slices.ContainsFunc(l.Notes, func(n note) bool { return !n.Met }):
		return "missed"
	}
	return "met"
}
