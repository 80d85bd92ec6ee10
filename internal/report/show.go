package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/schedule"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/timeline"
	"github.com/jacquard-go/jacquard/internal/verdict"
)

// A picture turns a recorded execution into a timeline.
type picture struct {
	ex      *engine.Execution
	rec     *Recorder
	tl      *timeline.Timeline
	column  map[uint32]int
	objects *labels
	sources *source.Expressions
	shared  map[uintptr]bool
	early   map[*event]bool
	story   story
	own     bool         // tell only with rows of the module under test
	first   bool         // tell only with rows up to the first failed check
	always  bool         // all schedules fail in this way, so that who came first does not decide
	passes  verdict.Turn // see verdict.Judged

	replayed bool // the schedule is from a card; nothing is known of others
}

// Timeline draws a recorded failure.
func (r *Recorder) Timeline(ex *engine.Execution, f *verdict.Failure, o Origin) *timeline.Timeline {
	r.stillInTheWay()
	sources := source.NewExpressions(ex.Engine.Sites.Lib, r.uses())
	p := &picture{
		ex: ex, rec: r, column: make(map[uint32]int),
		objects: nameObjects(sources, r.events, r.sharedObjects()), sources: sources, replayed: o.Replayed != nil, shared: r.sharedObjects(), early: r.earlyRows(),
		tl: &timeline.Timeline{Title: ex.Engine.Settings.Name, Verdict: "violated: " + string(f.Kind)},
	}
	p.story = p.tell(f)
	p.tl.Cause = strings.Trim(f.Needs+"; "+p.story.text, "; ")
	if ex.Engine.Settings.Runner != "" { // the failure is in a test of the user's
		f.Blame = p.blame(f)
		p.tl.Blame = f.Blame.String()
	}
	p.details(f)
	p.threads()
	p.steps()
	p.waits()
	p.races()
	p.tl.Footer = o.lines(f)
	if n := schedule.Preemptions(ex.Run); f.Of == engine.KindRace && len(r.events) > 0 && (n != f.Preemptions || ex.Steps != f.Steps) {
		p.tl.Footer = append(p.tl.Footer, fmt.Sprintf("shown with the racing accesses as steps too: %s in %d", source.Plural(n, "preemption"), ex.Steps))
	}
	if n := len(ex.Out.Races); n > 0 && f.Of != engine.KindRace {
		p.tl.Footer = append(p.tl.Footer, "noted besides: "+source.Plural(n, "data race"))
	}
	if o.Command != "" && f.Card != "" {
		p.tl.Replay = strings.ReplaceAll(o.Command, "%s", f.Card)
	} else {
		p.tl.Replay = f.Card
	}
	return p.tl
}

// maxFrames bounds the frames of a stack that are shown.
const maxFrames = 12

func (p *picture) details(f *verdict.Failure) {
	p.tl.Details = append(p.tl.Details, strings.Split(f.Message, "\n")...)
	for _, m := range f.Messages {
		if m != f.Message {
			p.tl.Details = append(p.tl.Details, strings.Split(m, "\n")...)
		}
	}
	stack := p.stack(p.ex.Out.Stack)
	for i, line := range stack {
		if i == maxFrames {
			p.tl.Details = append(p.tl.Details, fmt.Sprintf("    … %d more", len(stack)-i))
			break
		}
		p.tl.Details = append(p.tl.Details, "    "+line)
	}
}

// stack returns the program's part of a stack, as "function file:line".
func (p *picture) stack(pcs []uintptr) (lines []string) {
	for _, fr := range p.ex.Engine.Settings.Inside(source.Resolve(pcs)) {
		if p.ex.Engine.Settings.IsProgram(fr.Function) {
			lines = append(lines, source.ShortFunction(fr.Function)+" "+source.Where(fr))
		}
	}
	return lines
}

func (p *picture) threads() {
	active := make(map[uint32]bool)
	for _, e := range p.rec.events {
		active[e.task] = true
	}
	for i := 1; i <= p.ex.Control.Len(); i++ {
		id := uint32(i)
		if p.ex.OnlyRuns(id) || p.ex.Control.Task(i).Leftover() && !active[id] {
			continue
		}
		p.column[id] = len(p.tl.Threads)
		th := timeline.Thread{Name: p.ex.Name(id), CreatedBy: p.rec.parents[id]}
		if at := p.rec.first[id]; at.File != "" {
			th.Where = source.Where(at)
		}
		if id == 1 || p.ex.OnlyRuns(p.ex.Control.Task(i).Parent) {
			th.CreatedBy, th.Where = "", ""
		}
		p.tl.Threads = append(p.tl.Threads, th)
	}
}

// maxSteps bounds the steps of a timeline: a longer execution is shown by its first and last steps.
const maxSteps = 4000

func (p *picture) steps() {
	end, holds := p.end(), p.holds()
	n := len(p.rec.events)
	for i, e := range p.rec.events {
		switch {
		case p.ex.OnlyRuns(e.task), p.runs(e) && !e.failed && !p.story.marks[e]:
			continue
		case i >= maxSteps/2 && i < n-maxSteps/2 && !p.story.marks[e]:
			continue
		}
		s := p.step(e, i <= end)
		s.Holds = p.lockNames(holds[i])
		p.tl.Steps = append(p.tl.Steps, s)
	}
}

// holds returns the locks that the task of each event holds after it: those before its next event,
// or at the end.
func (p *picture) holds() [][]hold {
	all, next := make([][]hold, len(p.rec.events)), make(map[uint32][]hold)
	for i, e := range slices.Backward(p.rec.events) {
		after, ok := next[e.task]
		if !ok {
			after = p.rec.state.heldBy(e.task)
		}
		all[i], next[e.task] = after, e.held
	}
	return all
}

// step returns the timeline step of an event.
func (p *picture) step(e *event, inTime bool) timeline.Step {
	s := timeline.Step{
		Index: e.index, Thread: p.column[e.task], Op: e.verb, Object: p.object(e),
		Value: e.value, Outcome: e.outcome, Matters: inTime && p.matters(e),
	}
	if e.Site.User.File != "" {
		s.Where, s.Func = source.Where(e.Site.User), source.ShortFunction(e.Site.User.Function)
		s.Stack = p.stack(e.pcs)
		s.Stack = s.Stack[:min(len(s.Stack), maxFrames)]
	}
	switch {
	case e.log:
		s.Op, s.Object = "log", ""
	case e.Site.Kind == source.SiteGo:
		s.Value = p.childNames(e)
	case e.Site.Self:
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
	if e.stops && inTime && (e.resumed == nil || e.resumed.index > p.end()+1) {
		s.Mark |= timeline.Stopped
	}
	return s
}

func (p *picture) childNames(e *event) string {
	var names []string
	for _, id := range e.children {
		names = append(names, p.ex.Name(id))
	}
	return strings.Join(names, ", ")
}

// harness returns the name of an operation of the harness.
func (p *picture) harness(e *event) string {
	if strings.HasSuffix(e.Site.Op, ".Wait") || e.blocked {
		return "T.Wait"
	}
	return e.Site.Op
}

// end returns the index of the last event worth showing, because events after the last failure are
// clean-up. With p.first it is that of the first failure.
func (p *picture) end() int {
	end := len(p.rec.events)
	if p.ex.Out.Kind != engine.KindCheck {
		return end
	}
	for i, e := range p.rec.events {
		if e.failed {
			end = i
		}
		if e.failed && p.first {
			break
		}
	}
	return end
}

// untilEnd returns the rows up to the one in which the check failed, inclusive.
func (p *picture) untilEnd() []*event { return p.rec.events[:min(p.end()+1, len(p.rec.events))] }

// object returns the name of an event's object in the report; "" if no other goroutine uses it.
func (p *picture) object(e *event) string {
	switch {
	case e.log, e.Site.Self:
		return ""
	case e.Site.Part():
		return p.whole(e)
	case len(e.channels) > 0 && e.object == 0:
		return p.choices(e)
	case e.object == 0:
		return ""
	case p.objects.wide.half(e) != "":
		return fmt.Sprintf("%s (%s)", p.objects.name(p.objects.wide.whole(e)), p.objects.wide.half(e))
	case !p.shared[e.object] && len(p.objects.names(e.object)) == 0:
		return ""
	}
	return p.objects.name(e.object)
}

// whole returns the object of a call of package sync of which a row is a part.
func (p *picture) whole(e *event) string {
	first := e.call()
	spelled := source.Spelled(p.sources.Expr(&e.Use))
	if name := p.objects.name(first.object); spelled != "" && first.family() != "" && name != "" {
		return name
	}
	return spelled
}

// choices lists the channels of a select that has not ended, those it sends on first.
func (p *picture) choices(e *event) string {
	var names []string
	channels := slices.Clone(e.channels)
	slices.Reverse(channels[len(e.sendCases()):]) // the compiler numbers receives from the last to the first
	for _, c := range channels {
		if c != 0 {
			names = append(names, p.objects.name(c))
		}
	}
	return strings.Join(names, " | ")
}

// races shows the data races if they are the failure. Noted ones, which led to another failure, are
// only counted.
func (p *picture) races() {
	if p.ex.Out.Kind != engine.KindRace {
		return
	}
	for _, r := range p.ex.Out.Races {
		race := timeline.Race{Address: p.raced(r)}
		for i, a := range r.Accesses {
			race.Accesses[i] = timeline.Access{Kind: a.Kind(), Thread: a.Goroutine, Stack: p.ex.Engine.Settings.Called(a.Stack)}
		}
		p.tl.Races = append(p.tl.Races, race)
	}
}

// operation says in a few words what an event did, and in which step.
func (p *picture) operation(e *event) string {
	text := strings.TrimPrefix(e.verb, selectVerb+": ") // a verb for the sentence
	if o := p.object(e); o != "" {
		text += " " + o
	}
	if e.value != "" {
		text += " " + e.value
	}
	return fmt.Sprintf("%s (step %d)", text, e.index)
}

// started says where a task was started, and by which goroutine; "" for the root.
func (p *picture) started(id uint32) string {
	by, at := p.rec.parents[id], source.Where(p.rec.first[id])
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

// runs reports whether an event is an operation of the runner itself.
func (p *picture) runs(e *event) bool {
	return p.ex.Engine.Settings.Runs(source.PackageOf(e.Site.User.Function))
}
