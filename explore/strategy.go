package explore

import (
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/strategy"
)

// A Strategy chooses schedules. It is used for one exploration at a time, from
// one goroutine.
//
// It has Name, Reset, Begin, Pick and End: see go doc internal/schedule.Strategy.
type Strategy = schedule.Strategy

// An Exhauster is a [Strategy] that knows whether there is anything left to run.
//
// It has Exhausted: see go doc internal/schedule.Exhauster.
type Exhauster = schedule.Exhauster

// An Extent is how far a search has come.
//
// It has Complete, Unbounded, Bound, Schedules and Why: see go doc
// internal/schedule.Extent.
type Extent = schedule.Extent

// A Checkpointer is a [Strategy] with which another process can go on.
//
// It has Checkpoint and Restore: see go doc internal/schedule.Checkpointer.
type Checkpointer = schedule.Checkpointer

// A Point is a moment at which a schedule is decided: no goroutine runs, and
// each of those that can has announced its next operation.
//
// It has Index, Runnable, Current, Yielded, Next, Created, Pending, Steps, Held, Mirrors,
// Default, Preempts and Clocked: see go doc internal/schedule.Point.
type Point = schedule.Point

// A Choice is a goroutine and, if its operation is a select, which of the
// cases that are ready by then.
//
// It has Stop, Index and Case: see go doc internal/schedule.Choice.
type Choice = schedule.Choice

// A Decision is a point and what was chosen there.
//
// It has Runnable, Default, Preempts, Clocked, Held, Chosen, Ready, Goroutine, Last,
// Nth, Hash, Deviates, Stalls and Costs: see go doc internal/schedule.Decision.
type Decision = schedule.Decision

// A Trace is what a schedule was.
//
// It has Decisions, Steps, Forced, Rested, Polled and Opaque: see go doc
// internal/schedule.Trace.
type Trace = schedule.Trace

// A Step is what a goroutine did from one scheduling point to its next: the
// operation that it had announced, and all that follows it up to the next one.
//
// It has Goroutine, Operation, Cause, Late, Settled, Ended, Joined, Case, Count,
// Waits, Idles, Room, Resumed, Site, Twin and Placed: see go doc internal/schedule.Step.
type Step = schedule.Step

// An Operation is what a goroutine will do when it is run next: which objects
// it works on, and how. Objects have numbers, which are good in one execution.
// Two executions that have begun alike have given the same numbers: an object
// gets its number when an operation on it is first announced.
//
// What an operation is on is what decides whether the order of two matters, so
// it must never be too little. A channel, a lock and every other thing of package
// sync is one object each, whatever it is made of; a select is on all of its
// channels; a timer is on its channel. Atomic variables and learnt accesses to
// plain memory are on the memory, in pieces of four bytes. The clock is no object:
// it moves only when nobody can run, so all that comes before comes before all
// that comes after. To start a goroutine, to begin and to yield are on nothing.
//
// It has Object, Mode, More, All, Site, Near, Target, Conflicts, Accesses, Access, Add, AddAll, With,
// And and Covers: see go doc internal/schedule.Operation.
type Operation = schedule.Operation

// An Access is how an operation works on one object.
//
// It has Object and Mode: see go doc internal/schedule.Access.
type Access = schedule.Access

// A Mode sorts the operations on one object by whether their order can be told.
// Reads commute, as do releases, counts and those who await; so do a send and a receive.
//
// It has Looks, Behind and Queues: see go doc internal/schedule.Mode.
type Mode = schedule.Mode

const (
	// Changes is any operation that is none of the others.
	Changes = schedule.Changes
	// Reads leaves the object as it is, for all that others can tell: an atomic
	// load, the call of an operation of a [History], RLock where others can tell who reads.
	Reads = schedule.Reads
	// Releases gives back what many may hold: the return of an operation of a History,
	// RUnlock where others can tell.
	Releases = schedule.Releases
	// Counts adds to a number that it does not look at: an atomic addition that is a
	// statement, so that nobody takes its result, and WaitGroup.Add and Done, where
	// nobody can see what it comes to in between.
	Counts = schedule.Counts
	// Awaits goes on once such a count is zero, behind all that was counted before:
	// WaitGroup.Wait. Where others can tell, it is one of Reads, Done of Releases and Add
	// of Changes.
	Awaits = schedule.Awaits
	// Sends is a send that no select does, and that waits if it has to. A send and a receive
	// commute: values come out in the order in which they went in.
	Sends = schedule.Sends
	// Receives is such a receive.
	Receives = schedule.Receives
	// Takes takes a sync.Mutex, if need be once it is free.
	Takes = schedule.Takes
	// Frees gives it back.
	Frees = schedule.Frees
	// Shares takes a sync.RWMutex to read. A writer Takes and Frees it. It is told who came
	// before whom of those who Share it and who Take it, and no more.
	Shares = schedule.Shares
	// Returns gives back what was taken to read.
	Returns = schedule.Returns
	// Enters is when one goes on who has waited for readers, or to read.
	Enters = schedule.Enters
)

// RandomWalk chooses uniformly among the goroutines that can run, at every
// point. In the study of Thomson, Donaldson and Betts (Concurrency Testing
// Using Controlled Schedulers, TOPC 2016) it did as well as far cleverer
// searches, and it has nothing to tune.
func RandomWalk() Strategy { return strategy.RandomWalk() }

// PCT gives every goroutine a random priority, always runs the one with the
// highest, and lowers the running one's at depth-1 random points (Burckhardt,
// Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs, ASPLOS 2010, section 3). With n goroutines and k
// points a bug of depth d is found with probability at least 1/(n·k^(d-1)) per
// schedule.
//
// Departures: k is not given but learnt, as the longest schedule so far; the
// first schedule has no change points, so it measures the length without
// preemption. A goroutine that yields, or runs for too long, gets the lowest
// priority, or a spinning one would keep out the one it waits for. A select's
// ready case is chosen uniformly.
//
// depth must not be negative. 0 means one that grows over the schedules, so that
// it need not be known: 1; 1, 2; 1, 2, 3; and so on up to 6, again and again.
func PCT(depth int) Strategy { return strategy.PCT(depth) }

// POS, partial order sampling, gives every pending operation a random priority
// and runs the one with the highest; the operations that conflict with it then
// draw theirs anew (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling,
// CAV 2018, algorithm 2). So the order of each pair of conflicting operations
// is decided by a toss of its own, and orders that do not matter cost nothing.
//
// Departures: a goroutine that yields, or runs for too long, draws anew from
// below all others. A select's ready case is chosen uniformly.
func POS() Strategy { return strategy.POS() }

// Directed has operations come right after others on the same object: this load
// after that store, this lock after that unlock, this receive after that send, or
// before any other goroutine has touched the object. It draws a few such demands for
// each schedule, by places in the code, among those that the executions so far make
// thinkable, and prefers what was never met, or never together with the others. POS
// decides all else (Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox Fuzzing for
// Concurrency Testing, ASPLOS 2024, sections 4 and 5).
//
// So goroutines that run the same code are one to it, however many they are, and a
// bug that needs one of a hundred to come first is as near as one of two.
//
// Departures: there is no corpus of schedules that are mutated; by the paper's own
// figures as many bugs are found without. Demands are made of locks, channels and
// all other objects too, not of memory alone. One that keeps out all others that
// could run, or that holds somebody up for longer than a whole execution has taken,
// is dropped. One schedule in four is plain POS.
func Directed() Strategy { return strategy.Directed() }

// Guided begins most schedules as one that came to something new, up to somewhere
// before that or there, and goes on by POS. So what takes several unlikely steps, one
// behind the other, is met step by step, and need not be met by one schedule from its
// beginning (greybox fuzzing, with schedules in place of inputs: Wolff, Shi, Duck,
// Mathur, Roychoudhury: Greybox Fuzzing for Concurrency Testing, ASPLOS 2024). It is
// for thousands of schedules; of a few hundred, Directed makes more.
//
// What is new is a constellation: the place in the code of a step, and the places at
// which the other goroutines are about to go on, whichever goroutine is at which.
//
// Departures: the paper's schedules are sets of pairs of a write and a read that takes
// its value, and such pairs are what is new; here they are the decisions themselves.
// One schedule in eight is plain POS. At most a million decisions are kept.
func Guided() Strategy { return strategy.Guided() }

// SURW, selectively uniform random walk, chooses the next goroutine with a
// probability proportional to how many decisions it has left, so that every
// interleaving of the goroutines' decisions is about equally likely (Zhao et
// al.: Selectively Uniform Concurrency Testing, ASPLOS 2025, section 4). A plain
// random walk favours interleavings in which short goroutines end early.
//
// Departures: the counts are not profiled beforehand but learnt, as the average
// over the schedules so far, so the first schedule is a plain random walk. All
// scheduling points are of interest; none is selected. Goroutines are told apart
// by the order of their creation, and the decisions of those that are yet to
// start count as the body's, which starts most of them: or it would rarely come
// to start the last while the first has much to do. One that has outlived its count has one
// decision left; one that yields, or runs for too long, is passed over if
// another can run. A select's ready case is chosen uniformly.
func SURW() Strategy { return strategy.SURW() }

// DepthFirst runs every schedule with no preemption, then every one with a
// single preemption, and so on up to bound (Musuvathi and Qadeer: Iterative
// Context Bounding for Systematic Testing of Multithreaded Programs, PLDI
// 2007). To go on with another goroutine when the running one blocks, ends or
// yields is free, so bound 0 is a finite search already. A select with several
// ready cases is a choice too; it costs nothing. Each schedule is run once: a
// round leaves the schedules with one preemption more to the next.
//
// Random choices other than a select's (the order of a map, math/rand) are
// those of one seed for the whole search.
//
// bound must not be negative.
func DepthFirst(bound int) Strategy { return strategy.DepthFirst(bound) }

// Reduced is [DepthFirst] without schedules for which another one stands, that has no
// more preemptions, and claims the same. A goroutine is stopped only where that makes a
// difference: behind a step that has to do with what others do until it goes on, by the
// objects that both are on; see [Operation]. The clock has to do with those who look at it. Calls into code that [Config].Trust names are
// told apart too, by what they work on. Schedules are drawn one after the other, by one
// process.
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
func DPOR() Strategy { return strategy.DPOR() }
