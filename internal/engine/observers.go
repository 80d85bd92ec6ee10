package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// What most programs cannot tell is no point, or no conflict, until a program is
// seen that can: it would multiply the schedules of all others. What an execution
// shows of that holds from the next one on, and searches begin again, as with data
// races whose accesses become points.
type Observers uint16

const (
	// A lock for readers and writers is tried. Lock, Unlock and TryLock take two
	// steps each then, as they do on processors: one with the writers, one with the
	// readers. To those who wait for the lock it is one.
	triesLocks Observers = 1 << iota
	// An atomic operation works on a part of what another one works on.
	mixesSizes
	// A wait group was counted down too often, or added to before all had gone on that
	// had waited for it. Who does that panics, or somebody else does in the midst of Done
	// or Wait: so it matters who is last, and each takes the steps that Go has.
	misusesGroups
	// Somebody asks how many goroutines there are, or for their stacks: one that has
	// done all it does is still there until it ends, which is a step of its own then.
	countsTasks
	// A goroutine unlocks a sync.RWMutex that another one has locked to read, or nobody: so
	// others can tell whether somebody reads.
	handsReads
	// A goroutine changes files that another one uses.
	sharesFiles
	// A wait group is added to while it may be waited for, or may be counted down too often:
	// so others can tell what it comes to in between. See [schedule.Shared].
	sharesGroups
	// Something was done in random order, or a number was drawn, where goroutines are alike: each
	// has its own random choices.
	drawsLots
	// A timer is near while goroutines go on behind the body. Nobody is held up any more then,
	// so it matters whether the body has returned: that is a step of its own, on everything.
	outlivesBody
)

// Observe makes executions from the next one on what a program with these observers
// needs. It reports whether there are any that were not known.
func (x *Engine) Observe(found Observers) bool {
	if found&^x.Observers == 0 {
		return false
	}
	x.Observers |= found
	told := source.Steps{Locks: x.Observers&triesLocks != 0, Groups: x.Observers&misusesGroups != 0}
	if x.Sites.Told != told {
		used, hidden := x.Sites.Used, x.Sites.Hidden
		x.Sites = source.NewSites(x.Settings.Trust, x.Settings.Streams, x.Settings.Targets)
		x.Sites.Used, x.Sites.Hidden, x.Sites.Told = used, hidden, told
	}
	return true
}

// watches reports whether the program has such observers, as far as is known.
func (ex *Execution) watches(o Observers) bool { return ex.Engine.Observers&o != 0 }

// observer takes note of what a task's operation can tell of others'.
func (ex *Execution) observer(m *control.Task, s *source.Site) {
	if s.Tries {
		ex.Observed |= triesLocks
	}
	if m.Op == control.OpCount {
		ex.Observed |= countsTasks
	}
}

// onGroup is how an operation works on a wait group.
func (ex *Execution) onGroup(m *control.Task, s *source.Site) schedule.Mode {
	switch shared := ex.watches(sharesGroups) || m.Bubble != 0; {
	case s.Kind == source.SiteDone && ex.watches(misusesGroups):
		return schedule.Changes
	case s.BeginsWait() && ex.watches(sharesGroups):
		return schedule.Changes // the detector knows of the first of those who wait only
	case shared || ex.watches(misusesGroups):
		return s.Mode()
	case s.Op == source.GroupWait:
		return schedule.Awaits
	}
	return schedule.Counts
}

// looksAtGroup has a step of a Wait be one that does not begin to wait.
func looksAtGroup(s *schedule.Step) {
	if s.Operation.Mode == schedule.Changes && s.Operation.Accesses() == 1 {
		s.Operation.Mode = schedule.Reads
	}
}

// misused takes note of a wait group that m has counted down too often, and of one that is
// in use again when a Wait of m ends: its counter is the upper half of the word.
func (ex *Execution) misused(m *control.Task, s *source.Site, addr uintptr) {
	last := &ex.Trail[len(ex.Trail)-1]
	if s.BeginsWait() && m.State != control.Blocked {
		looksAtGroup(last)
	}
	state, ok := source.Word(addr-s.Offset, 8)
	if ok && last.Operation.Mode == schedule.Awaits && m.State == control.Blocked && state>>32 != 0 {
		last.Idles()
	}
	inUse := s.Op == source.GroupWait && state>>32 != 0 && m.State != control.Blocked
	if ok && (int64(state) < 0 || inUse) {
		ex.Observed |= misusesGroups
	}
}

// sized takes note of the size of a variable that is worked on.
func (ex *Execution) sized(addr, size uintptr) {
	if ex.Objects.Sized(addr, size) {
		ex.Observed |= mixesSizes
	}
}

// wide adds to an operation on a variable at addr that it is on the second half too,
// if that matters.
func (ex *Execution) wide(o *schedule.Operation, addr uintptr, kind string) {
	if ex.watches(mixesSizes) {
		o.Add(schedule.Access{Object: ex.Objects.Number(addr+source.Granule, kind), Mode: o.Mode})
	}
}

// manifold adds to the step that has just been made that there are other goroutines
// now than before it.
func (ex *Execution) manifold() {
	if ex.watches(countsTasks) && len(ex.Trail) > 0 {
		ex.touch(schedule.Access{Object: ex.tasksObject(), Mode: schedule.Releases})
	}
}

// tasksObject stands for which goroutines there are.
func (ex *Execution) tasksObject() uint32 { return ex.Objects.Number(^uintptr(0), "goroutines") }
