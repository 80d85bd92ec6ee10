package explore

import (
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
)

// A Strategy chooses schedules. Each serves one exploration at a time, which calls it
// from one goroutine.
//
// It has Name, Reset, Begin, Pick and End: see go doc internal/schedule.Strategy.
type Strategy = schedule.Strategy

// An Exhauster is a [Strategy] that knows whether there is anything left to run.
//
// It has Exhausted: see go doc internal/schedule.Exhauster.
type Exhauster = schedule.Exhauster

// A Foreseer is a search that knows how far it has come. It has Rest: see go doc internal/schedule.Foreseer.
type Foreseer = schedule.Foreseer

// An Extent is how far a search has come.
//
// It has Complete, Unbounded, Bound, Schedules and Why: see go doc
// internal/schedule.Extent.
type Extent = schedule.Extent

// A Checkpointer is a [Strategy] whose search another process can resume.
//
// It has Checkpoint and Restore: see go doc internal/schedule.Checkpointer.
type Checkpointer = schedule.Checkpointer

// A Point is a moment at which the schedule is decided: no goroutine runs, and each of
// those that can run has announced its next operation.
//
// It has Index, Runnable, Current, Yielded, Next, Created, Pending, Steps, Held, Mirrors,
// Default, Preempts and Clocked: see go doc internal/schedule.Point.
type Point = schedule.Point

// A Choice is a goroutine and, if its operation is a select, the index among its ready
// cases.
//
// It has Stop, Index and Case: see go doc internal/schedule.Choice.
type Choice = schedule.Choice

// A Decision is a point together with the choice that was made there.
//
// It has Runnable, Default, Preempts, Clocked, Held, Chosen, Ready, Goroutine, Turn, Last,
// Nth, Hash, Deviates, Stalls and Costs: see go doc internal/schedule.Decision.
type Decision = schedule.Decision

// A Trace describes the schedule of an execution that is over.
//
// It has Decisions, Steps, Forced, Rested, Spent, Polled and Opaque: see go doc
// internal/schedule.Trace.
type Trace = schedule.Trace

// A Step is what a goroutine did from one scheduling point to its next: the operation
// that it had announced, and everything after it up to the next point.
//
// It has Goroutine, Operation, Cause, Late, Settled, Ended, Joined, Case, Count,
// Waits, Passed, Idles, Room, Resumed, Site, Twin and Placed: see go doc internal/schedule.Step.
type Step = schedule.Step

// An Operation is what a goroutine will do when it runs next: the objects that it works
// on, and how. Object numbers are valid within one execution. Two executions that have
// begun alike have given the same numbers: an object gets its number when an operation
// on it is first announced.
//
// The objects of two operations decide whether their order matters, so an operation
// must never name too few. A channel, a lock and every other type of package sync is
// one object each, whatever its parts; a select is on all of its channels; a timer is
// on its channel. Atomic variables and learnt accesses to plain memory are on the
// memory, in pieces of four bytes. The clock is no object: it moves when no goroutine
// can run, between all earlier and all later steps, or by a step of its own, which is
// on everything. To start a goroutine, to begin and to yield are on no object.
//
// It has Object, Mode, More, All, Site, Near, Target, Conflicts, Accesses, Access, Add, AddAll, With,
// And and Covers: see go doc internal/schedule.Operation.
type Operation = schedule.Operation

// An Access is how an operation works on one object.
//
// It has Object and Mode: see go doc internal/schedule.Access.
type Access = schedule.Access

// A Mode classifies operations on one object by whether their order is observable. Reads
// commute with each other, as do releases, counts and awaits; so do a send and a receive.
//
// It has Looks, Behind and Queues: see go doc internal/schedule.Mode.
type Mode = schedule.Mode

const (
	// Changes is any operation that none of the others covers.
	Changes = schedule.Changes
	// Reads leaves the object as it is, as far as others can observe: an atomic load, the
	// call of an operation of a [History], RLock where others can observe who reads.
	Reads = schedule.Reads
	// Releases gives back what several goroutines may hold: the return of an operation
	// of a History, RUnlock where others can observe it.
	Releases = schedule.Releases
	// Counts adds to a number without looking at it: an atomic addition used as a
	// statement, whose result is dropped, and WaitGroup.Add and Done where no goroutine
	// can observe the intermediate counts.
	Counts = schedule.Counts
	// Awaits continues once such a count is zero, after everything counted before:
	// WaitGroup.Wait. Where others can observe the intermediate counts, Wait is one of
	// Reads, Done of Releases and Add of Changes.
	Awaits = schedule.Awaits
	// Sends is a send outside of a select, which waits if it has to. A send and a receive
	// commute: values come out in the order in which they went in.
	Sends = schedule.Sends
	// Receives is a receive outside of a select.
	Receives = schedule.Receives
	// Takes locks a sync.Mutex, waiting until it is free.
	Takes = schedule.Takes
	// Frees unlocks the mutex.
	Frees = schedule.Frees
	// Shares locks a sync.RWMutex for reading. A writer Takes and Frees it. Of such a lock,
	// only the order between those who Share it and those who Take it is observable.
	Shares = schedule.Shares
	// Returns unlocks what was locked for reading.
	Returns = schedule.Returns
	// Enters is the continuation of a goroutine that has waited for readers, or to read.
	Enters = schedule.Enters
)

// RandomWalk chooses uniformly among the goroutines that can run, at every point. In
// the study of Thomson, Donaldson and Betts (Concurrency Testing Using Controlled
// Schedulers, TOPC 2016) it did as well as far more complex searches. It has no
// parameters.
func RandomWalk() Strategy { return strategy.RandomWalk() }

// PCT gives every goroutine a random priority, always runs the one with the
// highest, and lowers the running one's at depth-1 random points (Burckhardt,
// Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs, ASPLOS 2010, section 3). With n goroutines and k
// points a bug of depth d is found with probability at least 1/(n·k^(d-1)) per
// schedule.
//
// Departures: k is not given but learnt, as the length of the longest schedule so far;
// the first schedule has no change points, so it measures the length without
// preemption. A goroutine that yields, or runs for too long, gets the lowest priority;
// otherwise a spinning one would starve the one it waits for. A select's ready case is
// chosen uniformly.
//
// depth must not be negative. 0 means a depth that varies over the schedules, so that
// it need not be known: 1; 1, 2; 1, 2, 3; and so on up to 6, again and again.
func PCT(depth int) Strategy { return strategy.PCT(depth) }

// POS, partial order sampling, gives every pending operation a random priority and runs
// the one with the highest; the operations that conflict with it then draw new
// priorities (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018,
// algorithm 2). So the order of each pair of conflicting operations is drawn
// independently, and orders that do not matter cost nothing.
//
// Departures: a goroutine that yields, or runs for too long, draws a new priority below
// all others. A select's ready case is chosen uniformly.
func POS() Strategy { return strategy.POS() }

// Directed makes operations come right after others on the same object: this load after
// that store, this lock after that unlock, this receive after that send, or before any
// other goroutine has touched the object. For each schedule it draws a few such
// demands, as places in the code, among those that the executions so far suggest are
// possible. It prefers demands never met, or never met together with the others. POS
// decides everything else (Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox Fuzzing for
// Concurrency Testing, ASPLOS 2024, sections 4 and 5).
//
// Goroutines that run the same code are thus treated alike, however many they are. A
// bug that needs one of a hundred to come first is as likely to be found as one of two.
//
// Departures: there is no corpus of mutated schedules; by the paper's own figures as
// many bugs are found without one. Demands involve locks, channels and all other
// objects, not just memory. A demand that blocks all goroutines that could run, or
// holds one up for longer than a whole execution has taken, is dropped. One schedule in
// four is plain POS.
func Directed() Strategy { return strategy.Directed() }

// Guided begins most schedules with a prefix of one that reached something new, up to
// that point or an earlier one, and continues by POS. So a bug that takes several
// unlikely steps in a row is approached step by step, and need not be met by one schedule
// from its beginning (greybox fuzzing, with schedules in place of inputs: Wolff, Shi,
// Duck, Mathur, Roychoudhury: Greybox Fuzzing for Concurrency Testing, ASPLOS 2024). It
// pays with thousands of schedules; with a few hundred, Directed finds more.
//
// What counts as new is a constellation: the place in the code of a step, and the places
// at which the other goroutines will continue, regardless of which goroutine is at which.
//
// Departures: the paper's schedules are sets of pairs of a write and a read of its
// value, and new pairs count as novelty; here schedules are the decisions themselves.
// One schedule in eight is plain POS. At most a million decisions are kept.
func Guided() Strategy { return strategy.Guided() }

// SURW, selectively uniform random walk, chooses the next goroutine with a
// probability proportional to how many decisions it has left, so that every
// interleaving of the goroutines' decisions is about equally likely (Zhao et
// al.: Selectively Uniform Concurrency Testing, ASPLOS 2025, section 4). A plain
// random walk favours interleavings in which short goroutines end early.
//
// Departures: the counts are not profiled beforehand but learnt, as the average over the
// schedules so far, so the first schedule is a plain random walk. All scheduling points
// are of interest; none is selected. Goroutines are identified by the order of their
// creation. The decisions of goroutines that have yet to start count as the body's, which
// starts most of them; otherwise the body would rarely start the last while the first has
// much to do. A goroutine that has used up its count has one decision left; one that
// yields, or runs for too long, is passed over if another can run. A select's ready case
// is chosen uniformly.
func SURW() Strategy { return strategy.SURW() }

// DepthFirst runs every schedule with no preemption, then every one with a single
// preemption, and so on up to bound (Musuvathi and Qadeer: Iterative Context Bounding
// for Systematic Testing of Multithreaded Programs, PLDI 2007). Switching to another
// goroutine when the running one blocks, ends or yields is free, so bound 0 is already
// a finite search. A select with several ready cases is a choice too; it costs nothing.
// Each schedule runs once: a round leaves the schedules with one more preemption to the
// next round.
//
// Random choices other than a select's (the order of a map, math/rand) are those of one
// seed for the whole search.
//
// bound must not be negative.
func DepthFirst(bound int) Strategy { return strategy.DepthFirst(bound) }

// Reduced is [DepthFirst] without schedules that are equivalent to another one with no more
// preemptions; it claims the same. It preempts a goroutine only where that makes a
// difference: after a step that conflicts with what others do before the goroutine continues,
// by the objects that both access; see [Operation]. The clock conflicts with operations that
// read it. Calls into code that [Config].Trust names are distinguished by the objects that
// they access. Schedules are chosen sequentially, by one process.
//
// bound must not be negative.
func Reduced(bound int) Strategy { return strategy.Reduced(bound) }

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
// Departures. An attempt to take a sync.Mutex that is held, or a sync.RWMutex that a writer
// holds or waits for, is delayed while other goroutines can run, like the paper's locks, which
// are disabled while they are held. A goroutine that blocks elsewhere makes a step, which puts
// it into a queue, and another one when it is woken. Waking and starting a goroutine order
// steps but are no races, since they cannot be reversed. Each ready case of a select is a
// branch. Calls and returns of a [History] are known to conflict only after they have run. A
// sleep-set blocked schedule, one in which all goroutines that can run are asleep, is given up
// at the next decision. Random choices other than a select's are those of one seed.
//
// A call of package testing or log, or one about the environment, is one step,
// on all the objects of its parts; so is what package testing does between two
// functions of a test. So executions that differ in the order of what a test
// logs count as different. The same applies to writes to standard output and
// error.
//
// DPOR makes no claim (see [Result].Incomplete) if an execution did not end within
// [Config].MaxSteps, as when a loop waits for another goroutine without blocking; if
// trusted code has started goroutines; or if the body used the network or pipes, or made
// system calls other than those of package os on files, because the order of these is not
// seen. Nor does it if a loop that counts its turns was put to rest; see spin.go in
// internal/engine.
func DPOR() Strategy { return strategy.DPOR() }
