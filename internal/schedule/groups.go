package schedule

// Shared reports whether the order of counts on a wait group may matter in an execution,
// or in one that differs from it only by that order: if an add is ordered neither before
// nor after a wait for the group, or if the group may be counted down below zero. The
// orders that count here are that of a goroutine's own steps, that the step which starts
// a goroutine precedes its steps, and that of a lock's release before it is taken again.
//
// A search that takes Counts as commuting, and Awaits as never coming earlier, is sound
// if no execution that it runs is Shared, because then none at all is: the first Wait
// that is unordered with some Add begins in an execution that is run, with that Add
// before it or after it; and each Done has an Add of its own before it, in any order.
// Where a lock orders the two, the search also runs the executions in which the lock is
// taken in another order.
func Shared(steps []Step) bool {
	first := 0
	for ; first < len(steps); first++ {
		if object, _ := counted(&steps[first]); object != 0 {
			break
		}
	}
	if first == len(steps) {
		return false // the usual case
	}
	return sharedBy(steps, nil) && sharedBy(steps, behindLocks(steps))
}

// mostClocks bounds the numbers that behindLocks returns.
const mostClocks = 1 << 22

// behindLocks returns for each step, by goroutine, the number (from 1) of the last step
// that comes before it in one of these orders; nil if these are too many numbers.
func behindLocks(steps []Step) [][]int32 {
	all, total := make([][]int32, len(steps)), 0
	var last []int32 // by goroutine
	freed := make(map[uint32][]int32)
	join := func(c, d []int32) []int32 {
		for len(c) < len(d) {
			c = append(c, 0)
		}
		for i, n := range d {
			c[i] = max(c[i], n)
		}
		return c
	}
	for i := range steps {
		s := &steps[i]
		var c []int32
		for int(s.Goroutine) >= len(last) {
			last = append(last, 0)
		}
		if n := last[s.Goroutine]; n > 0 {
			c = join(c, all[n-1])
		} else if s.Cause >= 0 {
			c = join(c, all[s.Cause])
		}
		for k := range s.Operation.Accesses() {
			if a := s.Operation.Access(k); a.Mode == Takes || a.Mode == Shares {
				c = join(c, freed[a.Object])
			}
		}
		c = join(c, make([]int32, s.Goroutine+1))
		c[s.Goroutine] = int32(i + 1)
		if total += len(c); total > mostClocks {
			return nil
		}
		for k := range s.Operation.Accesses() {
			if a := s.Operation.Access(k); a.Mode == Frees {
				freed[a.Object] = join(freed[a.Object], c)
			}
		}
		all[i], last[s.Goroutine] = c, int32(i+1)
	}
	return all
}

// sharedBy is Shared by the orders that clocks give; without clocks locks order nothing.
func sharedBy(steps []Step, clocks [][]int32) bool {
	g := groupOrder{objects: make(map[uint32]*countedGroup), clocks: clocks}
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

// counted returns the wait group that a step is on, and whether it counts there.
func counted(s *Step) (object uint32, counts bool) {
	switch {
	case s.Waits != 0:
		return s.Waits, false
	case s.Operation.Mode == Awaits, s.Operation.Mode == Counts && s.Count != 0:
		return s.Operation.Object, s.Operation.Mode == Counts
	}
	return 0, false
}

// A groupOrder is the state of an execution's wait groups so far.
type groupOrder struct {
	begun   []int // by goroutine: the step that started it; -1 if there is none
	objects map[uint32]*countedGroup
	clocks  [][]int32 // see behindLocks
}

// notBegun stands for a goroutine that has not made a step.
const notBegun = -2

// A countedGroup records the steps on one wait group.
type countedGroup struct {
	adds  map[uint32]int // by goroutine: its last add
	waits map[uint32]int
	open  []openAdd // adds that have not been counted down yet
}

// An openAdd is a step that has added to a wait group, and how much is not yet counted down.
type openAdd struct {
	step int
	left int32
}

// mostOpen bounds the open adds of one wait group; with more it counts as shared.
const mostOpen = 4096

// add records step i, and reports whether the order on its wait group is still fixed.
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

// close counts n down from the adds that precede step i in any order. It uses the last
// ones first, because they precede the fewest other steps.
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
	if g.clocks != nil {
		id := steps[first].Goroutine
		return int(id) < len(g.clocks[i]) && int(g.clocks[i][id]) > first
	}
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
