package explore

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// sharedObjects are those that several members use, one of them changing it.
func (r *recorder) sharedObjects() map[uintptr]bool {
	users := make(map[uintptr]map[uint32]bool)
	changed := make(map[uintptr]bool)
	for _, e := range r.events {
		if e.object == 0 || e.log {
			continue
		}
		if users[e.object] == nil {
			users[e.object] = make(map[uint32]bool)
		}
		users[e.object][e.member] = true
		changed[e.object] = changed[e.object] || e.site.changes()
	}
	shared := make(map[uintptr]bool)
	for o, who := range users {
		shared[o] = len(who) > 1 && changed[o]
	}
	return shared
}

// matters reports whether a row helps to understand the failure. The start of a
// goroutine does not: the head of its column tells who started it and where.
func (p *picture) matters(e *event) bool {
	switch {
	case e.log, e.failed, p.story.marks[e]:
		return true
	case p.rec.waiting[e.member] == e && p.stuck(e.member):
		return !p.joins(e)
	case e.preempted:
		return true
	case e.ready > 1:
		return true
	case e.op == control.OpStart, e.site.self, e.site.kind == siteGo:
		return false
	case e.inside != nil && !e.blocked && e.started == nil:
		return false
	case e.alone && !e.blocked && p.ex.out.kind != KindLivelock:
		return false
	case p.ex.out.kind == KindLivelock && e.object != 0 && p.early[e]:
		return true
	case strings.HasPrefix(e.site.op, "WaitGroup."), strings.HasPrefix(e.site.op, "sync.WaitGroup."):
		return e.blocked && !e.alone || p.addedLate(e)
	case e.site.part():
		return true
	}
	return p.shared[e.object]
}

// stuck reports whether a member was left blocked at the end.
func (p *picture) stuck(id uint32) bool { return slices.Contains(p.ex.out.blocked, id) }

// joins reports whether a wait is only for other goroutines to end: theirs is
// the cause, if they do not.
func (p *picture) joins(e *event) bool {
	return e.site.self || p.runs(e) || strings.HasSuffix(e.site.op, "WaitGroup.Wait") || p.ex.e.Member(int(e.member)).KeepsBubble()
}

// addedLate reports whether a wait group is counted up although somebody has
// waited for it already.
func (p *picture) addedLate(e *event) bool {
	if e.action != "Add" && e.action != "Go" {
		return false
	}
	for _, other := range p.rec.events[:e.index-1] {
		if other.object == e.object && other.member != e.member && strings.HasSuffix(other.site.op, "WaitGroup.Wait") {
			return true
		}
	}
	return false
}

// fewRows is how many rows of a goroutine that goes round and round are shown
// besides its last one.
const fewRows = 3

// earlyRows are the first few rows of each goroutine that work on something.
func (r *recorder) earlyRows() map[*event]bool {
	count := make(map[uint32]int)
	early := make(map[*event]bool)
	for _, e := range r.events {
		if e.object == 0 || e.log || e.site.self {
			continue
		}
		if count[e.member]++; count[e.member] <= fewRows {
			early[e] = true
		}
	}
	return early
}
