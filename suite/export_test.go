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

// WithBinary is cfg with a test binary that is there already.
func WithBinary(cfg Config, binary string) Config {
	return WithBuild(cfg, func() (string, error) { return binary, nil })
}

// WithBuild is cfg with another way to come by a test binary.
func WithBuild(cfg Config, do func() (binary string, err error)) Config {
	cfg.build = func(context.Context, build.Package) (string, error) { return do() }
	return cfg
}

// WithKnownTime is cfg with another bound of one known failure.
func WithKnownTime(cfg Config, d time.Duration) Config {
	cfg.knownTime = d
	return cfg
}

// WithSilence is cfg with another bound of what a process of a quick test may keep
// to itself.
func WithSilence(cfg Config, d time.Duration) Config {
	cfg.silence = d
	return cfg
}

// WithLeaving is cfg with another bound of what a process may take that has told all.
func WithLeaving(cfg Config, d time.Duration) Config {
	cfg.leaving = d
	return cfg
}

// WithOver is cfg for packages whose time is over when ctx ends.
func WithOver(cfg Config, ctx context.Context) Config {
	cfg.over = ctx
	return cfg
}

// Silence is how long the process of a test may say nothing that takes so long.
func Silence(took time.Duration) time.Duration {
	x := &exploration{test: &test{}, quiet: silence}
	x.discovered.Took = took
	return x.silence()
}

// Share is how many processes each test may have that is not done.
func Share(workers, tests, done int) int {
	d := &division{run: &run{cfg: Config{Workers: workers}}, all: make([]*exploration, tests), done: done}
	return d.share()
}

// WhyEarly is why a test was not explored to its end.
var WhyEarly = whyEarly

// The causes of the end of an exploration.
var (
	ErrBudget  = errBudget
	ErrTimeout = errTimeout
	ErrFailed  = errFailed
)

// Has reports whether the n-th test of a package is in the shard.
func (s Shard) Has(pkg string, n int) bool { return s.has(pkg, n) }

// Shares are packages in the order in which they are run, with what each may take if each
// takes half of that. Each has so many tests; without any it has no test files.
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

// OneLine is a message on one line.
func OneLine(message string) string { return oneLine(message) }
