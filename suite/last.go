package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/internal/toolchain"
	"github.com/jacquard-go/jacquard/suite/ledger"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// A Failed is a failure that an earlier run has found, with the configuration of its test.
type Failed struct {
	Package, Test string
	Card          string
	FoundCard     string `json:",omitempty"` // of the schedule before reduction
	When          time.Time
	Folder        string // the go command ran there
	Dir           string // of the package

	NoRace           bool           `json:",omitempty"`
	Tags, BuildFlags []string       `json:",omitempty"`
	Short            bool           `json:",omitempty"`
	Parallel         int            `json:",omitempty"`
	Leaks            protocol.Leaks `json:",omitempty"`
	Run, Skip        string         `json:",omitempty"`
	Args             []string       `json:",omitempty"`
}

// ErrNoFailure means that no run has found such a failure.
var ErrNoFailure = errors.New("no failure is known")

// mostFailed bounds the remembered failures of all tests together: the newest of each.
const mostFailed = 200

// newest returns the file of these failures.
func newest(cache string) (ledger.File[Failed], error) {
	dir, err := toolchain.CacheDir(cache)
	return ledger.File[Failed]{Dir: filepath.Join(dir, "failed"), Name: "newest"}, err
}

// Set sets in cfg the values of the run that found the failure.
func (f Failed) Set(cfg *Config) {
	cfg.Dir, cfg.NoRace, cfg.Tags, cfg.BuildFlags, cfg.Short, cfg.Parallel = f.Folder, f.NoRace, f.Tags, f.BuildFlags, f.Short, f.Parallel
	cfg.Leaks, cfg.Run, cfg.Skip, cfg.Args = f.Leaks, f.Run, f.Skip, f.Args
}

// remember stores the failures of a package as the newest of their tests.
func (r *run) remember() error {
	var found []Failed
	for _, t := range r.tests {
		if e := t.last(); t.violates() && e.Card != "" {
			found = append(found, r.way(t, e))
		}
	}
	if len(found) == 0 {
		return nil
	}
	l, err := newest(r.cfg.Cache)
	if err != nil {
		return err
	}
	return l.Update(func(known map[string]Failed) {
		for _, f := range found {
			known[f.Dir+" "+f.Test] = f
		}
		for len(known) > mostFailed {
			oldest := ""
			for key, f := range known {
				if oldest == "" || f.When.Before(known[oldest].When) {
					oldest = key
				}
			}
			delete(known, oldest)
		}
	})
}

func (r *run) way(t *test, e protocol.Event) Failed {
	c := r.cfg
	folder, err := filepath.Abs(c.Dir)
	if err != nil {
		folder = r.Dir
	}
	return Failed{
		Package: r.ImportPath, Test: t.name, Card: e.Card, FoundCard: t.first.Card, When: time.Now(), Folder: folder, Dir: r.Dir,
		NoRace: c.NoRace, Tags: c.Tags, BuildFlags: c.BuildFlags, Short: c.Short, Parallel: c.Parallel, Leaks: c.Leaks,
		Run: deep(c.Run), Skip: deep(c.Skip), Args: c.Args,
	}
}

// Newest returns the newest known failure of a test, or of any test if name is empty. Unless name
// includes a package, only tests in cfg's Dir and below count. The error wraps ErrNoFailure.
func Newest(cfg Config, name string) (Failed, error) {
	l, err := newest(cfg.Cache)
	if err != nil {
		return Failed{}, err
	}
	known, err := l.Read()
	if err != nil {
		return Failed{}, err
	}
	here, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return Failed{}, err
	}
	var fits []Failed
	for _, f := range known {
		if _, gone := os.Stat(f.Dir); gone == nil && f.is(name, here) {
			fits = append(fits, f)
		}
	}
	if len(fits) == 0 {
		what := "any test"
		if name != "" {
			what = name
		}
		return Failed{}, fmt.Errorf("%w of %s in %s: want its card, or jacquard test that finds it", ErrNoFailure, what, here)
	}
	return slices.MaxFunc(fits, func(a, b Failed) int { return a.When.Compare(b.When) }), nil
}

// is reports whether the failure's test has that name.
func (f Failed) is(name, here string) bool {
	pkg, test, ok := ParseSubject(name)
	switch {
	case ok && strings.HasPrefix(pkg, "."):
		return f.Test == test && straight(f.Dir) == straight(filepath.Join(here, pkg))
	case ok:
		return f.Test == test && f.Package == pkg
	}
	below, err := filepath.Rel(straight(here), straight(f.Dir))
	return (name == "" || f.Test == name) && err == nil && filepath.IsLocal(below)
}

// straight returns a path without symbolic links, because a module may be entered by several.
func straight(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}
