package suite

import (
	"fmt"
	"time"

	"github.com/jacquard-go/jacquard/suite/output"
	"github.com/jacquard-go/jacquard/suite/protocol"
)

// An openTest is a test with schedules that there was no time for.
type openTest struct {
	name      string
	done, all int           // schedules
	need      time.Duration // an upper bound for the rest: the test may be exhausted earlier
}

// open returns what more time would be used for in a test; false if it would not help.
func (r *run) open(t *test) (o openTest, ok bool) {
	e := t.last()
	if r.halted != nil || r.exit != "" || !t.explorable() || t.failed() || t.result != nil && t.unknown() != "" || t.whole || e.Exhausted || r.stop() || r.waits(t) || e.Schedules >= r.cfg.Schedules {
		return o, false
	}
	each := t.discovered.Took
	if t.result != nil && e.Schedules > 1 {
		each = min(each, t.took/time.Duration(e.Schedules))
	}
	return openTest{t.name, e.Schedules, r.cfg.Schedules, each * time.Duration(r.cfg.Schedules-e.Schedules)}, true
}

// need returns the package's budget with which all schedules could run.
func (r *run) need(open []openTest) time.Duration {
	var rest time.Duration
	for _, o := range open {
		rest += o.need
	}
	if rest == 0 {
		return 0
	}
	return (time.Since(r.began) + rest/time.Duration(max(min(r.cfg.Workers, len(open)), 1))) * reserve / (reserve - 1)
}

// more returns the advice about more time, if it would help.
func (n *tally) more(c Config) string {
	if n.halted || len(n.open) == 0 && n.begun+n.unbegun == 0 {
		return ""
	}
	flag, had, enough := "-total", c.Total, c.Total+n.need()/time.Duration(max(min(c.Workers, len(n.open)), 1))
	if c.Budget > 0 {
		flag, had, enough = "-budget", c.Budget, n.longest
	}
	if n.begun+n.unbegun > 0 { // their durations are not known
		more := max(had*time.Duration(max(n.times, 2)), time.Second)
		return fmt.Sprintf("jacquard: there was not enough time to run every test once: try %s %v%s\n", flag, more, c.longer(more))
	}
	var names []string
	for _, o := range n.open {
		names = append(names, fmt.Sprintf("%s (%s of %s schedules)", o.name, output.Thousands(o.done), output.Thousands(o.all)))
	}
	return fmt.Sprintf("jacquard: there was no time for all schedules of %s: %s; %s %v%s would be enough\n", output.Plural(len(names), "test"), named(names), flag, output.RoundUp(enough), c.longer(output.RoundUp(n.longest)))
}

// times returns how many times the time left is needed for a first schedule to run for half as long
// again: since it gets only a part, twice the time may give it no more.
func times(left time.Duration) int {
	n := 2
	left = left.Truncate(time.Millisecond) // so that no part of it is rounded
	for 2*protocol.FirstTime(time.Duration(n)*left) < 3*protocol.FirstTime(left) {
		n++
	}
	return n
}

// longer returns the -timeout flag that a package needs to run for d; "" if it needs none.
func (c Config) longer(d time.Duration) string {
	if d <= c.Timeout {
		return ""
	}
	return fmt.Sprintf(" -timeout %v", d)
}

// need returns the time for all open tests, one after another.
func (n *tally) need() (need time.Duration) {
	for _, o := range n.open {
		need += o.need
	}
	return need
}
