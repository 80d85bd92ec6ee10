package explore

import (
	"fmt"
	"path"
	"runtime/debug"
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
	objects *labels
	sources *spots
	shared  map[uintptr]bool
	early   map[*event]bool
	story   story
}

// timeline draws a recorded failure.
func (r *recorder) timeline(ex *execution, f *Failure) *timeline.Timeline {
	r.stillInTheWay()
	sources := newSpots(ex.x.sites.lib, r.events)
	p := &picture{
		ex: ex, rec: r, column: make(map[uint32]int),
		objects: nameObjects(sources, r.events), sources: sources, shared: r.sharedObjects(), early: r.earlyRows(),
		tl: &timeline.Timeline{Title: ex.x.cfg.Name, Verdict: "violated: " + string(f.Kind)},
	}
	p.story = p.tell(f)
	p.tl.Cause = p.story.text
	p.details(f)
	p.threads()
	p.steps()
	p.waits()
	p.races()
	p.tl.Footer = f.origin(ex.x.cfg.Seed)
	if n := len(ex.out.races); n > 0 && f.Kind != KindRace {
		p.tl.Footer = append(p.tl.Footer, "noted besides: "+plural(n, "data race"))
	}
	if ex.x.cfg.Replayed != "" && f.Card != "" {
		p.tl.Replay = strings.ReplaceAll(ex.x.cfg.Replayed, "%s", f.Card)
	} else {
		p.tl.Replay = f.Card
	}
	return p.tl
}

// maxFrames is how much of a stack is shown.
const maxFrames = 12

func (p *picture) details(f *Failure) {
	p.tl.Details = append(p.tl.Details, strings.Split(f.Message, "\n")...)
	for _, m := range f.Messages {
		if m != f.Message {
			p.tl.Details = append(p.tl.Details, strings.Split(m, "\n")...)
		}
	}
	stack := p.stack(p.ex.out.stack)
	for i, line := range stack {
		if i == maxFrames {
			p.tl.Details = append(p.tl.Details, fmt.Sprintf("    … %d more", len(stack)-i))
			break
		}
		p.tl.Details = append(p.tl.Details, "    "+line)
	}
}

// stack is the program's part of a stack, as "function file:line".
func (p *picture) stack(pcs []uintptr) (lines []string) {
	for _, fr := range p.ex.x.cfg.inside(resolve(pcs)) {
		if p.ex.x.cfg.isProgram(fr.function) {
			lines = append(lines, shortFunction(fr.function)+" "+where(fr))
		}
	}
	return lines
}

func (p *picture) threads() {
	for i := 1; i <= p.ex.e.Len(); i++ {
		id := uint32(i)
		if p.ex.onlyRuns(id) {
			continue
		}
		p.column[id] = len(p.tl.Threads)
		th := timeline.Thread{Name: p.ex.name(id), CreatedBy: p.rec.parents[id]}
		if at := p.rec.first[id]; at.file != "" {
			th.Where = where(at)
		}
		if id == 1 || p.ex.onlyRuns(p.ex.e.Member(i).Parent) {
			th.CreatedBy, th.Where = "", ""
		}
		p.tl.Threads = append(p.tl.Threads, th)
	}
}

// maxSteps bounds the steps of a timeline: of an execution that went on and on
// it has the first ones and the last.
const maxSteps = 4000

func (p *picture) steps() {
	end := p.end()
	n := len(p.rec.events)
	for i, e := range p.rec.events {
		switch {
		case p.ex.onlyRuns(e.member), p.runs(e) && !e.failed && !p.story.marks[e]:
			continue
		case i >= maxSteps/2 && i < n-maxSteps/2 && !p.story.marks[e]:
			continue
		}
		p.tl.Steps = append(p.tl.Steps, p.step(e, i <= end))
	}
}

// step is the row of an event.
func (p *picture) step(e *event, inTime bool) timeline.Step {
	s := timeline.Step{
		Index: e.index, Thread: p.column[e.member], Op: e.verb, Object: p.object(e),
		Value: e.value, Outcome: e.outcome, Matters: inTime && p.matters(e),
	}
	if e.site.user.file != "" {
		s.Where, s.Func = where(e.site.user), shortFunction(e.site.user.function)
		s.Stack = p.stack(e.pcs)
		s.Stack = s.Stack[:min(len(s.Stack), maxFrames)]
	}
	switch {
	case e.log:
		s.Op, s.Object = "log", ""
	case e.site.kind == siteGo:
		s.Value = p.childNames(e)
	case e.site.self:
		s.Op, s.Object, s.Value = p.harness(e), "", ""
	}
	if e.failed {
		s.Mark |= timeline.Failed
	}
	if p.story.marks[e] {
		s.Mark |= timeline.Conflict
	}
	if e.preempted && inTime {
		s.Mark |= timeline.Preempted
	}
	return s
}

func (p *picture) childNames(e *event) string {
	var names []string
	for _, id := range e.children {
		names = append(names, p.ex.name(id))
	}
	return strings.Join(names, ", ")
}

// harness is what an operation of the harness's own is called.
func (p *picture) harness(e *event) string {
	if strings.HasSuffix(e.site.op, ".Wait") || e.blocked {
		return "T.Wait"
	}
	return e.site.op
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

// object is what an event's object is called in the report; "" if it is nobody
// else's.
func (p *picture) object(e *event) string {
	switch {
	case e.log, e.site.self:
		return ""
	case e.site.part():
		return spelled(p.sources.expr(e))
	case len(e.channels) > 0 && e.object == 0:
		return p.choices(e)
	case e.object == 0:
		return ""
	case !p.shared[e.object] && len(p.objects.names(e.object)) == 0:
		return ""
	}
	return p.objects.name(e.object)
}

// choices are the channels of a select that has not ended.
func (p *picture) choices(e *event) string {
	var names []string
	for _, c := range e.channels {
		if c != 0 {
			names = append(names, p.objects.name(c))
		}
	}
	return strings.Join(names, " | ")
}

// races shows the data races if they are what failed. Noted ones, which
// led to something worse, are only counted.
func (p *picture) races() {
	if p.ex.out.kind != KindRace {
		return
	}
	for _, r := range p.ex.out.races {
		race := timeline.Race{Address: p.raced(r)}
		for i, a := range r.Accesses {
			race.Accesses[i] = timeline.Access{Kind: a.kind(), Thread: a.Goroutine, Stack: p.ex.x.cfg.called(a.Stack)}
		}
		p.tl.Races = append(p.tl.Races, race)
	}
}

// operation says in a few words what an event did, and in which step.
func (p *picture) operation(e *event) string {
	text := e.verb
	if o := p.object(e); o != "" {
		text += " " + o
	}
	if e.value != "" {
		text += " " + e.value
	}
	return fmt.Sprintf("%s (step %d)", text, e.index)
}

// started says who started a member, and where; "" for the root.
func (p *picture) started(id uint32) string {
	by, at := p.rec.parents[id], where(p.rec.first[id])
	switch {
	case id == 1 || by == "" && at == "":
		return ""
	case by == "":
		return "started at " + at
	case at == "":
		return "started by " + fmt.Sprintf("%q", by)
	}
	return fmt.Sprintf("started by %q at %s", by, at)
}

// isStuck reports whether a member can never go on.
func (p *picture) isStuck(id uint32) bool {
	return p.ex.e.Member(int(id)).State == control.Blocked
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
