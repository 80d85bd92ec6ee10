package stress

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
)

// Workload is a campaign of many goroutines against package lifecycle, whose operations are counted.
type Workload struct {
	Name string // what the workload does, and on which ground; unique in its row

	ground func(ctx context.Context, dir string) (*ground, error) // opens its ground
	site   func(t *tally, g *ground) (site, error)                // prepares it on the ground
}

// site is a workload that is prepared on its ground.
type site interface {
	// round runs the workload once and counts what it did.
	round(t *tally)
	// settle compares the content of the ground with the counts.
	settle(t *tally)
}

// roundsPerGround is how many rounds use one ground before it is settled and replaced: grounds only grow.
const roundsPerGround = 10

// fewestCallers is the least number of goroutines of a workload; on large machines it has two for every processor.
const fewestCallers = 10

// runWorkload runs a workload round after round.
func runWorkload(ctx context.Context, t *trial, c Workload) {
	all := &tally{trial: t, ctx: ctx, rng: generator(t.Seed, 0), size: max(fewestCallers, 2*runtime.GOMAXPROCS(0))}
	for untried := true; ctx.Err() == nil && !t.over.Load(); untried = false {
		round, ok := t.next(untried)
		if !ok {
			return
		}
		if err := meet(all, c, round); err != nil {
			t.giveUp(err)
		}
	}
}

// meet opens a ground, runs some rounds on it, the first of which has begun, settles it and closes it.
func meet(t *tally, c Workload, round int64) (err error) {
	dir, err := tempIn(t.trial.Dir)
	if err != nil {
		return fmt.Errorf("stress: %w", err)
	}
	g, err := c.ground(t.ctx, dir)
	if err != nil {
		return fmt.Errorf("set-up: %w", err)
	}
	defer func() { err = g.leave(err, dir) }()
	s, err := c.site(t, g)
	if err != nil {
		return fmt.Errorf("set-up: %w", err)
	}
	for n := 0; n < roundsPerGround; n++ {
		if n > 0 {
			next, ok := t.trial.next(false)
			if !ok {
				break
			}
			round = next
		}
		s.round(t)
		t.report(round)
		t.trial.end(round)
	}
	s.settle(t)
	t.report(round)
	return nil
}

// tally counts the operations of a workload. It is for the one goroutine that runs the rounds; within [tally.together]
// each goroutine has its own [member]. Goroutines share no counter: it would order them, and hide data races.
type tally struct {
	trial *trial
	ctx   context.Context
	rng   *rand.Rand
	size  int // the number of goroutines of the workload

	counts   Counts   // since the last report
	failures []string // since the last report
}

// member is what one goroutine of a workload counts.
type member struct {
	counts   Counts
	failures []string
}

// together runs f on n goroutines that start at one moment, and adds up their counts.
func (t *tally) together(n int, f func(i int, m *member)) {
	members := make([]member, n)
	together(n, newStagger(t.rng), func(i int) { f(i, &members[i]) })
	for _, m := range members {
		t.counts.add(m.counts)
		t.failures = append(t.failures, m.failures...)
	}
}

// did counts an operation by its error, and reports whether it succeeded. An error is a conflict if lost says so; any
// other error is a failure, and leaves the counts wrong.
func (m *member) did(err error, lost func(error) bool) bool {
	m.counts.Operations++
	switch {
	case err == nil:
		m.counts.Successes++
	case lost != nil && lost(err):
		m.counts.Conflicts++
	default:
		m.failf("an operation got error %v", err)
	}
	return err == nil
}

func (m *member) failf(format string, args ...any) {
	m.failures = append(m.failures, fmt.Sprintf(format, args...))
}

func (t *tally) failf(format string, args ...any) {
	t.failures = append(t.failures, fmt.Sprintf(format, args...))
}

// done reports whether err is nil, and records a failure if it is not.
func (t *tally) done(what string, err error) bool {
	if err != nil {
		t.failf("%s: %v", what, err)
	}
	return err == nil
}

// sum adds a count that must come out exactly, to the campaign's sums and to this round's check.
func (t *tally) sum(what string, got, want int) {
	t.trial.sum(what, int64(got), int64(want))
	if got != want {
		t.failf("%s: got %d, want %d", what, got, want)
	}
}

// report adds the counts since the last report to the trial.
func (t *tally) report(round int64) {
	if !t.counts.addUp() {
		t.failf("of %d operations %d succeeded and %d lost to another", t.counts.Operations, t.counts.Successes, t.counts.Conflicts)
	}
	t.trial.count(round, t.counts, t.failures)
	t.counts, t.failures = Counts{}, nil
}
