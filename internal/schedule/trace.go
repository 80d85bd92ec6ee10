package schedule

// A Step is what a goroutine did from one scheduling point to its next: the
// operation that it had announced, and all that follows it up to the next one.
//
// That of the [Clock] is that a timer fires which could have been chosen to fire
// before. It is on everything.
type Step struct {
	Goroutine uint32
	// Case is which of the ready cases its select took.
	Case uint32
	// Count is what was added to a wait group, if its operation counts.
	Count int32
	// Waits is the wait group that it has begun to wait for, or was woken from, as an
	// object: see [Step.Idles].
	Waits uint32
	// Twin is the goroutine that it could not be told from so far, if the step is the first that
	// is not to begin: see [Point].Mirrors.
	Twin uint32

	// Late says that time has passed before the step: every step before comes
	// before it and all after it.
	Late bool
	// Ended says that what was given to T.Go has returned.
	Ended bool
	// Joined says that T.Wait has returned: the step, which is what the
	// goroutine did from there on, comes after all that ended before. It is
	// part of the one before it; no decision comes between.
	Joined bool
	// Resumed says that there is nothing in the step that others could tell: it is the return of who had
	// blocked in T.Wait, or by itself with a channel, or an attempt to take a mutex that was held.
	Resumed bool

	// Operation is what it worked on: as announced, and calls and returns of
	// a [History] besides.
	Operation Operation
	// Cause is the number of the step that started the goroutine, or woke it,
	// for this one; -1 if there is none, or it was the clock.
	Cause int
	// Room is how many values the channel has room for that it sends to or receives from by
	// itself; -1 if the channel was not empty, or closed, when the execution first came to it.
	Room int
	Site uint64 // hash of the place in the code; 0 if there is none
	// Settled are goroutines all of whose steps before come before it: the step is
	// what follows synctest.Wait, or moves the clock of a bubble of testing/synctest,
	// and they are the others of that bubble, all of which were blocked.
	Settled []uint32

	Within
}

// Within is what is told of a step to an [Insider] only.
type Within struct {
	Inner   []uint32 // objects that trusted code worked on
	Trusted bool     // its operation is on all for no other reason than that trusted code performs it
	Calls   bool     // system calls were made
	Looks   bool     // it looked at the clock, or worked on a timer
}

// SystemCalls stands in [Trace].Opaque for system calls.
const SystemCalls = "system calls"

// An Insider is a [Picker] that is told more of steps.
type Insider interface{ Inside() }

// Idles makes a step that awaits one that does nothing that others could tell: it has
// begun to wait, or was woken. The one in which it goes on follows.
func (s *Step) Idles() { s.Waits, s.Operation = s.Operation.Object, Operation{} }

// A Trace is what a schedule was.
type Trace struct {
	Decisions []Decision
	// Steps are all steps, those included where there was no choice. Neither
	// they nor the decisions are good any more when the next execution begins.
	Steps []Step
	// Forced says that the strategy was not asked to the end, because the
	// execution took too many steps.
	Forced bool
	// Rested says that goroutines that spin were left out of those that could
	// run.
	Rested bool
	// Polled says that one of these counts its turns, so that it might have given up.
	Polled bool
	// Opaque, if not empty, is what the execution did whose order the steps
	// do not tell.
	Opaque string
}
