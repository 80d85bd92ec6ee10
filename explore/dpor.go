package explore

import "slices"

// DPOR runs one schedule of each set of schedules that differ only in the order
// of operations that do not conflict: all executions that differ by
// happens-before, without any bound on preemptions. It is dynamic partial-order
// reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas:
// Optimal Dynamic Partial Order Reduction, POPL 2014, algorithm 1), stateless:
// each schedule is run from the beginning.
//
// What conflicts is said at [Operation]. Plain accesses to memory are no
// operations until they are seen to race, so what is said of all executions
// is true of programs without data races; one that has any is found to have it,
// because some schedule leaves the two accesses unordered and the race detector
// sees that whatever their order.
//
// Departures. A goroutine that blocks makes a step, which puts it into a queue,
// and another one when it is woken; so an attempt to take a lock that is held is
// another execution than one that comes later, which the paper's locks, disabled
// while they are held, are not. To wake and to start a goroutine orders steps but
// is no race, since it cannot be reversed. Each ready case of a select is a branch.
// Calls and returns of a [History] are known to conflict only once they have been
// run. A schedule in which all that can run is asleep is given up at the next
// decision. Random choices other than a select's are those of one seed.
//
// A call of package testing or log, or of one that is about the environment, is
// one step, on all that its parts are on, and so is what package testing does
// between two functions of a test: what a test logs is in one order in one
// execution, and in another in the next. The same goes for what is written to the
// standard output and error.
//
// It makes no claim (see [Result].Incomplete) if an execution did not end
// within [Config].MaxSteps, which is so where a loop waits for another goroutine
// without blocking; if trusted code has started goroutines; and if the body used
// files, the network or pipes, or made other system calls, whose order is not seen.
// What is never seen is len and cap of a channel, what sync.Pool gives back, and
// the number of goroutines: the order of these is not explored.
func DPOR() Strategy { return &dpor{} }

type dpor struct {
	seed  uint64
	nodes []node // the decisions of the schedule to be run, up to the one that is new; and on, as it is run
	begun bool
	races raceFinder

	sleep   []sleeper // of the schedule that is being run
	seen    int       // its steps that sleep has been told of
	blocked bool      // all that could run was asleep
	rested  bool      // a goroutine that spins was left out of those that could run

	fresh int    // the first step that the last schedule did not have
	whole int    // schedules that came to their end
	why   string // what was left out
}

// A node is a decision of the schedule and what is to be done there.
type node struct {
	step     int       // number of the step that it decides
	enabled  []uint32  // goroutines that could run
	sleep    []sleeper // those that need not: on arrival, and those whose turn is over
	wanted   []uint32  // those that must have their turn
	chosen   uint32    // whose turn it is
	selected uint32    // which of the ready cases of its select
	cases    int       // how many were ready; 0 before it is run, and if it is no select
	did      Operation // what its step was on, in all cases so far
	hash     uint64    // of the execution up to here
	known    bool      // it has been run with chosen
}

// A sleeper is a goroutine that need not run until something conflicts with
// its next step: what would follow has been run already.
type sleeper struct {
	id uint32
	op Operation
}

func (*dpor) Name() string { return "dpor" }

func (s *dpor) Reset(seed uint64) { *s = dpor{seed: seed} }

func (s *dpor) Begin() (uint64, bool) {
	if s.begun && len(s.nodes) == 0 {
		return 0, false
	}
	s.begun = true
	s.sleep, s.seen, s.blocked = s.sleep[:0], 0, false
	return s.seed, true
}

func (*dpor) systematic() {}

// exhausted is how many schedules there were; false if there may be others.
func (s *dpor) exhausted() (int, bool) {
	return s.whole, s.begun && len(s.nodes) == 0 && s.why == ""
}

func (s *dpor) Pick(p *Point) Choice {
	s.follow(p.Steps)
	if p.Index < len(s.nodes) {
		return s.again(p)
	}
	chosen := s.awake(p)
	if s.blocked || chosen < 0 {
		s.blocked = true
		return Choice{Stop: true}
	}
	id := p.Runnable[chosen]
	s.nodes = append(s.nodes, node{
		step: len(p.Steps), enabled: slices.Clone(p.Runnable), sleep: slices.Clone(s.sleep), wanted: []uint32{id}, chosen: id,
	})
	return Choice{Index: chosen}
}

// again repeats a decision.
func (s *dpor) again(p *Point) Choice {
	n := &s.nodes[p.Index]
	i := slices.Index(p.Runnable, n.chosen)
	if i < 0 || n.step != len(p.Steps) {
		s.omit("a schedule did not repeat")
		return Choice{Index: p.Default()}
	}
	s.sleep = append(s.sleep[:0], n.sleep...)
	return Choice{Index: i, Case: n.selected}
}

// follow wakes those that a step since the last decision conflicts with.
func (s *dpor) follow(steps []Step) {
	for _, step := range steps[s.seen:] {
		s.sleep = slices.DeleteFunc(s.sleep, func(z sleeper) bool {
			if z.id == step.Goroutine {
				s.blocked = true // it was the only one that could run
			}
			return step.Late || z.op.Conflicts(step.Operation)
		})
	}
	s.seen = len(steps)
}

// awake is the place of one that may run: the default one if it may; -1 if none
// may.
func (s *dpor) awake(p *Point) int {
	best := -1
	for i, id := range p.Runnable {
		if !asleep(s.sleep, id) && (best < 0 || i == p.Default()) {
			best = i
		}
	}
	return best
}

func asleep(sleep []sleeper, id uint32) bool {
	return slices.ContainsFunc(sleep, func(z sleeper) bool { return z.id == id })
}

// End looks for races in what is new of the schedule, and goes on to the next.
func (s *dpor) End(run Trace) {
	if !s.blocked {
		s.whole++
	}
	switch {
	case run.Forced:
		s.omit("an execution did not end within the bound on steps")
	case run.Opaque != "":
		s.omit("the order of what was done in " + run.Opaque + " was not seen")
	case len(run.Decisions) != len(s.nodes):
		s.omit("a schedule did not repeat")
	}
	s.rested = run.Rested
	if len(run.Steps) < s.fresh { // it has ended before it was to leave the one before
		s.omit("a schedule did not repeat")
		s.fresh = len(run.Steps)
	}
	s.learn(run)
	if !s.races.find(run.Steps, s.fresh, s.reverse) {
		s.omit("an execution has too many steps of too many goroutines")
	}
	s.next()
}

// omit keeps the first reason why the search does not cover everything.
func (s *dpor) omit(why string) {
	if s.why == "" {
		s.why = why
	}
}

// learn completes the nodes with what came of their decisions.
func (s *dpor) learn(run Trace) {
	for i := range s.nodes[:min(len(s.nodes), len(run.Decisions))] {
		n, d := &s.nodes[i], run.Decisions[i]
		if n.step < s.fresh {
			if !n.did.covers(run.Steps[n.step].Operation) {
				s.omit("a schedule did not repeat")
			}
			continue
		}
		if !n.known {
			n.hash, n.cases, n.known = d.hash, d.Ready, true
		}
		if n.hash != d.hash || n.cases != d.Ready || n.step >= len(run.Steps) {
			s.omit("a schedule did not repeat")
			continue
		}
		n.did = n.did.and(run.Steps[n.step].Operation)
	}
}

// reverse sees to it that two steps that race also come the other way round:
// at the decision before the earlier one, one of the goroutines must have its
// turn that can begin what leads to the later step without the earlier one.
func (s *dpor) reverse(earlier int, initials []uint32) {
	i, ok := slices.BinarySearchFunc(s.nodes, earlier, func(n node, step int) int { return n.step - step })
	if !ok && s.rested {
		return // the others that could have run spin, and would only turn once more
	}
	if !ok {
		s.omit("a step that races with a later one was no choice")
		return
	}
	n := &s.nodes[i]
	first := uint32(0)
	for _, id := range initials {
		if slices.Contains(n.wanted, id) {
			return
		}
		if first == 0 && slices.Contains(n.enabled, id) {
			first = id
		}
	}
	if first == 0 && s.rested {
		return
	}
	if first == 0 {
		s.omit("two steps race that cannot be reversed")
		return
	}
	n.wanted = append(n.wanted, first)
}

// next makes the nodes those of the next schedule: at the last decision where
// something is left to do, that; none if the search is over.
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

// turn goes on to the next case of the select, or the next goroutine. It
// returns false if there is none.
func (n *node) turn() bool {
	if int(n.selected)+1 < n.cases {
		n.selected++
		return true
	}
	n.sleep = append(n.sleep, sleeper{n.chosen, n.did})
	for _, id := range n.wanted {
		if !asleep(n.sleep, id) {
			n.chosen, n.selected, n.cases, n.did, n.known = id, 0, 0, Operation{}, false
			return true
		}
	}
	return false
}
