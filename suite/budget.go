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
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// overtime is how long what runs at the end of a package's budget has to end by
// itself, before it is killed.
const overtime = time.Second

// reserve is the part of a budget, one in so many, that is left for what is found at
// the end of exploring: it is still to be reduced, tried again and told.
const reserve = 10

// errBudget is why a process is killed if the package's budget is spent.
var errBudget = errors.New("the budget was over")

// A purse is what is left of Config.Total.
type purse struct {
	left   time.Duration
	shares int            // that are still to be given
	mine   map[string]int // of each package with tests; none without a Total
}

// firstShares is how many times its shares a package gets that is among Config.First.
const firstShares = 4

// function matches what begins a function that go test may run.
var function = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)

// shares are how many a package gets: one for each test, as far as its files tell, and one
// for what takes a little time with none.
func (c Config) shares(p build.Package) int {
	first, _, _ := strings.Cut(c.Run, "/")
	run, err := regexp.Compile(first)
	n := 1
	for _, file := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		text, _ := os.ReadFile(filepath.Join(p.Dir, file)) // who builds it says what is wrong
		for _, m := range function.FindAllSubmatch(text, -1) {
			if err != nil || run.Match(m[1]) {
				n++
			}
		}
	}
	return n
}

func (c Config) purse(pkgs []build.Package) *purse {
	p := &purse{left: c.Total, mine: make(map[string]int)}
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

// inOrder has the packages of Config.First before the others and, where they share Config.Total,
// those with fewer tests before those with more, which get the time that is left.
func (c Config) inOrder(pkgs []build.Package, p *purse) []build.Package {
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

// share is the configuration of the next package, with what it may take, and what is
// to be done when it is over.
func (p *purse) share(c Config, pkg build.Package) (_ Config, spent func(time.Duration)) {
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

// budgeted is ctx until the package's budget is spent and what then still runs has
// had time to end.
func (r *run) budgeted(ctx context.Context) (context.Context, context.CancelFunc) {
	r.end = r.began.Add(r.cfg.Budget - r.cfg.Budget/reserve)
	return context.WithDeadlineCause(ctx, r.began.Add(r.cfg.Budget+overtime), errBudget)
}

// left is how long what was found may still be reduced.
func (r *run) left() time.Duration {
	return max(time.Until(r.began.Add(r.cfg.Budget)), time.Nanosecond)
}

// firstTime is how long a test's first schedule may take, or a failure in it that is tried again.
func (r *run) firstTime() time.Duration { return max(protocol.FirstTime(r.left()), overtime) }

// cut takes note of the end of ctx, if it has ended: the time of the package may be
// over, or its budget, or all is to end. It reports whether nothing more is to be run.
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

// errFailed is why a test gets no more turns where the first failure is enough.
var errFailed = errors.New("another test had failed")

// whyEarly is why the exploration of a test came to no end, by what ended it.
func whyEarly(cause error) string {
	switch {
	case errors.Is(cause, errFailed), errors.Is(cause, errBudget):
		return cause.Error()
	case errors.Is(cause, errTimeout):
		return "the time of the package was over"
	}
	return "interrupted"
}

// early reports whether a process was killed because there was no more time for it,
// which is nothing of its test's.
func early(cause error) bool {
	return cause != nil && !errors.Is(cause, errTimeout) && !isSilence(cause)
}
