package report

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
)

// sharedObjects returns the objects that several tasks use, at least one of them changing the object.
func (r *Recorder) sharedObjects() map[uintptr]bool {
	users := make(map[uintptr]map[uint32]bool)
	changed, wide := make(map[uintptr]bool), wideObjects(r.events)
	for _, e := range r.events {
		if e.object == 0 || e.log {
			continue
		}
		object := wide.whole(e)
		if users[object] == nil {
			users[object] = make(map[uint32]bool)
		}
		users[object][e.task] = true
		changed[object] = changed[object] || e.Site.Changes()
	}
	shared := make(map[uintptr]bool)
	for o, who := range users {
		shared[o] = len(who) > 1 && changed[o]
		if wide[o] {
			shared[o+4] = shared[o]
		}
	}
	return shared
}

// matters reports whether a row helps to understand the failure. The start of a goroutine does not,
// because the head of its column says where it was started.
func (p *picture) matters(e *event) bool {
	switch {
	case e.log, e.failed, p.story.marks[e]:
		return true
	case p.rec.waiting[e.task] == e && p.stuck(e.task):
		return !p.joins(e)
	case e.preempted:
		return true
	case e.ready > 1, e.timed && !e.alone, e.Op == control.OpCount, e.Op == control.OpEnd: // OpEnd is a point only if goroutines are counted
		return true
	case e.Op == control.OpStart, e.Site.Self, e.Site.Kind == source.SiteGo, e.glance:
		return false
	case e.inside != nil && !e.blocked && e.started == nil:
		return false
	case e.alone && !e.blocked && p.ex.Out.Kind != engine.KindLivelock:
		return false
	case p.ex.Out.Kind == engine.KindLivelock && e.object != 0 && p.early[e]:
		return true
	case strings.HasPrefix(e.Site.Op, "WaitGroup."), strings.HasPrefix(e.Site.Op, "sync.WaitGroup."):
		return e.blocked && !e.alone || p.addedLate(e)
	case e.Site.Part(), e.Site.Gathered && !p.story.known() && e.Site.Package != "testing": // such as calls of a logger, whose order may decide
		return true
	}
	return p.shared[e.object]
}

// stuck reports whether a task was left blocked at the end.
func (p *picture) stuck(id uint32) bool { return slices.Contains(p.ex.Out.Blocked, id) }

// joins reports whether a wait is only for other goroutines to end: if they do not, theirs is the
// cause.
func (p *picture) joins(e *event) bool {
	return e.Site.Self || e.Site.Package == "testing" || p.runs(e) || e.waitsForGroup() || p.ex.Control.Task(int(e.task)).KeepsBubble()
}

// addedLate reports whether a row adds to a wait group that another task has already waited for.
func (p *picture) addedLate(e *event) bool {
	return (e.Action == "Add" || e.Action == "Go") && slices.ContainsFunc(p.rec.events[:e.index-1], func(other *event) bool {
		return other.object == e.object && other.task != e.task && other.waitsForGroup()
	})
}

// fewRows is how many rows of a goroutine in a livelock are shown besides its last one.
const fewRows = 3

// earlyRows returns the first few rows of each goroutine that work on an object.
func (r *Recorder) earlyRows() map[*event]bool {
	count := make(map[uint32]int)
	early := make(map[*event]bool)
	for _, e := range r.events {
		if e.object == 0 || e.log || e.Site.Self {
			continue
		}
		if count[e.task]++; count[e.task] <= fewRows {
			early[e] = true
		}
	}
	return early
}
