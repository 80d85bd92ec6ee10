package explore

import (
	"strings"

	"github.com/jacquard-go/jacquard/internal/timeline"
)

// waits describes who waits for what at the end, and a cycle if there is one.
func (p *picture) waits() {
	if p.ex.out.kind != KindDeadlock && p.ex.out.kind != KindLeak {
		return
	}
	for _, id := range p.ex.told(p.ex.out.blocked) {
		p.tl.Blocked = append(p.tl.Blocked, p.waitOf(id))
	}
	for _, id := range p.cycle() {
		p.tl.Cycle = append(p.tl.Cycle, p.waitOf(id))
	}
}

func (p *picture) waitOf(id uint32) timeline.Wait {
	w := timeline.Wait{Thread: p.ex.name(id), Object: p.ex.e.Member(int(id)).WaitReason()}
	e := p.rec.waiting[id]
	if e == nil {
		return w
	}
	w.Object, w.Where = p.awaited(e), where(e.site.user)
	if len(e.holders) > 0 {
		w.Holder = p.ex.name(e.holders[0])
		if e.queued {
			w.How = "behind"
		}
	}
	return w
}

// awaited is what a wait is for, as an object: "a receiver on answers".
func (p *picture) awaited(e *event) string {
	name := p.object(e)
	named := func(what, of string) string {
		if name == "" {
			return what
		}
		return what + of + name
	}
	switch {
	case e.site.self:
		return "the goroutines of T.Go"
	case e.action == condWait:
		return named("a signal", " on ")
	case strings.HasSuffix(e.site.op, "WaitGroup.Wait"):
		return named("wait group", " ") + " to reach 0"
	case len(e.channels) > 0:
		return named("one case of a select", ": ")
	case e.object == 0 && e.site.kind == siteChannel:
		return "a nil channel"
	case e.site.op == "send" && e.room[1] > 0:
		return named("room", " in ")
	case e.site.op == "send":
		return named("a receiver", " on ")
	case e.site.op == "receive":
		return named("a value", " from ")
	case e.site.kind == siteRLock:
		return named("a lock", " on ") + " for reading"
	case name == "":
		return e.verb
	case e.site.part():
		return e.verb + " of " + name
	}
	return name
}

// cycle follows those who are in the way from each blocked member until one
// comes again.
func (p *picture) cycle() []uint32 {
	for _, start := range p.ex.out.blocked {
		if found := p.circle(start, nil); found != nil {
			return found
		}
	}
	return nil
}

// circle is a way from a member back to one of those on the way to it.
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
