package collect

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/coverage"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
)

// A group is a class of operations whose order is reported. Unlocks, waits for a group, and
// receives of sent values have no class, because they come after something in any case.
type group uint8

const (
	noGroup group = iota
	memory
	locks
	sends
	receives
	closes
)

func groupOf(s *source.Site, op control.Op, kind coverage.Kind) group {
	switch {
	case kind == coverage.Lock:
		return locks
	case op == control.OpSend:
		return sends
	case op == control.OpRecv:
		return receives
	case op == control.OpClose:
		return closes
	case s.Call != "":
		return noGroup
	case s.Kind == source.SiteRead, s.Kind == source.SiteWrite, op == control.OpAtomic && (s.Kind == source.SiteAtomicRead || s.Kind == source.SiteAtomicWrite):
		return memory
	}
	return noGroup
}

// tells reports whether the order of two operations is reported.
func (g group) tells(o group) bool {
	return g == o || g == closes && (o == sends || o == receives) || o == closes && (g == sends || g == receives)
}

// Bounds on what is examined in one execution. Anything beyond is not reported.
const (
	mostTasks = 64
	mostVisit = 64 // accesses of one object
)

// A clock says how many steps of each task precede something.
type clock []uint32

func (c *clock) join(o clock) {
	for len(*c) < len(o) {
		*c = append(*c, 0)
	}
	for i, n := range o {
		(*c)[i] = max((*c)[i], n)
	}
}

func (c clock) at(task uint32) uint32 {
	if int(task) < len(c) {
		return c[task]
	}
	return 0
}

// orders finds conflicting operations that only the schedule has ordered: the later one
// need not have come after the earlier one, given what its goroutine had met before
// (Flanagan and Godefroid, POPL 2005, section 3: they race).
type orders struct {
	tasks   []clock
	base    clock // of the steps that all later steps come after
	ended   clock // of the ends for which T.Wait waits
	causes  map[int]clock
	objects []object
	found   map[[2]int]bool
	rivals  map[int]bool // operations that take a lock, where another goroutine could have taken it
}

// An object holds the clocks that later operations on it come after, and the latest accesses.
type object struct {
	changed clock
	since   [schedule.Modes]clock // since the last change, by mode
	visits  []access
}

type access struct {
	spot int
	task uint32
	step uint32 // number of steps of that task
	mode schedule.Mode
}

// of examines an execution. spots is the operation of each step.
func (o *orders) of(steps []schedule.Step, spots []int, groups func(int) group) {
	*o = orders{causes: make(map[int]clock), found: make(map[[2]int]bool), rivals: make(map[int]bool), tasks: o.tasks[:0], objects: o.objects[:0]}
	for i := range steps {
		if steps[i].Goroutine > mostTasks {
			return
		}
		if steps[i].Cause >= 0 {
			o.causes[steps[i].Cause] = nil
		}
	}
	for i := range steps {
		spot := -1
		if i < len(spots) && spots[i] >= 0 && groups(spots[i]) != noGroup {
			spot = spots[i]
		}
		o.step(i, &steps[i], spot, groups)
	}
}

func (o *orders) step(i int, s *schedule.Step, spot int, groups func(int) group) {
	for int(s.Goroutine) >= len(o.tasks) {
		o.tasks = append(o.tasks, nil)
	}
	v := &o.tasks[s.Goroutine]
	o.begins(v, s)
	for k := range s.Operation.Accesses() {
		o.meets(*v, s, spot, s.Operation.Access(k), groups)
	}
	for k := range s.Operation.Accesses() {
		v.follows(&o.objects[s.Operation.Access(k).Object], s.Operation.Access(k).Mode)
	}
	for len(*v) <= int(s.Goroutine) {
		*v = append(*v, 0)
	}
	(*v)[s.Goroutine]++
	for k := range s.Operation.Accesses() {
		o.leaves(*v, s, spot, s.Operation.Access(k))
	}
	if s.Operation.All {
		o.base.join(*v)
	}
	if _, wanted := o.causes[i]; wanted {
		o.causes[i] = slices.Clone(*v)
	}
	if s.Ended {
		o.ended.join(*v)
	}
}

// begins joins the clocks that a step comes after regardless of its operation.
func (o *orders) begins(v *clock, s *schedule.Step) {
	if s.Late || s.Operation.All {
		for _, t := range o.tasks {
			o.base.join(t)
		}
	}
	v.join(o.base)
	if s.Cause >= 0 {
		v.join(o.causes[s.Cause])
	}
	if s.Joined {
		v.join(o.ended)
	}
	for _, id := range s.Settled {
		if int(id) < len(o.tasks) {
			v.join(o.tasks[id])
		}
	}
}

// contend reports whether operations of two modes compete for a lock that only one can hold.
func contend(a, b schedule.Mode) bool {
	return a == schedule.Takes && (b == schedule.Takes || b == schedule.Shares) || a == schedule.Shares && b == schedule.Takes
}

// meets records which operations a step has come after only because of the schedule.
func (o *orders) meets(v clock, s *schedule.Step, spot int, a schedule.Access, groups func(int) group) {
	for int(a.Object) >= len(o.objects) {
		o.objects = append(o.objects, object{})
	}
	if spot < 0 {
		return
	}
	for _, was := range o.objects[a.Object].visits {
		if was.task != s.Goroutine && contend(was.mode, a.Mode) && v.at(was.task) < was.step {
			o.rivals[was.spot], o.rivals[spot] = true, true
		}
		if was.task != s.Goroutine && was.spot != spot && !schedule.Commute(was.mode, a.Mode) && v.at(was.task) < was.step && groups(was.spot).tells(groups(spot)) {
			o.found[[2]int{was.spot, spot}] = true
		}
	}
}

// follows joins the clocks that an operation on an object comes after.
func (c *clock) follows(o *object, mode schedule.Mode) {
	c.join(o.changed)
	for other, since := range o.since {
		other := schedule.Mode(other)
		if !schedule.Commute(mode, other) || mode.Behind(other) || mode.Queues() && other.Queues() { // a receive comes after its send
			c.join(since)
		}
	}
}

// leaves records an operation on an object for later ones.
func (o *orders) leaves(v clock, s *schedule.Step, spot int, a schedule.Access) {
	at := &o.objects[a.Object]
	if a.Mode == schedule.Changes {
		at.changed = append(at.changed[:0], v...)
		at.since = [schedule.Modes]clock{}
	} else {
		at.since[a.Mode].join(v)
	}
	if spot < 0 {
		return
	}
	now := access{spot, s.Goroutine, v[s.Goroutine], a.Mode}
	if i := slices.IndexFunc(at.visits, func(was access) bool { return was.spot == spot && was.task == s.Goroutine && was.mode == a.Mode }); i >= 0 {
		at.visits[i] = now
	} else if len(at.visits) < mostVisit {
		at.visits = append(at.visits, now)
	}
}
