package explore

import (
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// A Verdict is what an exploration concludes.
type Verdict = verdict.Verdict

// The verdicts. The zero value is Unknown: nothing is concluded by default.
const (
	Unknown  = verdict.Unknown
	Holds    = verdict.Holds
	Violated = verdict.Violated
)

// A Result is what [Run] found.
//
// It has Summary, Claim, Differing, Unexplored, Verdict, Reason, Failure, Schedules,
// Distinct, Exhausted, Unbounded, Bound, Searched, Incomplete, Unseen, Cut,
// Polled, Timed, Stall, Looked, Together, Drew, Ranged, Kept, Pooled, Mirrored, Pace, Coarse, Passed, Points, Seed, Novelty, PCT, RacesUnchecked, Lost,
// Outside, Depends, Left, Noted, Bookmark, Suspect, Trusted and Unmet: see go doc
// internal/verdict.Result.
type Result = verdict.Result

// A Failure is one failing schedule, minimised.
//
// It has Kind, Message, Messages, Schedule, Strategy, Found, FoundSteps,
// Preemptions, Steps, Minimal, Card, Plain, Timeline, Cause and, of its Timing, Of,
// Stall, Needs and Only: see go doc internal/verdict.Failure.
type Failure = verdict.Failure

// A Kind is how a schedule failed.
type Kind = engine.Kind

// The kinds of failure.
const (
	KindCheck    = engine.KindCheck    // t.Error, t.Fatal and their like
	KindPanic    = engine.KindPanic    // a panic that was not recovered
	KindFatal    = engine.KindFatal    // a fatal error of the Go runtime
	KindRace     = engine.KindRace     // two accesses to a variable that nothing orders, and one of them writes
	KindDeadlock = engine.KindDeadlock // the body can never return, or goroutines wait for one another's locks
	KindLeak     = engine.KindLeak     // a goroutine that can never end
	KindLivelock = engine.KindLivelock // the execution did not end within MaxSteps although it was scheduled fairly
	KindExit     = engine.KindExit     // os.Exit, log.Fatal: the process would have ended
	KindTiming   = engine.KindTiming   // any of these, found only where a goroutine that could run is held up, for 10 µs or more, until a timer fires
)

// A PCTBound is a bound on the probability that PCT's schedules have missed a bug.
//
// It has Schedules, Goroutines, Points and Miss: see go doc
// internal/verdict.PCTBound.
type PCTBound = verdict.PCTBound

// A Novelty estimates, from samples, what schedules that were not run would show.
//
// It has Samples, Alone, Twos, All and Chance: see go doc internal/verdict.Novelty.
type Novelty = verdict.Novelty

// A RaceReport is one report of the race detector.
//
// It has Address, Accesses and Same: see go doc internal/racelog.Report.
type RaceReport = engine.RaceReport

// A RaceAccess is one of the two accesses of a data race.
//
// It has Write, Atomic, Goroutine, Stack, PC, Where, Call and Kind: see go doc
// internal/racelog.Access.
type RaceAccess = engine.RaceAccess

// MemoryStatistics appears in [Result].Outside if the runtime was asked for memory
// statistics, as by testing.AllocsPerRun: they include the explorer's own allocations.
const MemoryStatistics = engine.MemoryStatistics

// A Replayed is what [Replay] found.
//
// It has Outcome, Result, Divergence, Toolchain, Executions and Was: see go doc
// internal/verdict.Replayed.
type Replayed = verdict.Replayed

// An Outcome says how far a card could be followed, and to what end.
type Outcome = verdict.Outcome

// The outcomes. The zero value is Diverged: nothing is concluded by default.
const (
	// Diverged: the execution could not follow the card; see
	// [Replayed].Divergence.
	Diverged = verdict.Diverged
	// Exact: the same program took the same course up to the last step.
	Exact = verdict.Exact
	// ReAnchored: the program differs from the card's, and the operations that the card
	// names led to a failure of the same kind and the same cause.
	ReAnchored = verdict.ReAnchored
	// Gone: the program differs from the card's; all operations that the card names
	// occurred where the card has them, and nothing failed.
	Gone = verdict.Gone
	// Otherwise: the program differs from the card's; all operations that the card
	// names occurred where the card has them, and it failed in another way.
	Otherwise = verdict.Otherwise
)

// A Divergence is the first place at which an execution could not follow a
// card.
//
// It has Decision, Decisions, Expected, Got and Void: see go doc
// internal/verdict.Divergence.
type Divergence = verdict.Divergence
