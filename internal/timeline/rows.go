package timeline

import (
	"fmt"
	"sort"
)

// An item is a candidate for a row of the table: a step, or the switch from one thread to another
// at a preemption.
type item struct {
	step int // index into Steps; of a switch, the step that it comes before
	keep bool

	isSwitch bool
	from, to int // threads of a switch; to is -1 if no other ran
}

// A Row is a row of a picture of a timeline: a step, by its index in Steps, or the switch before
// that step at a preemption, from one thread to another, or to none if To is -1.
type Row struct {
	Step     int
	Switch   bool
	From, To int
}

// Rows returns the rows of a timeline: of the steps that matter, or of all; of at most max steps,
// the most relevant ones, if max is not 0.
func Rows(tl *Timeline, all bool, max int) (rows []Row, err error) {
	if err := tl.check(); err != nil {
		return nil, fmt.Errorf("timeline: %w", err)
	}
	for _, it := range items(tl, all, max) {
		if it.keep {
			rows = append(rows, Row{it.step, it.isSwitch, it.from, it.to})
		}
	}
	return rows, nil
}

// items returns the shown steps and the switches between them, in order, with
// keep set on those that fit in max rows (0: all).
func items(tl *Timeline, verbose bool, max int) []item {
	stops := switches(tl.Steps)
	var all []item
	rows := 0
	for i := range tl.Steps {
		all = append(all, stops[i]...)
		if tl.Steps[i].shown(verbose) {
			all = append(all, item{step: i})
			rows++
		}
	}
	all = append(all, stops[len(tl.Steps)]...)
	keepRows(all, tl.Steps, rows, max)
	keepSwitches(all)
	return all
}

// switches returns the preemptions, by the step that each comes before.
func switches(steps []Step) map[int][]item {
	found := map[int][]item{}
	last := map[int]int{} // thread → its latest step
	add := func(at, from int) {
		for _, s := range found[at] {
			if s.from == from {
				return // the other end of the same preemption
			}
		}
		s := item{step: at, isSwitch: true, from: from, to: -1}
		if at < len(steps) {
			s.to = steps[at].Thread
		}
		found[at] = append(found[at], s)
	}
	for i := range steps {
		t := steps[i].Thread
		// Without an earlier step, or without steps in between, there is no place to show it.
		if at, ran := last[t]; steps[i].Mark.Has(Preempted) && ran && at < i-1 {
			add(at+1, t)
		}
		goesOn := i+1 < len(steps) && steps[i+1].Thread == t
		if steps[i].Mark.Has(Stopped) && !goesOn {
			add(i+1, t)
		}
		last[t] = i
	}
	return found
}

// The order in which rows are dropped when there are too many, the last one first. Other rows
// follow by their distance from the nearest anchor.
const (
	rankFailed = iota
	rankEnd    // the first row and the last
	rankConflict
	rankSwitch // a row beside a switch, or with its mark
	rankEdge   // the first and last few rows
	rankRest
)

// edge is how many rows at each end are anchors.
const edge = 3

// keepRows sets keep on the max most relevant rows.
func keepRows(all []item, steps []Step, rows, max int) {
	ranks := rank(all, steps, rows)
	if max == 0 || rows <= max {
		max = rows
	}
	order := make([]int, 0, rows)
	for i := range all {
		if !all[i].isSwitch {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return ranks[order[a]] < ranks[order[b]] })
	for _, i := range order[:max] {
		all[i].keep = true
	}
}

// rank returns the rank of each item; higher ranks are dropped first. Ranks of switches have no
// meaning.
func rank(all []item, steps []Step, rows int) []int {
	ranks := make([]int, len(all))
	row := 0
	for i := range all {
		if all[i].isSwitch {
			continue
		}
		ranks[i] = ownRank(steps[all[i].step].Mark, row, rows)
		beside := i > 0 && all[i-1].isSwitch || i+1 < len(all) && all[i+1].isSwitch
		if beside && ranks[i] > rankSwitch {
			ranks[i] = rankSwitch
		}
		row++
	}
	addDistances(all, ranks)
	return ranks
}

func ownRank(m Mark, row, rows int) int {
	switch {
	case m.Has(Failed):
		return rankFailed
	case row == 0 || row == rows-1:
		return rankEnd
	case m.Has(Conflict):
		return rankConflict
	case m != None:
		return rankSwitch
	case row < edge || row >= rows-edge:
		return rankEdge
	}
	return rankRest
}

// addDistances adds to each rankRest the distance from the nearest anchor, so that rows around the
// anchors are kept.
func addDistances(all []item, ranks []int) {
	distance := make([]int, len(all))
	pass := func(from, step int) {
		for i, d := from, 0; i >= 0 && i < len(all); i += step {
			if all[i].isSwitch {
				continue
			}
			if d++; ranks[i] < rankRest {
				d = 0
			}
			if distance[i] == 0 || d < distance[i] {
				distance[i] = d
			}
		}
	}
	pass(0, 1)
	pass(len(all)-1, -1)
	for i := range ranks {
		ranks[i] += distance[i]
	}
}

// keepSwitches keeps each switch that has a kept row right before or after it.
func keepSwitches(all []item) {
	for i := range all {
		if all[i].isSwitch {
			all[i].keep = nearest(all, i, -1) || nearest(all, i, 1)
		}
	}
}

// nearest reports whether the row nearest to item i in one direction is kept.
func nearest(all []item, i, step int) bool {
	for i += step; i >= 0 && i < len(all); i += step {
		if !all[i].isSwitch {
			return all[i].keep
		}
	}
	return false
}
