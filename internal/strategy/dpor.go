package strategy

import (
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
// What conflicts is said at [Operation]. Plain accesses to memory are no
// operations until they are seen to race, so what is said of all executions
// is true of programs without data races; one that has any is found to have it,
// because some schedule leaves the two accesses unordered and the race detector
// sees that whatever their order.
//
// That a timer fires while goroutines could run is a step of the clock, which conflicts
// with everything: it is tried wherever it can be, and in every order with all others.
// So how long goroutines are held up is the same in all schedules of a set. A timer
// that is farther off than they may be held up fires when nobody can run; what comes
// before comes before all that comes after.
//
// Atomic additions that are statements commute: nobody takes their results. In all schedules
// the detector orders none of them behind another, and so one order shows the races of all.
//
// A send and a receive of one channel commute, if no select does them: values come out in
// the order in which they went in. Who waits for whom makes no other execution.
//
// Who would take a sync.Mutex that somebody has waits with that as long as others can run, as
// the paper's locks are disabled while they are held: the attempt would do nothing that others
// could tell. To take one comes behind who gave it back, which cannot be reversed, and is in a
// race with who took it before. See [schedule.Point].Held. The same goes for a sync.RWMutex that
// a writer has, or waits to have. Who comes to write while others read bars those who come
// later: so it is told who comes to read before which writer, and when he goes on is not. Where
// a program tries such a lock, or gives back what it has not locked to read, its operations conflict.
//
// Of goroutines that nobody can tell apart when they begin, the one that was started first goes
// first, as if the others waited for that: symmetry reduction. Every execution in which it
// does not is one in which it does with the two exchanged, and is searched for as that; see
// [schedule.Point].Mirrors. To go first cannot be reversed, and the step that comes second comes
// behind it.
//
// Departures. A goroutine that blocks elsewhere makes a step, which puts it into a queue,
// and another one when it is woken. To wake and to start a goroutine orders steps but
// is no race, since it cannot be reversed; nor is it to wait for a wait group behind those
// who count it down. To begin to wait for one is to do nothing, as if Wait were disabled
// until then: sound as long as nobody adds to the group beside it, see [schedule.Shared];
// from the first execution on in which somebody does, its operations conflict. Each ready case of a select is a branch.
// Calls and returns of a [History] are known to conflict only once they have been
// run. A schedule in which all that can run is asleep, one that is sleep-set
// blocked, is given up at the next decision. Random choices other than a select's
// are those of one seed.
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
// Nor does it if a loop that counts its turns was made to rest; see spin.go.
func DPOR() schedule.Strategy { return &dpor{} }

type dpor struct {
	seed  uint64
	nodes []node // the decisions of the schedule to be run, up to the one that is new; and on, as it is run
	begun bool
	races raceFinder

	sleep   []sleeper       // of the schedule that is being run
	barred  []schedule.Step // what those would do who wait for a lock where it is given up
	seen    int             // its steps that sleep has been told of
	blocked bool            // all that could run was asleep
	rested  bool            // a goroutine that spins was left out of those that could run

	fresh int    // the first step that the last schedule did not have
	whole int    // schedules that came to their end
	why   string // what was left out
}

// A node is a decision of the schedule and what is to be done there.
type node struct {
	step     int                // number of the step that it decides
	enabled  []uint32           // goroutines that could run
	sleep    []sleeper          // those that need not: on arrival, and those whose turn is over
	wanted   []uint32           // those that must have their turn
	chosen   uint32             // whose turn it is
	selected uint32             // which of the ready cases of its select
	cases    int                // how many were ready; 0 before it is run, and if it is no select
	did      schedule.Operation // what its step was on, in all cases so far
	hash     uint64             // of the execution up to here, once it has begun
	begun    bool
	known    bool // it has been run with chosen
}

// A sleeper is a goroutine that need not run until something conflicts with
// its next step: what would follow has been run already.
type sleeper struct {
	id uint32
	op schedule.Operation
}

func (*dpor) Name() string { return "dpor" }

func (s *dpor) Reset(seed uint64) { *s = dpor{seed: seed} }

func (s *dpor) Begin() (uint64, bool) {
	if s.begun && len(s.nodes) == 0 {
		return 0, false
	}
	s.begun = true
	s.sleep, s.barred, s.seen, s.blocked = s.sleep[:0], s.barred[:0], 0, false
	return s.seed, true
}

// Exhausted is how many schedules there were, if there are no others.
func (s *dpor) Exhausted() schedule.Extent {
	return schedule.Extent{Complete: s.begun && len(s.nodes) == 0 && s.why == "", Unbounded: true, Schedules: s.whole, Why: s.why}
}

func (s *dpor) Pick(p *schedule.Point) schedule.Choice {
	s.follow(p.Steps)
	if p.Index < len(s.nodes) {
		return s.again(p)
	}
	chosen := s.awake(p)
	if s.blocked || chosen < 0 {
		s.blocked = true
		s.bar(p)
		return schedule.Choice{Stop: true}
	}
	id := p.Runnable[chosen]
	n := node{step: len(p.Steps), enabled: leaders(p), sleep: slices.Clone(s.sleep), wanted: []uint32{id}, chosen: id}
	if p.Clocked() && id != schedule.Clock {
		n.wanted = append(n.wanted, schedule.Clock) // the timer may be stopped, and then no step shows that it could have fired
	}
	s.nodes = append(s.nodes, n)
	return schedule.Choice{Index: chosen}
}

// again repeats a decision.
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

// follow wakes those that a step since the last decision conflicts with.
func (s *dpor) follow(steps []schedule.Step) {
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
// may. Who would only begin to wait for a mutex may not, as long as others can run.
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

// held reports whether a goroutine is about to take a lock that somebody has.
func held(p *schedule.Point, id uint32) bool {
	return id != schedule.Clock && p.Held != nil && p.Held(id)
}

// mirrors reports whether what follows if a goroutine goes on is the same, but for the names of
// two, as if another one did.
func mirrors(p *schedule.Point, id uint32) bool {
	return id != schedule.Clock && p.Mirrors != nil && p.Mirrors(id)
}

// leaders are those that can go on and mirror nobody.
func leaders(p *schedule.Point) []uint32 {
	return slices.DeleteFunc(slices.Clone(p.Runnable), func(id uint32) bool { return mirrors(p, id) })
}

// bar notes who would take a lock that somebody has, where a schedule is given up. He takes it
// in another schedule of this set only if it goes on like this one: what he would have raced
// with before must be looked for here.
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

// End looks for races in what is new of the schedule, and goes on to the next.
func (s *dpor) End(run schedule.Trace) {
	if !s.blocked {
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
	s.rested = run.Rested
	if len(run.Steps) < s.fresh { // it has ended before it was to leave the one before
		s.omit("a schedule did not repeat")
		s.fresh = len(run.Steps)
	}
	s.learn(run)
	if !s.races.find(run.Steps, s.barred, s.fresh, s.reverse) {
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
func (s *dpor) learn(run schedule.Trace) {
	for i := range s.nodes[:min(len(s.nodes), len(run.Decisions))] {
		n, d := &s.nodes[i], run.Decisions[i]
		if n.begun && n.hash != d.Hash {
			s.omit("a schedule did not repeat") // before it came to this decision
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
	}
}

// reverse sees to it that two steps that race also come the other way round:
// at the decision before the earlier one, one of the goroutines must have its
// turn that can begin what leads to the later step without the earlier one.
func (s *dpor) reverse(earlier int, initials []uint32) {
	i, ok := slices.BinarySearchFunc(s.nodes, earlier, func(n node, step int) int { return n.step - step })
	if len(initials) == 1 && initials[0] == schedule.Clock && (!ok || !slices.Contains(s.nodes[i].enabled, schedule.Clock)) {
		return // there was no timer yet, or none that was near
	}
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
		if slices.Contains(n.wanted, id) || asleep(n.sleep, id) {
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
			n.chosen, n.selected, n.cases, n.did, n.known = id, 0, 0, schedule.Operation{}, false
			return true
		}
	}
	return false
}

// A dporState is what the next schedules depend on.
type dporState struct {
	Seed         uint64
	Nodes        []nodeState
	Begun        bool
	Fresh, Whole int
	Why          string
}

// A nodeState is a node as it is kept.
type nodeState struct {
	Step             int
	Enabled, Wanted  []uint32
	Sleep            []sleeperState
	Chosen, Selected uint32
	Cases            int
	Did              schedule.Operation
	Hash             uint64
	Begun, Known     bool
}

// A sleeperState is a sleeper as it is kept.
type sleeperState struct {
	ID uint32
	Op schedule.Operation
}

// Checkpoint has the decisions of the next schedule, and what is to be done at each.
func (s *dpor) Checkpoint() ([]byte, error) {
	k := dporState{Seed: s.seed, Begun: s.begun, Fresh: s.fresh, Whole: s.whole, Why: s.why}
	for _, n := range s.nodes {
		kn := nodeState{
			Step: n.step, Enabled: n.enabled, Wanted: n.wanted, Chosen: n.chosen, Selected: n.selected,
			Cases: n.cases, Did: n.did, Hash: n.hash, Begun: n.begun, Known: n.known,
		}
		for _, z := range n.sleep {
			kn.Sleep = append(kn.Sleep, sleeperState{z.id, z.op})
		}
		k.Nodes = append(k.Nodes, kn)
	}
	return pack(k)
}

// Restore goes on from a checkpoint.
func (s *dpor) Restore(checkpoint []byte) error {
	var k dporState
	if err := unpack(checkpoint, &k); err != nil {
		return err
	}
	*s = dpor{seed: k.Seed, begun: k.Begun, fresh: k.Fresh, whole: k.Whole, why: k.Why}
	for _, kn := range k.Nodes {
		n := node{
			step: kn.Step, enabled: kn.Enabled, wanted: kn.Wanted, chosen: kn.Chosen, selected: kn.Selected,
			cases: kn.Cases, did: kn.Did, hash: kn.Hash, begun: kn.Begun, known: kn.Known,
		}
		for _, z := range kn.Sleep {
			n.sleep = append(n.sleep, sleeper{z.ID, z.Op})
		}
		s.nodes = append(s.nodes, n)
	}
	return nil
}

// longPoll is why a search makes no claim that has met one.
const longPoll = "a loop that counts its turns was taken to wait after many"
