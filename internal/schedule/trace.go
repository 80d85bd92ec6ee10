package schedule

// A Step is what a goroutine did from one scheduling point to its next: the operation
// that it had announced, and everything after it up to the next point.
//
// A step of the [Clock] is the firing of a timer that could have been chosen earlier. It
// changes [TimeObject], and is on the selects that wait for a timer.
type Step struct {
	Goroutine uint32
	// Case is the ready case that its select took.
	Case uint32
	// Count is what it added to a wait group, if its operation counts.
	Count int32
	// Passed is by how many nanoseconds it moved the clock, if it is the clock's.
	Passed int64
	// Waits is the object of the wait group for which it has begun to wait, or from
	// which it was woken: see [Step.Idles].
	Waits uint32
	// Twin is the goroutine that was indistinguishable from this one so far, if the step is
	// its first after the one that begins it: see [Point].Mirrors.
	Twin uint32

	// Late says that time has passed before the step: every earlier step precedes it
	// and all later ones.
	Late bool
	// Ended says that a function given to T.Go has returned.
	Ended bool
	// Joined says that T.Wait has returned: the step, which is the rest of what the
	// goroutine did, comes after everything that ended before. It belongs to the
	// preceding step; there is no decision in between.
	Joined bool
	// Resumed says that the step has no observable effect: a goroutine that had blocked in
	// T.Wait, or in an operation on a single channel, returned; or it found a mutex locked.
	Resumed bool

	// Operation is what it worked on: the announced operation, and calls and returns of
	// a [History] besides.
	Operation Operation
	// Cause is the number of the step that started the goroutine, or woke it for this
	// step; -1 if there is none, or it was the clock.
	Cause int
	// Room is the capacity of the channel that it sends to or receives from outside of a
	// select; -1 if the channel was not empty, or closed, when the execution first used it.
	Room int
	Site uint64 // hash of the place in the code; 0 if there is none
	// Settled are goroutines whose earlier steps all precede this step: it follows
	// synctest.Wait, or moves the clock of a bubble of testing/synctest, and they are
	// the other goroutines of that bubble, all of which were blocked.
	Settled []uint32

	Within
}

// Within is the part of a step that only an [Insider] receives.
type Within struct {
	Inner   []uint32 // objects that trusted code worked on
	Trusted bool     // Operation.All is set only because trusted code performs the operation
	Calls   bool     // system calls were made
}

// SystemCalls appears in [Trace].Opaque for system calls.
const SystemCalls = "system calls"

// An Insider is a [Picker] that also receives Within for each step.
type Insider interface{ Inside() }

// Idles removes the effect of a step that awaits a wait group: it has only begun to
// wait, or was woken. The step in which it continues follows.
func (s *Step) Idles() { s.Waits, s.Operation = s.Operation.Object, Operation{} }

// A Trace describes the schedule of an execution that is over.
type Trace struct {
	Decisions []Decision
	// Steps are all steps, including those without a choice. Steps and Decisions are
	// valid until the next execution begins.
	Steps []Step
	// Forced says that the strategy was not asked to the end, because the execution had
	// too many steps.
	Forced bool
	// Rested says that spinning goroutines were excluded from those that could
	// run.
	Rested bool
	// Spent says that a timer was out of the clock's reach only because goroutines had been
	// held up before.
	Spent bool
	// Polled says that one of these counts its turns, so that it might have given up.
	Polled bool
	// Opaque, if not empty, names what the execution did in an order that the steps do
	// not show.
	Opaque string
}

// Quiet reports whether steps contain nothing by which a goroutine that id starts after them
// could differ from one that it has started before them.
func Quiet(steps []Step, id uint32) bool {
	for i := range steps {
		s := &steps[i]
		counts := s.Operation.Mode == Counts && s.Count > 0 && s.Operation.Accesses() == 1
		switch {
		case s.Goroutine == Clock, s.Late, len(s.Settled) > 0:
			return false
		case s.Goroutine == id && (s.Operation.All || s.Joined || s.Cause >= 0 || s.Operation.Object != 0 && !counts):
			return false
		}
	}
	return true
}
