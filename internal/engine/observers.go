package engine

import (
	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// Observers are means by which a program can observe something that most programs cannot. What
// they reveal is no point, or no conflict, until an execution uses such a means: otherwise it
// would multiply the schedules of all programs. A newly found observer takes effect with the
// next execution, and searches begin again, as with data races whose accesses become points.
type Observers uint16

const (
	// A lock for readers and writers is tried. Lock, Unlock and TryLock then take two
	// steps each, as they do on processors: one with the writers, one with the readers.
	// For tasks that wait for the lock they are one.
	triesLocks Observers = 1 << iota
	// An atomic operation works on a part of a variable that another one works on as a whole.
	mixesSizes
	// A wait group was counted down too often, or added to before all its waiters went
	// on. The task that does so panics, or another one in the middle of Done or Wait. So
	// it matters which is last, and each operation takes the steps that it has in Go.
	misusesGroups
	// The number of goroutines or their stacks are read. A goroutine that has done its
	// work still exists until it ends, so that its end is then a step of its own.
	countsTasks
	// A goroutine unlocks for reading what it has not locked so: others can observe who reads.
	handsReads
	// A goroutine changes files that another one uses.
	sharesFiles
	// A wait group is added to while goroutines may wait for it, or may be counted down too
	// often. So others can observe its intermediate counts. See [schedule.Shared].
	sharesGroups
	// Something was done in random order, or a random number was drawn, while goroutines are
	// twins: each has its own random choices.
	drawsLots
	// A timer is near while goroutines run after the body. No goroutine is held up any more then,
	// so it matters whether the body has returned: that is then a step of its own, on everything.
	outlivesBody
	// A goroutine unlocks what another one has locked. See HandsLocks.
	handsLocks
	// A logger is set while others may log: a call of it looks at several things, one by one.
	setsLogs
)

// Observe adds observers, for the executions from the next one on. It reports whether
// any of them is new.
func (x *Engine) Observe(found Observers) bool {
	if found&^x.Observers == 0 {
		return false
	}
	x.Observers |= found
	told := source.Steps{Locks: x.Observers&triesLocks != 0, Groups: x.Observers&misusesGroups != 0, Logs: x.Observers&setsLogs != 0}
	if x.Sites.Told != told {
		used, hidden := x.Sites.Used, x.Sites.Hidden
		x.Sites = source.NewSites(x.Settings.Trust, x.Settings.Streams, x.Settings.Targets)
		x.Sites.Used, x.Sites.Hidden, x.Sites.Told = used, hidden, told
	}
	return true
}

// watches reports whether the program is known to have any of these observers.
func (ex *Execution) watches(o Observers) bool { return ex.Engine.Observers&o != 0 }

// HandsLocks reports whether locks are handed on: who has taken one need not be in its way.
func (ex *Execution) HandsLocks() bool { return ex.watches(handsLocks) || ex.Observed&handsLocks != 0 }

// observer records that an operation observes what others do, if it does.
func (ex *Execution) observer(m *control.Task, s *source.Site) {
	if s.Tries {
		ex.Observed |= triesLocks
	}
	if m.Op == control.OpCount {
		ex.Observed |= countsTasks
	}
	if s.Gathered && s.SetsLogs() && !ex.Alone(m.ID) {
		ex.Observed |= setsLogs
	}
}

// onGroup returns the mode of an operation on a wait group.
func (ex *Execution) onGroup(m *control.Task, s *source.Site) schedule.Mode {
	switch shared := ex.watches(sharesGroups) || m.Bubble != 0; {
	case s.Kind == source.SiteDone && ex.watches(misusesGroups):
		return schedule.Changes
	case s.BeginsWait() && ex.watches(sharesGroups):
		return schedule.Changes // the race detector orders only the first of several waiters
	case shared || ex.watches(misusesGroups):
		return s.Mode()
	case s.Op == source.GroupWait:
		return schedule.Awaits
	}
	return schedule.Counts
}

// looksAtGroup turns a step of a Wait that does not begin to wait into a read.
func looksAtGroup(s *schedule.Step) {
	if s.Operation.Mode == schedule.Changes && s.Operation.Accesses() == 1 {
		s.Operation.Mode = schedule.Reads
	}
}

// misused detects a wait group that m has counted down too often, or that is in use again
// when a Wait of m ends. The counter is the upper half of the state word.
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

// sized records the size of a variable that an operation accesses.
func (ex *Execution) sized(addr, size uintptr) {
	if ex.Objects.Sized(addr, size) {
		ex.Observed |= mixesSizes
	}
}

// wide adds the second half of an 8-byte variable at addr to an operation, where the
// program mixes sizes.
func (ex *Execution) wide(o *schedule.Operation, addr uintptr, kind string) {
	if ex.watches(mixesSizes) {
		o.Add(schedule.Access{Object: ex.Objects.Number(addr+source.Granule, kind), Mode: o.Mode})
	}
}

// manifold adds to the last step that the set of goroutines has
// changed.
func (ex *Execution) manifold() {
	if ex.watches(countsTasks) && len(ex.Trail) > 0 {
		ex.touch(schedule.Access{Object: ex.tasksObject(), Mode: schedule.Releases})
	}
}

// tasksObject is the object that stands for the set of goroutines.
func (ex *Execution) tasksObject() uint32 { return ex.Objects.Number(^uintptr(0), "goroutines") }

// uses records the operation that m does next, and whether an object of it is as an earlier
// execution has left it. To receive from a channel that was never seen open changes nothing: one
// is the Done of every context that is cancelled already.
func (ex *Execution) uses(m *control.Task, at *source.Site) {
	if at.Trusted || source.Standard(at.Package) {
		return
	}
	of := []uintptr{m.Addr}
	if m.Op == control.OpSelect {
		of = m.Channels()
	}
	for _, addr := range of {
		idle := at.Kind == source.SiteChannel && control.Drained(addr)
		if addr != 0 && control.Uses(addr, !idle) && !control.OnStack(addr) {
			ex.Notes |= control.NoteKept
		}
	}
}
