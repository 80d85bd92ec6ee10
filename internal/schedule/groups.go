package schedule

// Shared reports whether the order of what was counted on a wait group may matter in an
// execution, or in one that differs from it only by that order: where it is added to
// neither before nor after somebody waits for it, and where it may be counted down below
// zero. Only the order of a goroutine's own steps counts here, and that what starts a
// goroutine comes before what that one does.
//
// If no execution is so that a search runs which takes Counts for what commutes, and
// Awaits for what cannot come before, then none is: the first Wait that an Add could
// come before or after is begun, with that Add before it or after, in one that is run;
// and each Done has an Add of its own before it, in whatever order.
func Shared(steps []Step) bool {
	first := 0
	for ; first < len(steps); first++ {
		if object, _ := counted(&steps[first]); object != 0 {
			break
		}
	}
	if first == len(steps) {
		return false // as most are
	}
	g := groupOrder{objects: make(map[uint32]*countedGroup)}
	for i := range steps {
		s := &steps[i]
		for int(s.Goroutine) >= len(g.begun) {
			g.begun = append(g.begun, notBegun)
		}
		if g.begun[s.Goroutine] == notBegun {
			g.begun[s.Goroutine] = s.Cause
		}
		if object, counts := counted(s); object != 0 && !g.add(steps, i, object, counts) {
			return true
		}
	}
	return false
}

// counted is the wait group that a step is on, and whether it counts there.
func counted(s *Step) (object uint32, counts bool) {
	switch {
	case s.Waits != 0:
		return s.Waits, false
	case s.Operation.Mode == Awaits, s.Operation.Mode == Counts && s.Count != 0:
		return s.Operation.Object, s.Operation.Mode == Counts
	}
	return 0, false
}

// A groupOrder is what is known of an execution's wait groups so far.
type groupOrder struct {
	begun   []int // by goroutine: the step that started it; -1 if none did
	objects map[uint32]*countedGroup
}

// notBegun stands for a goroutine that has made no step.
const notBegun = -2

// A countedGroup has the steps on one wait group.
type countedGroup struct {
	adds  map[uint32]int // by goroutine: the last
	waits map[uint32]int
	open  []openAdd // those that were not counted down yet
}

// An openAdd is a step that has added to a wait group.
type openAdd struct {
	step int
	left int32
}

// mostOpen bounds the adds of one wait group that are looked at.
const mostOpen = 4096

// add takes in step i, and reports whether all is in order.
func (g *groupOrder) add(steps []Step, i int, object uint32, counts bool) bool {
	o, id := g.objects[object], steps[i].Goroutine
	if o == nil {
		o = &countedGroup{adds: make(map[uint32]int), waits: make(map[uint32]int)}
		g.objects[object] = o
	}
	switch n := steps[i].Count; {
	case !counts:
		o.waits[id] = i
		return g.afterAll(steps, o.adds, i)
	case n < 0:
		return g.close(steps, o, i, -n)
	default:
		o.adds[id] = i
		o.open = append(o.open, openAdd{i, n})
		return len(o.open) <= mostOpen && g.afterAll(steps, o.waits, i)
	}
}

func (g *groupOrder) afterAll(steps []Step, before map[uint32]int, i int) bool {
	for _, step := range before {
		if !g.after(steps, step, i) {
			return false
		}
	}
	return true
}

// close counts n down, of what was added before step i in any order: the last first, for
// that is before the fewest others.
func (g *groupOrder) close(steps []Step, o *countedGroup, i int, n int32) bool {
	for k := len(o.open) - 1; k >= 0 && n > 0; k-- {
		a := &o.open[k]
		if !g.after(steps, a.step, i) {
			continue
		}
		used := min(a.left, n)
		a.left, n = a.left-used, n-used
		if a.left == 0 {
			o.open = append(o.open[:k], o.open[k+1:]...)
		}
	}
	return n == 0
}

// after reports whether step i comes after step first whatever the order of others.
func (g *groupOrder) after(steps []Step, first, i int) bool {
	for i >= first {
		id := steps[i].Goroutine
		if id == steps[first].Goroutine {
			return true
		}
		if i = g.begun[id]; i < 0 {
			return false
		}
	}
	return false
}
