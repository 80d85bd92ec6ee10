package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/coverage/page"
)

// covers reports whether coverage was requested.
func (c Config) covers() bool { return c.Covered || c.CoveredHTML != "" }

// covered returns the merged coverage of all tests of the package.
func (r *run) covered() *coverage.Listing {
	all := new(coverage.Listing)
	for _, t := range r.tests {
		all.Merge(t.last().Covered)
	}
	return all
}

// coveredText returns the text of the coverage, if it is to be printed.
func (r *run) coveredText() string {
	if !r.cfg.Covered || r.cfg.JSON {
		return ""
	}
	return r.covered().Text("jacquard", r.source, r.shown)
}

// source reads a file by the name that the compiler recorded.
func (r *run) source(file string) ([]byte, error) { return os.ReadFile(r.path(file)) }

// path returns the path of a file by the name that the compiler recorded.
func (r *run) path(file string) string {
	if rest, ok := strings.CutPrefix(file, r.Module.Path+"/"); ok && !filepath.IsAbs(file) {
		return filepath.Join(r.Module.Dir, filepath.FromSlash(rest))
	}
	return file
}

// shown returns a file's name for a screen: relative to the package's folder if it is in there,
// else to the module's.
func (r *run) shown(file string) string {
	path := r.path(file)
	if filepath.Dir(path) == r.Dir {
		return filepath.Base(path)
	}
	if below, err := filepath.Rel(r.Module.Dir, path); err == nil && filepath.IsLocal(below) {
		return filepath.ToSlash(below)
	}
	return file
}

// A coveredPage collects the data for the coverage page of a run; nil if none was requested.
type coveredPage struct{ page.Run }

func newCoveredPage(c Config) *coveredPage {
	if c.CoveredHTML == "" {
		return nil
	}
	return new(coveredPage)
}

// take adds a package.
func (p *coveredPage) take(r *run) {
	if p != nil {
		p.Packages = append(p.Packages, page.Package{Name: r.ImportPath, Listing: r.covered(), Source: r.source, Shown: r.shown})
	}
}

// close writes the page.
func (p *coveredPage) close(file string) error {
	if p == nil {
		return nil
	}
	text, err := p.HTML()
	if err == nil {
		err = os.WriteFile(file, text, 0o666)
	}
	if err != nil {
		return fmt.Errorf("the page on what was covered: %w", err)
	}
	return nil
}
