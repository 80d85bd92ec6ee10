// Package page writes what package coverage says as one HTML page over the source, which
// needs nothing else and loads nothing.
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

// A Run is what a page shows.
type Run struct{ Packages []Package }

// A Package is what the tests of one did.
type Package struct {
	Name    string
	Listing *coverage.Listing
	Source  coverage.Sources
	Shown   func(file string) string
}

// A view is what the template has of a package.
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

// A line is one of the source. A gap stands for some that nothing is said of.
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

// HTML is the page.
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

// around is how many lines are shown on either side of one that something is said of.
const around = 4

// file is the part of a file that something is said of.
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
		source = nil // the lines are told without their text
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

// near reports whether something is said of a line, or of one that is not far.
func near(notes map[int][]note, line int) bool {
	for n := line - around; n <= line+around; n++ {
		if notes[n] != nil {
			return true
		}
	}
	return false
}

// Class is the colour of a line: of what was not met, if there is anything.
func (l line) Class() string {
	switch {
	case len(l.Notes) == 0:
		return ""
	case slices.ContainsFunc(l.Notes, func(n note) bool { return !n.Met }):
		return "missed"
	}
	return "met"
}
