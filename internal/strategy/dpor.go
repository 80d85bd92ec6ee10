package strategy

import (
	"math"
	"slices"

	"github.com/jacquard-go/jacquard/internal/schedule"
)

// DPOR runs one schedule of each set of schedules that differ only in the order
// of operations that do not conflict: all executions that differ by
// happens-before, without any bound on preemptions. It is dynamic partial-order
// reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas:
// Optimal Dynamic Partial Order Reduction, POPL 2014, algorithm 1), stateless:
// each schedule is run from the beginning.
//
// [Operation] says what conflicts. Plain accesses to memory are no operations
// until they are seen to race, so claims about all executions hold for programs
// without data races. A race in any other program is found, because some schedule
// leaves the two accesses unordered and the race detector sees that whatever their
// order.
//
// A timer that fires while goroutines could run is a step of the clock. It conflicts with the
// steps that depend on the time; see [schedule.TimeObject]. Others commute with it: the bound on the
// time for which goroutines are held up is that of a set of schedules; see dpor_stalls.go. A timer
// too far off for that fires when no goroutine can run; all earlier steps precede all later ones.
//
// Atomic additions used as statements commute, since their results are dropped. The race detector
// orders none of them after another in any schedule, so one order shows the races of all.
//
// A send and a receive on one channel outside of selects commute: values come out in the
// order in which they went in. Which of the two waits for the other makes no difference.
//
// A goroutine that is about to take a locked sync.Mutex is delayed as long as others can run, like
// the paper's locks, which are disabled while they are held: the attempt would have no observable
// effect. Taking a mutex comes after the unlock, which cannot be reversed, and races with earlier
// takes. See [schedule.Point].Held. The same applies to a sync.RWMutex that a writer holds or
// waits for. A writer that arrives while others read bars later readers: so the order between a
// reader's and a writer's arrival is observable, but not when the writer continues. If a program
// tries such a lock, or unlocks what it has not locked for reading, its operations conflict.
//
// Of goroutines that are indistinguishable when they begin, the one that was started first
// goes first, as if the others waited for it: symmetry reduction. Every execution in which it
// does not go first is one in which it does with the two exchanged, and is covered by the
// search for that one; see [schedule.Point].Mirrors. Going first cannot be reversed, and the
// other one's first step comes after it.
//
// Departures. A goroutine that blocks elsewhere makes a step, which puts it into a queue, and
// another one when it is woken. Waking and starting a goroutine order steps but are no races,
// since they cannot be reversed; the same holds for waiting for a wait group after those who
// count it down. To begin to wait for a group has no effect, as if Wait were disabled until
// the count is zero: this is sound as long as no Add is unordered with a Wait, see
// [schedule.Shared]; from the first execution with such an Add on, the group's operations
// conflict. Each ready case of a select is a branch. Calls and returns of a [History] are
// known to conflict only after they have run. A sleep-set blocked schedule, one in which all
// goroutines that can run are asleep, is given up at the next decision. Random choices other
// than a select's are those of one seed.
//
// A call of package testing or log, or one about the environment, is one step, on all the
// objects of its parts; so is what package testing does between two functions of a test. So
// executions that differ in the order of what a test logs count as different. The same applies
// to writes to standard output and error. From the first execution on in which a logger is set
// while others may log, the parts of a call of package log or log/slog are steps of their own.
// T.Helper is no step: nobody can tell when it was called, and it orders nothing.
//
// DPOR makes no claim (see [Result].Incomplete) if an execution did not end within
// [Config].MaxSteps, as when a loop waits for another goroutine without blocking; if
// trusted code has started goroutines; or if the body used the network or pipes, or made system
// calls other than those of package os on files, whose order is not seen. Nor does it if a loop
// that counts its turns was put to rest; see spin.go in internal/engine.
func DPOR() schedule.Strategy { return &dpor{} }

type dpor struct {
	seed  uint64
	nodes []node // the decisions of the next schedule up to the new one; then those of the running schedule
	begun bool
	races raceFinder

	sleep   []sleeper       // of the running schedule, after the steps seen
	barred  []schedule.Step // the next steps of goroutines that would wait for a lock, where the schedule is given up
	seen    int             // how many steps of the running schedule sleep accounts for
	blocked bool            // all goroutines that could run were asleep
	rested  bool            // a spinning goroutine was excluded from those that could run
	stalling

	runs  int    // schedules
	fresh int    // the first step in which the schedule differs from the one before
	whole int    // schedules that were not given up
	why   string // the first reason why the search is incomplete
}

// A node is a decision of the schedule and the work left there.
type node struct {
	step     int                // number of the step that it decides
	enabled  []uint32           // goroutines that could run
	sleep    []sleeper          // goroutines that need not run: from before, and those whose turn is over
	wanted   []uint32           // goroutines that must have a turn
	chosen   uint32             // whose turn it is
	selected uint32             // index of the ready case of its select
	cases    int                // how many cases were ready; 0 before it is run, and if it is no select
	did      schedule.Operation // what its step was on, in all cases run so far
	hash     uint64             // digest of the execution up to here, if begun
	begun    bool
	known    bool // cases is known for chosen
}

// A sleeper is a goroutine that need not run until something conflicts with its next
// step: what would follow has already been run.
type sleeper struct {
	id    uint32
	op    schedule.Operation
	since int // the number of steps then
}

func (*dpor) Name() string { return "dpor" }

func (s *dpor) Reset(seed uint64) { *s = dpor{seed: seed} }

func (s *dpor) Begin() (uint64, bool) {
	if s.begun && len(s.nodes) == 0 {
		return 0, false
	}
	s.begun = true
	s.anew()
	s.sleep, s.barred, s.seen, s.blocked = s.sleep[:0], s.barred[:0], 0, false
	return s.seed, true
}

// Exhausted reports how many schedules there were, and whether there are no others.
func (s *dpor) Exhausted() schedule.Extent {
	return schedule.Extent{Complete: s.begun && len(s.nodes) == 0 && s.why == "", Unbounded: true, Schedules: s.whole, Why: s.why}
}

// leastRuns is how many schedules an estimate of the rest is made from, at least.
const leastRuns = 64

// Rest takes the alternatives at each decision for equally large, and those that are known by now
// for all: it is too low at first, and soon right to a factor of three.
func (s *dpor) Rest() float64 {
	switch {
	case s.why != "":
		return math.Inf(1)
	case s.runs < leastRuns:
		return 0
	}
	done, share := 0.0, 1.0
	for i := range s.nodes {
		n := &s.nodes[i]
		over := 0
		for _, id := range n.wanted {
			if asleep(n.sleep, id) {
				over++
			}
		}
		share /= float64(len(n.wanted))
		done += share * float64(over)
		if n.cases > 1 {
			share /= float64(n.cases)
			done += share * float64(n.selected)
		}
	}
	return float64(s.runs) * (1/done - 1)
}

func (s *dpor) Pick(p *schedule.Point) schedule.Choice {
	s.follow(p.Steps)
	if p.Index < len(s.nodes) {
		return s.again(p)
	}
	chosen := s.awake(p)
	if s.over = s.overHeld(p.Steps); s.over || s.blocked || chosen < 0 || s.inVain(p, chosen) {
		s.blocked = true
		s.bar(p)
		return schedule.Choice{Stop: true}
	}
	id := p.Runnable[chosen]
	s.nodes = append(s.nodes, node{step: len(p.Steps), enabled: leaders(p), sleep: slices.Clone(s.sleep), wanted: []uint32{id}, chosen: id})
	return schedule.Choice{Index: chosen}
}

// again repeats a decision of the previous schedule.
func (s *dpor) again(p *schedule.Point) schedule.Choice {
	n := &s.nodes[p.Index]
	i := slices.Index(p.Runnable, n.chosen)
	if i < 0 || n.step != len(p.Steps) {
		s.omit("a schedule did not repeat")
		return schedule.Choice{Index: p.Default()}
	}
	s.sleep = append(s.sleep[:0], n.sleep...)
	return schedule.Choice{Index: i, Case: n.selected}
}

// follow wakes the sleepers with which a step since the last decision conflicts.
func (s *dpor) follow(steps []schedule.Step) {
	for _, step := range steps[s.seen:] {
		s.sleep = slices.DeleteFunc(s.sleep, func(z sleeper) bool {
			if z.id == step.Goroutine {
				s.blocked = true // a sleeper ran without a decision, because nothing else could
			}
			return step.Late || s.strict && step.Goroutine == schedule.Clock || z.op.Conflicts(step.Operation)
		})
	}
	s.seen = len(steps)
}

// awake returns the index of a goroutine that may run: the default one if it may; -1 if none
// may. One that would only begin to wait for a mutex may not run as long as others can.
func (s *dpor) awake(p *schedule.Point) int {
	all := !slices.ContainsFunc(p.Runnable, func(id uint32) bool { return id != schedule.Clock && !held(p, id) })
	best := -1
	for i, id := range p.Runnable {
		if mirrors(p, id) {
			continue
		}
		if !asleep(s.sleep, id) && (all || !held(p, id)) && (best < 0 || i == p.Default()) {
			best = i
		}
	}
	return best
}

// held reports whether a goroutine is about to take a lock that another one holds.
func held(p *schedule.Point, id uint32) bool {
	return id != schedule.Clock && p.Held != nil && p.Held(id)
}

// mirrors reports whether a goroutine's next step leads to the same as that of another one,
// except for their names.
func mirrors(p *schedule.Point, id uint32) bool {
	return id != schedule.Clock && p.Mirrors != nil && p.Mirrors(id)
}

// leaders returns the alternatives that mirror no other one.
func leaders(p *schedule.Point) []uint32 {
	return slices.DeleteFunc(slices.Clone(p.Runnable), func(id uint32) bool { return mirrors(p, id) })
}

// bar records the goroutines that would take a held lock where a schedule is given up. They
// would take the lock only further on in this schedule, so races of that step with earlier
// ones must be looked for here.
func (s *dpor) bar(p *schedule.Point) {
	for _, id := range p.Runnable {
		if held(p, id) && !mirrors(p, id) && !asleep(s.sleep, id) {
			s.barred = append(s.barred, schedule.Step{Goroutine: id, Operation: p.Pending[id], Cause: -1})
		}
	}
}

func asleep(sleep []sleeper, id uint32) bool {
	return slices.ContainsFunc(sleep, func(z sleeper) bool { return z.id == id })
}

// End looks for races in the new part of the schedule, and prepares the next schedule.
func (s *dpor) End(run schedule.Trace) {
	if s.runs++; !s.blocked {
		s.whole++
	}
	switch {
	case run.Forced:
		s.omit("an execution did not end within the bound on steps")
	case run.Polled:
		s.omit(longPoll)
	case run.Opaque != "":
		s.omit("the order of what was done in " + run.Opaque + " was not seen")
	case len(run.Decisions) != len(s.nodes):
		s.omit("a schedule did not repeat")
	}
	if run.Spent && !s.strict {
		*s = dpor{seed: s.seed, stalling: stalling{strict: true}, runs: s.runs, why: s.why}
		return
	}
	s.rested = run.Rested
	if len(run.Steps) < s.fresh { // it ended before the decision at which it was to differ
		s.omit("a schedule did not repeat")
		s.fresh = len(run.Steps)
	}
	s.learn(run)
	s.fire(run.Steps)
	if s.over = s.over || s.overHeld(run.Steps); s.over {
		s.widen(run.Steps)
	}
	if s.races.strict = s.strict; !s.races.find(run.Steps, s.barred, s.fresh, s.reverse) {
		s.omit("an execution has too many steps of too many goroutines")
	}
	s.next()
}

// omit records the first reason why the search is incomplete.
func (s *dpor) omit(why string) {
	if s.why == "" {
		s.why = why
	}
}

// learn completes the nodes with the results of their decisions.
func (s *dpor) learn(run schedule.Trace) {
	for i := range s.nodes[:min(len(s.nodes), len(run.Decisions))] {
		n, d := &s.nodes[i], run.Decisions[i]
		if n.begun && n.hash != d.Hash {
			s.omit("a schedule did not repeat") // it diverged before this decision
			continue
		}
		n.hash, n.begun = d.Hash, true
		if n.step < s.fresh {
			if !n.did.Covers(run.Steps[n.step].Operation) {
				s.omit("a schedule did not repeat")
			}
			continue
		}
		if !n.known {
			n.cases, n.known = d.Ready, true
		}
		if n.cases != d.Ready || n.step >= len(run.Steps) {
			s.omit("a schedule did not repeat")
			continue
		}
		n.did.AddAll(run.Steps[n.step].Operation)
		for at := n.step + 1; at < len(run.Steps) && run.Steps[at].Joined; at++ {
			n.did.AddAll(run.Steps[at].Operation)
		}
		n.did.All = n.did.All || s.strict && n.chosen == schedule.Clock
	}
}

// reverse ensures that two racing steps also run in the other order: at the decision
// before the earlier one, a goroutine must have its turn that can begin a path to the
// later step without the earlier one.
func (s *dpor) reverse(earlier int, initials []uint32) {
	i, ok := slices.BinarySearchFunc(s.nodes, earlier, func(n node, step int) int { return n.step - step })
	if slices.Contains(initials, schedule.Clock) && (!ok || !slices.Contains(s.nodes[i].enabled, schedule.Clock)) {
		return // there was no timer yet, or none near enough
	}
	if !ok && s.rested {
		return // the others that could have run only spin
	}
	if !ok {
		s.omit("a step that races with a later one was no choice")
		return
	}
	n := &s.nodes[i]
	if slices.ContainsFunc(initials, func(id uint32) bool { return slices.Contains(n.wanted, id) || asleep(n.sleep, id) }) {
		return
	}
	switch first := slices.IndexFunc(initials, func(id uint32) bool { return slices.Contains(n.enabled, id) }); {
	case first >= 0:
		n.wanted = append(n.wanted, initials[first])
	case !s.rested:
		s.omit("two steps race that cannot be reversed")
	}
}

// next turns the nodes into those of the next schedule: up to the last decision with
// work left, which takes its next turn. None are left if the search is over.
func (s *dpor) next() {
	for len(s.nodes) > 0 {
		n := &s.nodes[len(s.nodes)-1]
		if n.turn() {
			s.fresh = n.step
			return
		}
		s.nodes = s.nodes[:len(s.nodes)-1]
	}
}

// turn advances to the next case of the select, or the next goroutine. It returns false
// if there is none.
func (n *node) turn() bool {
	if int(n.selected)+1 < n.cases {
		n.selected++
		return true
	}
	n.sleep = append(n.sleep, sleeper{n.chosen, n.did, n.step})
	for _, id := range n.wanted {
		if !asleep(n.sleep, id) {
			n.chosen, n.selected, n.cases, n.did, n.known = id, 0, 0, schedule.Operation{}, false
			return true
		}
	}
	return false
}

// longPoll is the reason of a search that has met a long poll and makes no claim.
const longPoll = "a loop that counts its turns was taken to wait after many"
