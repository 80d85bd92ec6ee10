package report

import (
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// waits lists the waits at the end, and a cycle among them if there is one.
func (p *picture) waits() {
	if p.ex.Out.Kind != engine.KindDeadlock && p.ex.Out.Kind != engine.KindLeak {
		return
	}
	for _, id := range p.ex.Told(p.ex.Out.Blocked) {
		p.tl.Blocked = append(p.tl.Blocked, p.waitOf(id))
	}
	for _, id := range p.cycle() {
		p.tl.Cycle = append(p.tl.Cycle, p.waitOf(id))
	}
}

func (p *picture) waitOf(id uint32) timeline.Wait {
	w := timeline.Wait{Thread: p.ex.Name(id), Object: p.ex.Control.Task(int(id)).WaitReason()}
	e := p.rec.waiting[id]
	if e == nil {
		if p.runsOn(id) {
			w.Object, w.Does = "", "goes on and on"
			s := p.spinning(func(other uint32) bool { return other == id })
			for last := range s.marks { // one row, if any
				w.Does = p.again(last)
			}
		}
		return w
	}
	w.Object, w.Where = p.awaited(e), source.Where(e.Site.User)
	if len(e.holders) > 0 {
		w.Holder = p.ex.Name(e.holders[0])
		if e.queued {
			w.How = "behind"
		}
	}
	return w
}

// awaited names what a wait is for, as an object: "a receiver on answers".
func (p *picture) awaited(e *event) string {
	name := p.object(e)
	named := func(what, of string) string {
		if name == "" {
			return what
		}
		return what + of + name
	}
	switch {
	case e.Site.Self:
		return "the goroutines of T.Go"
	case e.timed:
		return "time to pass"
	case e.Site.Op == source.EmptySelect:
		return "nothing, in " + source.EmptySelect
	case e.Action == source.CondWait:
		return named("a signal", " on ")
	case e.waitsForGroup():
		return named("wait group", " ") + " to reach 0"
	case len(e.channels) > 0:
		return named("one case of a select", ": ")
	case e.object == 0 && e.Site.Kind == source.SiteChannel:
		return "a nil channel"
	case e.Site.Op == "send" && e.room[1] > 0:
		return named("room", " in ")
	case e.Site.Op == "send":
		return named("a receiver", " on ")
	case e.Site.Op == "receive":
		return named("a value", " from ")
	case e.Site.Kind == source.SiteRLock:
		return named("a lock", " on ") + " for reading"
	case name == "":
		return e.verb
	case e.Site.Part():
		return e.verb + " of " + name
	}
	return name
}

// cycle follows the tasks in the way of each blocked task until one repeats.
func (p *picture) cycle() []uint32 {
	if p.ex.HandsLocks() {
		return nil
	}
	for _, start := range p.ex.Out.Blocked {
		if found := p.circle(start, nil); found != nil {
			return found
		}
	}
	return nil
}

// circle returns the part of a path that leads from a task back to itself, or nil.
func (p *picture) circle(id uint32, way []uint32) []uint32 {
	for i, known := range way {
		if known == id {
			return way[i:]
		}
	}
	e := p.rec.waiting[id]
	if e == nil || !p.stuck(id) {
		return nil
	}
	way = append(way[:len(way):len(way)], id)
	for _, holder := range e.holders {
		if found := p.circle(holder, way); found != nil {
			return found
		}
	}
	return nil
}
