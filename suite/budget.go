package suite

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jacquard-go/jacquard/suite/build"
	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// overtime is how long processes may run beyond a package's budget, to end by themselves, before
// they are killed.
const overtime = time.Second

// reserve is the part of a budget, 1/reserve of it, that is kept for the end of exploring, for
// reducing failures, trying them again and reporting them.
const reserve = 10

// errBudget is the cause of killing a process when the package's budget is spent.
var errBudget = errors.New("the budget was over")

// A timeBudget is what is left of Config.Total.
type timeBudget struct {
	left   time.Duration
	shares int            // not yet given to a package
	mine   map[string]int // shares of each package with tests; empty without a Total
}

// firstShares multiplies the shares of a package in Config.First.
const firstShares = 4

// function matches the beginning of a function that go test may run.
var function = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)

// shares returns how many shares a package gets: one for each test that its files declare, and one
// for the fixed cost of a package.
func (c Config) shares(p build.Package) int {
	first, _, _ := strings.Cut(c.Run, "/")
	run, err := regexp.Compile(first)
	n := 1
	for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		text, _ := os.ReadFile(filepath.Join(p.Dir, file)) // the builder reports the error
		for _, m := range function.FindAllSubmatch(text, -1) {
			if err != nil || run.Match(m[1]) {
				n++
			}
		}
	}
	return n
}

func (c Config) timeBudget(pkgs []build.Package) *timeBudget {
	p := &timeBudget{left: c.Total, mine: make(map[string]int)}
	for _, pkg := range pkgs {
		if c.Total == 0 || !pkg.Tests() {
			continue
		}
		n := c.shares(pkg)
		if slices.Contains(c.First, pkg.ImportPath) {
			n *= firstShares
		}
		p.mine[pkg.ImportPath] = n
		p.shares += n
	}
	return p
}

// inOrder sorts the packages of Config.First before the others and, where packages share
// Config.Total, those with fewer tests before those with more, which get the time that is left.
func (c Config) inOrder(pkgs []build.Package, p *timeBudget) []build.Package {
	place := func(p build.Package) int {
		if i := slices.Index(c.First, p.ImportPath); i >= 0 {
			return i
		}
		return len(c.First)
	}
	slices.SortStableFunc(pkgs, func(a, b build.Package) int {
		return cmp.Or(place(a)-place(b), p.mine[a.ImportPath]-p.mine[b.ImportPath])
	})
	return pkgs
}

// share returns the configuration of the next package, with its budget. spent must be called with
// the time it took.
func (p *timeBudget) share(c Config, pkg build.Package) (_ Config, spent func(time.Duration)) {
	b := c.Timeout
	if c.Budget > 0 {
		b = min(b, c.Budget)
	}
	mine := p.mine[pkg.ImportPath]
	if c.Total > 0 {
		b = min(b, max(p.left, 0)*time.Duration(mine)/time.Duration(max(p.shares, 1)))
	}
	c.Budget = max(b.Round(time.Millisecond), time.Millisecond)
	return c, func(took time.Duration) {
		p.left -= took
		p.shares -= mine
	}
}

// budgeted returns a context that ends when the package's budget is spent and overtime is over.
func (r *run) budgeted(ctx context.Context) (context.Context, context.CancelFunc) {
	r.end = r.began.Add(r.cfg.Budget - r.cfg.Budget/reserve)
	return context.WithDeadlineCause(ctx, r.began.Add(r.cfg.Budget+overtime), errBudget)
}

// left returns how long failures may still be reduced.
func (r *run) left() time.Duration {
	return max(time.Until(r.began.Add(r.cfg.Budget)), time.Nanosecond)
}

// firstTime returns how long a test's first schedule may take, or a repetition of a failure in it.
func (r *run) firstTime() time.Duration {
	most := protocol.FirstTime(r.left())
	if r.again {
		most = r.left() / 2 / time.Duration(1+len(r.remaining()))
	}
	return max(most, overtime)
}

// retries reports whether there is time to run the tests once more whose first schedule was cut off,
// for twice as long at least. Their results are forgotten then.
func (r *run) retries() bool {
	cut, had := 0, time.Duration(0) // at most
	for _, t := range r.tests {
		if t.cut {
			cut, had = cut+1, max(had, protocol.FirstTime(t.left))
		}
	}
	if r.again || cut == 0 || r.left()/2/time.Duration(cut) < 2*had {
		return false
	}
	for i, s := range r.text {
		if slices.ContainsFunc(r.tests, func(t *test) bool { return t.cut && t.name == s.Test }) {
			r.text[i] = output.Section{}
		}
	}
	r.tests = slices.DeleteFunc(r.tests, func(t *test) bool { return t.cut })
	r.again, r.kept = true, len(r.tests)
	return true
}

// cut records why ctx has ended, if it has: the package's time-out, its budget, or an interrupt. It
// reports whether the run must stop.
func (r *run) cut(ctx context.Context) bool {
	cause := context.Cause(ctx)
	switch {
	case cause == nil:
		return false
	case errors.Is(cause, errTimeout):
		r.late = true
	case errors.Is(cause, errBudget):
		r.spent = true
	default:
		r.halted = cause
	}
	return true
}

// errFailed is the cause of ending a test's exploration where the first failure is enough.
var errFailed = errors.New("another test had failed")

// whyEarly returns the reason, for reports, why cause ended the exploration of a test early.
func whyEarly(cause error) string {
	switch {
	case errors.Is(cause, errFailed), errors.Is(cause, errBudget):
		return cause.Error()
	case errors.Is(cause, errTimeout):
		return "the time of the package was over"
	}
	return "interrupted"
}

// early reports whether a process was killed for lack of time, which does not count against its
// test.
func early(cause error) bool {
	return cause != nil && !errors.Is(cause, errTimeout) && !isSilence(cause)
}
