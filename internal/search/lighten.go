package search

import (
	"maps"
	"slices"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// A lightened is a picker that follows a guide, but at each step of the clock holds up only
// the goroutines that it may. Before that step it runs all others for as long as they can.
type lightened struct {
	guidePicker
	may   [][]uint32 // by step of the clock: the goroutines that it may hold up
	steps int        // steps of the clock so far
}

func (l *lightened) Pick(p *schedule.Point) schedule.Choice {
	if l.steps == len(l.may) || !p.Clocked() {
		return l.guidePicker.Pick(p)
	}
	free := func(i int) bool {
		return p.Runnable[i] != schedule.Clock && !slices.Contains(l.may[l.steps], p.Runnable[i])
	}
	if c := l.guidePicker.Pick(p); free(c.Index) {
		return c
	}
	for i := range p.Runnable {
		if at := (p.Default() + i) % len(p.Runnable); free(at) {
			return schedule.Choice{Index: at}
		}
	}
	l.steps++
	return schedule.Choice{Index: len(p.Runnable) - 1}
}

// lightenShare is the divisor for the share of executions that lighten may
// use.
const lightenShare = 4

// lighten looks for schedules that hold up fewer goroutines, or for less time. For each goroutine
// that is held up at steps of the clock it tries to release it, first at all these steps at once
// and then at each of them, the last ones first. It repeats this for as long as that helps.
func (m *minimiser) lighten() {
	share := max(m.left/lightenShare, 1)
	rest := m.left - share
	m.left = share
	for better := true; better && m.more(); {
		better = false
		for _, id := range slices.Sorted(maps.Keys(m.best.Stalls.Holds)) {
			without := func(int) bool { return true }
			if better = m.release(id, without) || better; m.best.Stalls.Holds[id] == 0 {
				continue
			}
			for step := len(m.best.Stalls.Held) - 1; step >= 0 && m.more(); step-- {
				better = m.release(id, func(s int) bool { return s == step }) || better
			}
		}
	}
	m.left += rest
}

// release tries a schedule in which a goroutine is not held up at some steps of the clock.
func (m *minimiser) release(id uint32, at func(step int) bool) bool {
	may, less := make([][]uint32, len(m.best.Stalls.Held)), false
	for step, held := range m.best.Stalls.Held {
		if may[step] = held; at(step) && slices.Contains(held, id) {
			may[step] = slices.DeleteFunc(slices.Clone(held), func(h uint32) bool { return h == id })
			less = true
		}
	}
	if !less || !m.more() {
		return false
	}
	p := &lightened{guidePicker: guidePicker{guide: guideOf(m.best.Run), stall: m.best.Stalls.Spent}, may: may}
	ex := m.x.ExecuteWith(func(ex *engine.Execution) schedule.Picker { p.ex = ex; return p }, m.seed, nil)
	m.spend(ex)
	return m.keep(ex)
}
