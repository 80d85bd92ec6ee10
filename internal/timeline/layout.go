package timeline

import (
	"sort"
	"strconv"
)

// Bounds of the columns, in cells.
const (
	minBeside = 18 // below this the place goes under the step
	minColumn = 10 // below this the columns become a list: "◀ conflict" must fit
	maxPlace  = 30 // of file:line
	minFunc   = 12 // below this the function is left out
	maxFunc   = 40
	maxNumber = 9  // of the step number
	maxName   = 16 // of the thread's name in a list
	wideList  = 72 // text width from which a list has a column for the place
	softStep  = 32 // a step column is not widened beyond this if the function needs the room
	headWidth = 24 // the most that a name or place in a heading asks for
)

// Separators between columns.
const (
	roomy = " │ "
	dense = "│ " // one column holds the step, so text seldom meets the line
)

// A layout says which columns the table has and how wide they are.
type layout struct {
	isList  bool
	number  int   // of the step number
	threads []int // thread of each step column; of a list, all that are shown
	columns []int // widths of the step columns; of a list, name and step
	place   int   // width of file:line in its own column; 0: below the step
	fn      int   // width of the function after it; 0: none
	sep     string
}

// total returns the width of the table.
func (l *layout) total() int {
	n := l.number
	for _, c := range l.columns {
		n += width(l.sep) + c
	}
	if l.place > 0 {
		n += width(l.sep) + l.placeColumn()
	}
	return n
}

// placeColumn returns the width of the column for places.
func (l *layout) placeColumn() int {
	if l.fn > 0 {
		return l.place + 2 + l.fn
	}
	return l.place
}

// needs are the widths that the rows would take with unlimited room.
type needs struct {
	number, place, fn int
	threads           []int
	columns           []int
}

// measure returns the needs of the kept rows.
func measure(tl *Timeline, names []string, all []item) needs {
	want := map[int]int{}
	n := needs{number: 2}
	for _, it := range all {
		if it.isSwitch || !it.keep {
			continue
		}
		s := &tl.Steps[it.step]
		n.number = max(n.number, min(len(strconv.Itoa(s.Index)), maxNumber))
		n.place = max(n.place, min(width(clean(s.Where)), maxPlace))
		n.fn = max(n.fn, min(width(clean(s.Func)), maxFunc))
		want[s.Thread] = max(want[s.Thread], natural(s))
	}
	for t := range tl.Threads {
		if cells, ok := want[t]; ok {
			head := max(width(names[t]), width(origin(tl.Threads[t])))
			n.threads = append(n.threads, t)
			n.columns = append(n.columns, max(cells, min(head, headWidth), minColumn))
		}
	}
	return n
}

// choose picks the first layout that gives the columns enough room.
func choose(n needs, total int) layout {
	if n.place > 0 {
		if l, ok := beside(n, total); ok {
			return l
		}
	}
	if l, ok := below(n, total); ok {
		return l
	}
	return asList(n, total)
}

// beside has one column for the places of all threads.
func beside(n needs, total int) (layout, bool) {
	l := layout{number: n.number, threads: n.threads, sep: roomy, place: max(n.place, width("where"))}
	room := total - l.number - l.place - width(l.sep)*(len(n.columns)+1)
	soft := 0
	for _, c := range n.columns {
		soft += min(c, softStep)
	}
	if fn := min(n.fn, room-soft-2); fn > 0 && (fn >= minFunc || fn == n.fn) {
		l.fn = fn
		room -= 2 + fn
	}
	var level int
	l.columns, level = share(n.columns, room)
	return l, level >= minBeside
}

// below has the place under each step.
func below(n needs, total int) (layout, bool) {
	for _, sep := range []string{roomy, dense} {
		l := layout{number: n.number, threads: n.threads, sep: sep}
		room := total - l.number - width(sep)*len(n.columns)
		want := make([]int, len(n.columns))
		for i, c := range n.columns {
			want[i] = max(c, n.place)
		}
		var level int
		l.columns, level = share(want, room)
		if level >= minColumn {
			return l, true
		}
	}
	return layout{}, false
}

// asList has the thread's name in front of each step. It always fits.
func asList(n needs, total int) layout {
	l := layout{isList: true, number: n.number, threads: n.threads, sep: roomy}
	step := 0
	for _, c := range n.columns {
		step = max(step, c)
	}
	room := total - l.number - 2*width(l.sep)
	if n.place > 0 && total >= wideList {
		l.place = min(max(n.place, width("where")), total/3)
		room -= l.place + width(l.sep)
	}
	name := min(maxName, total/4)
	l.columns = []int{name, min(max(step, n.place), room-name)}
	return l
}

// share divides room among columns that want some width: those that want less
// than an equal part get it all, and the rest divide what is left. The level
// is the width of the widest column that got less than it wants, or very large
// if all got theirs.
func share(want []int, room int) (got []int, level int) {
	const all = 1 << 16
	order := make([]int, len(want))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return want[order[a]] < want[order[b]] })
	got = make([]int, len(want))
	level = all
	for done, i := range order {
		left := len(want) - done
		got[i] = min(want[i], (room+left-1)/left) // the first ones take the remainder
		if got[i] < want[i] {
			level = min(level, room/left)
		}
		room -= got[i]
	}
	return got, level
}
