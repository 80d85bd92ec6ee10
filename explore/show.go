package explore

import (
	"fmt"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/timeline"
)

// A picture turns a recorded execution into a timeline.
type picture struct {
	ex      *execution
	rec     *recorder
	tl      *timeline.Timeline
	column  map[uint32]int
	objects map[uintptr]string
	counts  map[string]int
	shared  map[uintptr]bool
}

// timeline draws a recorded failure.
func (r *recorder) timeline(ex *execution, f *Failure) *timeline.Timeline {
	p := &picture{
		ex: ex, rec: r, column: make(map[uint32]int),
		objects: make(map[uintptr]string), counts: make(map[string]int),
		tl: &timeline.Timeline{Title: ex.x.cfg.Name, Verdict: "violated: " + string(f.Kind)},
	}
	p.shared = r.sharedObjects()
	p.details(f)
	p.threads()
	p.steps()
	p.waits()
	p.races()
	p.tl.Cause = p.cause(f)
	p.tl.Footer = f.origin(ex.x.cfg.Seed)
	if n := len(ex.out.races); n > 0 && f.Kind != KindRace {
		p.tl.Footer = append(p.tl.Footer, "noted besides: "+plural(n, "data race"))
	}
	if ex.x.cfg.Replayed != "" {
		p.tl.Replay = strings.ReplaceAll(ex.x.cfg.Replayed, "%s", f.Card)
	} else {
		p.tl.Replay = f.Card
	}
	return p.tl
}

func (p *picture) details(f *Failure) {
	p.tl.Details = append(p.tl.Details, strings.Split(f.Message, "\n")...)
	for _, m := range f.Messages {
		if m != f.Message {
			p.tl.Details = append(p.tl.Details, strings.Split(m, "\n")...)
		}
	}
	for _, fr := range resolve(p.ex.out.stack) {
		if !machinery(packageOf(fr.function)) && packageOf(fr.function) != selfPkg {
			p.tl.Details = append(p.tl.Details, fmt.Sprintf("    %s %s:%d", shortFunction(fr.function), shortPath(fr.file), fr.line))
		}
	}
}

func (p *picture) threads() {
	for i := 1; i <= p.ex.e.Len(); i++ {
		id := uint32(i)
		p.column[id] = len(p.tl.Threads)
		th := timeline.Thread{Name: p.ex.name(id), CreatedBy: p.rec.parents[id]}
		if at := p.rec.first[id]; at.file != "" {
			th.Where = where(at)
		}
		if id == 1 {
			th.CreatedBy, th.Where = "", ""
		}
		p.tl.Threads = append(p.tl.Threads, th)
	}
}

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
		changed[e.object] = changed[e.object] || e.changes()
	}
	shared := make(map[uintptr]bool)
	for o, who := range users {
		shared[o] = len(who) > 1 && changed[o]
	}
	return shared
}

// changes reports whether the operation can be noticed by another one on the
// same object.
func (e *event) changes() bool { return e.site.changes() }

func (s *site) changes() bool {
	switch s.kind {
	case siteRead, siteAtomicRead, siteRLock, siteRUnlock:
		return false
	}
	return true
}

func (p *picture) steps() {
	conflict := p.conflict()
	end := p.end()
	for i, e := range p.rec.events {
		s := timeline.Step{
			Index: i + 1, Thread: p.column[e.member], Op: e.site.op, Object: p.object(e),
			Value: e.value, Outcome: e.outcome, Matters: i <= end && p.matters(e),
		}
		if e.site.user.file != "" {
			s.Where, s.Func = where(e.site.user), shortFunction(e.site.user.function)
		}
		switch {
		case e.log:
			s.Op, s.Object = "log", ""
		case e.op == control.OpStart:
			s.Op, s.Object = "start", ""
		}
		if e.failed {
			s.Mark |= timeline.Failed
		}
		if conflict[e] {
			s.Mark |= timeline.Conflict
		}
		if e.preempted && i <= end {
			s.Mark |= timeline.Preempted
		}
		p.tl.Steps = append(p.tl.Steps, s)
	}
}

// end is the last event worth showing: what comes after the last failure is
// clean-up.
func (p *picture) end() int {
	if p.ex.out.kind == KindCheck {
		for i := len(p.rec.events) - 1; i >= 0; i-- {
			if p.rec.events[i].failed {
				return i
			}
		}
	}
	return len(p.rec.events)
}

func (p *picture) matters(e *event) bool {
	switch {
	case e.log, e.failed, e.preempted, p.rec.waiting[e.member] == e && p.stuck(e.member):
		return true
	case e.op == control.OpStart, e.alone && e.site.kind != siteGo && e.outcome != "blocked":
		return false
	case e.site.kind == siteGo:
		return e.member == 1 || p.ex.given != nil
	case strings.HasPrefix(e.site.op, "WaitGroup") && e.outcome == "":
		return false
	}
	return p.shared[e.object]
}

// stuck reports whether a member was left blocked at the end.
func (p *picture) stuck(id uint32) bool { return slices.Contains(p.ex.out.blocked, id) }

// object numbers objects by kind in order of appearance.
func (p *picture) object(e *event) string {
	if e.object == 0 || e.log || !p.shared[e.object] {
		return ""
	}
	if name, ok := p.objects[e.object]; ok {
		return name
	}
	family := e.site.family()
	p.counts[family]++
	name := fmt.Sprintf("%s#%d", family, p.counts[family])
	p.objects[e.object] = name
	return name
}

func (s *site) family() string {
	switch {
	case s.kind == siteLock, s.kind == siteUnlock, s.kind == siteRLock, s.kind == siteRUnlock:
		return "mu"
	case s.kind == siteChannel:
		return "chan"
	case strings.HasPrefix(s.op, "map"):
		return "map"
	case strings.HasPrefix(s.op, "WaitGroup"):
		return "wg"
	case strings.HasPrefix(s.op, "Cond"):
		return "cond"
	case strings.HasPrefix(s.op, "Once"):
		return "once"
	case strings.HasPrefix(s.op, "atomic"):
		return "atomic"
	}
	return "var"
}

// waits describes who waits for what at the end, and a cycle if there is one.
func (p *picture) waits() {
	if p.ex.out.kind != KindDeadlock && p.ex.out.kind != KindLeak {
		return
	}
	for _, id := range p.ex.out.blocked {
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
	w.Where = where(e.site.user)
	if name := p.object(e); name != "" {
		w.Object = name
	}
	if owner := p.rec.owners[e.object]; owner != 0 {
		w.Holder = p.ex.name(owner)
	}
	return w
}

// cycle follows lock owners from each blocked member until one comes again.
func (p *picture) cycle() []uint32 {
	for _, start := range p.ex.out.blocked {
		var seen []uint32
		for id := start; id != 0; {
			for i, known := range seen {
				if known == id {
					return seen[i:]
				}
			}
			seen = append(seen, id)
			e := p.rec.waiting[id]
			if e == nil {
				break
			}
			id = p.rec.owners[e.object]
		}
	}
	return nil
}

// races shows the data races if they are what failed. Noted ones, which
// led to something worse, are only counted.
func (p *picture) races() {
	if p.ex.out.kind != KindRace {
		return
	}
	for _, r := range p.ex.out.races {
		race := timeline.Race{Address: r.Address}
		for i, a := range r.Accesses {
			race.Accesses[i] = timeline.Access{Kind: a.kind(), Thread: a.Goroutine, Stack: a.Stack}
		}
		p.tl.Races = append(p.tl.Races, race)
	}
}

func where(f frame) string {
	if f.file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", shortPath(f.file), f.line)
}

// mainModule is the path of the module that the program is from.
var mainModule = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Path
	}
	return ""
})

// shortPath is a file's path below the main module, or its last two elements.
func shortPath(file string) string {
	if rest, ok := strings.CutPrefix(file, mainModule()+"/"); ok {
		return rest
	}
	return path.Join(path.Base(path.Dir(file)), path.Base(file))
}

// shortFunction drops the import path's directories and type arguments.
func shortFunction(name string) string {
	plain, rest, generic := strings.Cut(name, "[")
	plain = plain[strings.LastIndexByte(plain, '/')+1:]
	if !generic {
		return plain
	}
	return plain + "[…]" + rest[strings.LastIndexByte(rest, ']')+1:]
}
