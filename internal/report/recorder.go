package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/engine"
	"github.com/jacquard-go/jacquard/internal/source"
	"github.com/jacquard-go/jacquard/internal/values"
)

// A Recorder records an execution that will be shown.
type Recorder struct {
	events   []*event
	now      *event // the row of the present step
	state    *state
	waiting  map[uint32]*event       // task → the operation it blocked in
	pending  map[uint32]*event       // task stopped while runnable → its last row
	first    map[uint32]source.Frame // task → where it was started
	parents  map[uint32]string
	seen     int      // tasks, which have numbers from 1
	decided  int      // decisions up to the last row
	unlisted []uint32 // those of them that no row of a go statement lists
	sources  *source.Expressions
	values   values.Reader
}

func NewRecorder() *Recorder {
	return &Recorder{
		state: newState(), waiting: make(map[uint32]*event), pending: make(map[uint32]*event),
		first: make(map[uint32]source.Frame), parents: make(map[uint32]string),
	}
}

func (r *Recorder) add(e *event) *event {
	r.events = append(r.events, e)
	e.index = len(r.events)
	return e
}

// mostShown bounds the rows of a recorder.
const mostShown = 50000

// Before records the operation that m is about to do.
func (r *Recorder) Before(ex *engine.Execution, m *control.Task) bool {
	if len(r.events) >= mostShown {
		return false
	}
	r.created(ex, m)
	if ex.Last != 0 && ex.Last != m.ID && !ex.Engine.Sites.Owns(m) && ex.Control.Task(int(ex.Last)).State == control.Runnable {
		if n := len(ex.Run); n > 0 && ex.Run[n-1].Preempts {
			if r.pending[ex.Last] == nil {
				r.pending[ex.Last] = r.last(ex.Last)
			}
		}
	}
	m.BeginFile()
	e := r.add(&event{task: m.ID, step: ex.Made, Use: source.Use{Op: m.Op}, manner: manner{preempted: r.pending[m.ID] != nil, alone: ex.Alone(m.ID)}, locking: locking{held: r.state.heldBy(m.ID)}})
	if n := len(ex.Run); n > r.decided {
		if r.decided = n; ex.Run[n-1].Goroutine == m.ID {
			e.decision = n
		}
	}
	if stop := r.pending[m.ID]; stop != nil {
		stop.resumed = e
	}
	delete(r.pending, m.ID)
	switch m.Op {
	case control.OpStart:
		e.verb = "start"
		if m.Parent == 0 && m.ID > 1 && !m.Leftover() {
			e.verb, e.timed = timerFires, true
		}
	case control.OpWoken:
		r.resumed(ex, m, e)
	default:
		r.announced(ex, m, e)
	}
	r.now = e
	return true
}

// Shows reports that the record will be shown.
func (r *Recorder) Shows() bool { return true }

// last marks the last row of a task as one after which it was stopped, and returns it.
func (r *Recorder) last(id uint32) *event {
	for _, e := range slices.Backward(r.events) {
		if e.task == id && !e.log {
			e.stops = true
			return e
		}
	}
	return nil
}

// resumed makes e the row in which a wait ends.
func (r *Recorder) resumed(ex *engine.Execution, m *control.Task, e *event) {
	e.outcome = "woken"
	switch {
	case m.KeepsBubble():
		e.outcome = "all in the bubble are blocked"
	case m.AwaitsIdleness():
		e.outcome = "all others are blocked"
	case m.Waker == 0:
	case ex.Control.Task(int(m.Waker)).KeepsBubble():
		e.outcome = "woken by the bubble's clock"
	default:
		e.outcome = "woken by " + ex.Name(m.Waker)
	}
	was := r.waiting[m.ID]
	if was == nil {
		return
	}
	e.started, e.timed = was, m.Waker == 0 && was.Site.Kind == source.SiteChannel
	e.Site, e.Action, e.verb, e.object, e.channels, e.sends = was.Site, was.Action, was.Action, was.object, was.channels, was.sends
	if was.timed {
		e.verb, e.timed = was.verb, true
	}
	if was.timed && m.Bubble == 0 { // a bubble has a clock of its own
		e.outcome = "woken after " + time.Duration(ex.Control.Now()-was.now).String()
	}
	e.pcs, e.PC, e.reads = was.pcs, was.PC, was.reads
}

// timerFires is the verb of the first step of a goroutine that a timer has started.
const timerFires = "timer fires"

// announced fills in an operation that is about to begin.
func (r *Recorder) announced(ex *engine.Execution, m *control.Task, e *event) {
	e.Site = *ex.Engine.Sites.Of(m)
	if r.sources == nil {
		r.sources = source.NewExpressions(ex.Engine.Sites.Lib, nil)
	}
	e.pcs = slices.Clone(m.Stack())
	e.PC = e.Site.ProgramCounter(e.pcs)
	e.object = m.Addr - e.Site.Offset
	if e.Site.Gathered {
		e.Site.Kind, e.Site.Op, e.Site.Call, e.object = source.SiteOther, e.Site.Callee(e.pcs), "", e.Site.Environment()
	}
	e.Action = e.Site.Verb()
	e.verb = e.Action
	r.inCall(e)
	r.inChannel(e)
	e.reads, e.writes = e.Site.Kind != source.SiteWrite && e.Site.Kind != source.SiteGo, e.Site.Changes()
	r.look(e, m)
	switch e.Op {
	case control.OpClose:
		e.waiters = r.blockedAt(ex, e.object)
	case control.OpCount:
		e.counted(ex)
	}
	if e.Site.Kind == source.SiteGo {
		r.children(ex, e) // before the next statement starts another one
	}
}

// inCall joins an operation to the call of package sync that it is part of, because the call is one
// step to the program.
func (r *Recorder) inCall(e *event) {
	if !e.Site.Part() {
		return
	}
	for i := len(r.events) - 2; i >= 0; i-- {
		last := r.events[i]
		if last.task != e.task || last.log {
			continue
		}
		last = cmp.Or(last.inside, last)
		if last.Site.Part() && last.PC == e.PC && last.Action == e.Action && !slices.Equal(last.within(), e.within()) {
			e.inside, last.end = last, e
		}
		return
	}
}

// inChannel joins the access with which the runtime reports a channel operation to the race
// detector to that operation.
func (r *Recorder) inChannel(e *event) {
	if e.Site.Kind != source.SiteRead && e.Site.Kind != source.SiteWrite {
		return
	}
	for i := len(r.events) - 2; i >= 0; i-- {
		last := r.events[i]
		if last.task == e.task && !last.log {
			if last.Site.Kind == source.SiteChannel && last.PC == e.PC {
				e.inside, last.end = last, e
			}
			return
		}
	}
}

// After records the result of the operation.
func (r *Recorder) After(ex *engine.Execution, m *control.Task) {
	e := r.now
	switch {
	case m.State == control.Panicked, m.State == control.Fatal, m.State == control.Quit, m.State == control.Stuck:
		r.crash(ex, m, e)
		return
	case m.State == control.Blocked && e.waits(m.WaitReason()):
		r.blocks(ex, m, e)
		return
	}
	if e.Op != control.OpStart {
		delete(r.waiting, m.ID)
		r.done(ex, m, e)
	}
	if m.State == control.Blocked {
		r.blocks(ex, m, r.inner(ex, m, e))
	}
}

// crash records where a task ended: in its last operation, or after it.
func (r *Recorder) crash(ex *engine.Execution, m *control.Task, e *event) {
	_, _, pcs := ex.Control.Crash()
	var at source.Frame
	for _, f := range source.Resolve(pcs) {
		if ex.Engine.Settings.IsProgram(f.Function) && (m.State != control.Quit || !source.Standard(source.PackageOf(f.Function))) { // os.Exit, log.Fatal
			at = f
			break
		}
	}
	if at == e.Site.User && e.Op != control.OpStart && !e.Site.Self {
		e.failed = true
		return
	}
	verb := map[control.State]string{control.Panicked: "panic", control.Fatal: "fatal error", control.Quit: "os.Exit", control.Stuck: "panic"}[m.State]
	r.add(&event{task: m.ID, Use: source.Use{Op: control.OpStart, Site: source.Site{User: at}}, verb: verb, pcs: slices.Clone(pcs), manner: manner{failed: true}})
}

// blocks records that a task waits in e.
func (r *Recorder) blocks(ex *engine.Execution, m *control.Task, e *event) {
	if e.Action != source.CondWait && m.WaitReason() == "sync.Cond.Wait" {
		e = r.condition(e)
	}
	e.blocked, e.outcome = true, "blocked"
	if e.started != nil {
		e.outcome = "woken, and blocked again"
	}
	r.waiting[m.ID] = e
	r.waits(ex, m, e)
}

// condition returns the row in which a wait on a condition variable began: the wait includes e,
// which releases the lock.
func (r *Recorder) condition(e *event) *event {
	for i := e.index - 1; i >= 0; i-- {
		began := r.events[i]
		if began.task == e.task && began.Action == source.CondWait && began.started == nil {
			e.acquired = r.state.released(e)
			e.inside = began
			return began
		}
	}
	return e
}

// inner adds the operation that m blocks in, if that is not a scheduling point: a sleep, or an
// empty select, for example.
func (r *Recorder) inner(ex *engine.Execution, m *control.Task, last *event) *event {
	reason := m.WaitReason()
	e := r.add(&event{task: m.ID, Use: source.Use{Op: m.Op}, manner: manner{alone: ex.Alone(m.ID)}, verb: reason})
	e.Site, e.pcs = *ex.Engine.Sites.Of(m), slices.Clone(m.Stack())
	if announced := m.Op != last.Op || m.Addr-last.Site.Offset != last.object; announced && !e.Site.Self && e.waits(reason) {
		e.Action, e.verb, e.object = e.Site.Verb(), e.Site.Verb(), m.Addr-e.Site.Offset
	} else {
		e.pcs = ex.Control.Where(m.ID)
		e.Site = source.Waiting(reason, e.pcs)
		e.verb, e.timed, e.now = e.Site.Op, reason == "sleep", ex.Control.Now()
	}
	e.PC = e.Site.ProgramCounter(e.pcs)
	return e
}

// created records which goroutine started a task, and where.
func (r *Recorder) created(ex *engine.Execution, m *control.Task) {
	if _, known := r.parents[m.ID]; known {
		return
	}
	by, at := ex.Created(m)
	r.parents[m.ID] = by
	if at.File != "" {
		r.first[m.ID] = at
	}
}

// children records the tasks that a go statement has started. A go statement in package sync or in
// the harness stands for the program's call of it.
func (r *Recorder) children(ex *engine.Execution, e *event) {
	for r.seen < ex.Control.Len() {
		r.seen++
		r.unlisted = append(r.unlisted, uint32(r.seen))
	}
	r.unlisted = slices.DeleteFunc(r.unlisted, func(id uint32) bool {
		m := ex.Control.Task(int(id))
		if m.Parent != e.task {
			return false
		}
		e.children = append(e.children, id)
		r.created(ex, m)
		if _, known := r.first[id]; !known {
			r.first[id] = e.Site.User
		}
		return true
	})
}

// Log adds a line that the program wrote. If the line is repeated to mark it as a failure, it stays
// one row.
func (r *Recorder) Log(task uint32, text string, kind engine.LogKind) *string {
	if n := len(r.events); n > 0 {
		if last := r.events[n-1]; last.log && last.task == task && last.value == text {
			last.failed = last.failed || kind == engine.LogFailure
			return &last.value
		}
	}
	return &r.add(&event{task: task, findings: findings{value: text}, manner: manner{log: true, failed: kind == engine.LogFailure}}).value
}
