package suite

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jacquard-go/jacquard/suite/build"
)

// WithBinary returns cfg with an existing test binary.
func WithBinary(cfg Config, binary string) Config {
	return WithBuild(cfg, func() (string, error) { return binary, nil })
}

// WithBuild returns cfg with another way to build a test binary.
func WithBuild(cfg Config, do func() (binary string, err error)) Config {
	cfg.build = func(context.Context, build.Package) (string, error) { return do() }
	return cfg
}

// WithKnownTime returns cfg with another time limit for one known failure.
func WithKnownTime(cfg Config, d time.Duration) Config {
	cfg.knownTime = d
	return cfg
}

// WithSilence returns cfg with another bound on how long the process of a quick test may
// be silent.
func WithSilence(cfg Config, d time.Duration) Config {
	cfg.silence = d
	return cfg
}

// WithLeaving returns cfg with another bound on how long a process may take to end after its last event.
func WithLeaving(cfg Config, d time.Duration) Config {
	cfg.leaving = d
	return cfg
}

// WithOver returns cfg for packages whose time is over when ctx ends.
func WithOver(cfg Config, ctx context.Context) Config {
	cfg.over = ctx
	return cfg
}

// Silence returns how long the process of a test may be silent, by how long the test takes.
func Silence(took time.Duration) time.Duration {
	x := &exploration{test: &test{}, quiet: silence}
	x.discovered.Took = took
	return x.silence()
}

// Share returns how many processes each unfinished test may have.
func Share(workers, tests, done int) int {
	d := &division{run: &run{cfg: Config{Workers: workers}}, all: make([]*exploration, tests), done: done}
	return d.share()
}

// WhyEarly returns why a test was not explored to its end.
var WhyEarly = whyEarly

// Times returns how many times the time left is advised for a test that was cut off.
var Times = times

// The causes of the end of an exploration.
var (
	ErrBudget  = errBudget
	ErrTimeout = errTimeout
	ErrFailed  = errFailed
)

// Has reports whether the n-th test of a package is in the shard.
func (s Shard) Has(pkg string, n int) bool { return s.has(pkg, n) }

// Shares returns packages in the order in which they run, with the time that each may take if
// each uses half of its time. tests has their numbers of tests; 0 means no test files.
func Shares(t *testing.T, cfg Config, tests map[string]int) (all []string) {
	var pkgs []build.Package
	for _, name := range slices.Sorted(maps.Keys(tests)) {
		p := build.Package{ImportPath: name, Dir: t.TempDir()}
		if tests[name] > 0 {
			p.TestGoFiles = []string{"a_test.go"}
			text := "package a\n" + strings.Repeat("\nfunc TestA(t *testing.T) {}\n", tests[name]) + "\nfunc ExampleB() {}\n"
			if err := os.WriteFile(filepath.Join(p.Dir, "a_test.go"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		pkgs = append(pkgs, p)
	}
	budget := cfg.timeBudget(pkgs)
	pkgs, cfg.Timeout = cfg.inOrder(pkgs, budget), time.Hour
	for _, p := range pkgs {
		c, spent := budget.share(cfg, p)
		if p.Tests() {
			spent(c.Budget / 2)
		}
		all = append(all, p.ImportPath+" "+c.Budget.String())
	}
	return all
}

// OneLine returns a message on one line.
func OneLine(message string) string { return oneLine(message) }
