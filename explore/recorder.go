package explore

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
)

// A recorder keeps what a shown execution did.
type recorder struct {
	events  []*event
	state   *state
	waiting map[uint32]*event // member → the operation it blocked in
	pending map[uint32]bool   // members that were stopped though they could go on
	first   map[uint32]frame  // member → where it was started
	parents map[uint32]string
	claimed map[uint32]bool // members that a go statement's row tells of
	sources *spots
	values  reader
}

func newRecorder() *recorder {
	return &recorder{
		state: newState(), waiting: make(map[uint32]*event), pending: make(map[uint32]bool),
		first: make(map[uint32]frame), parents: make(map[uint32]string), claimed: make(map[uint32]bool),
	}
}

func (r *recorder) add(e *event) *event {
	r.events = append(r.events, e)
	e.index = len(r.events)
	return e
}

// before notes the operation that m is about to do.
func (r *recorder) before(ex *execution, m *control.Member) *event {
	r.created(ex, m)
	if ex.last != 0 && ex.last != m.ID && !ex.x.sites.owns(m) && ex.e.Member(int(ex.last)).State == control.Runnable {
		if n := len(ex.run); n > 0 && ex.run[n-1].Preempts {
			r.pending[ex.last] = true
		}
	}
	e := r.add(&event{member: m.ID, op: m.Op, preempted: r.pending[m.ID], alone: ex.alone(m.ID), held: r.state.heldBy(m.ID)})
	delete(r.pending, m.ID)
	switch m.Op {
	case control.OpStart:
		e.verb = "start"
	case control.OpWoken:
		r.resumed(ex, m, e)
	default:
		r.announced(ex, m, e)
	}
	return e
}

// resumed makes e the row in which a wait ends.
func (r *recorder) resumed(ex *execution, m *control.Member, e *event) {
	e.outcome = "woken"
	switch {
	case m.KeepsBubble():
		e.outcome = "all in the bubble are blocked"
	case m.AwaitsIdleness():
		e.outcome = "all others are blocked"
	case m.Waker == 0:
	case ex.e.Member(int(m.Waker)).KeepsBubble():
		e.outcome = "woken by the bubble's clock"
	default:
		e.outcome = "woken by " + ex.name(m.Waker)
	}
	was := r.waiting[m.ID]
	if was == nil {
		return
	}
	e.started = was
	e.site, e.action, e.verb, e.object, e.channels = was.site, was.action, was.action, was.object, was.channels
	e.pcs, e.pc, e.reads = was.pcs, was.pc, was.reads
}

// announced fills in an operation that is about to begin.
func (r *recorder) announced(ex *execution, m *control.Member, e *event) {
	e.site = *ex.x.sites.of(m)
	if r.sources == nil {
		r.sources = newSpots(ex.x.sites.lib, nil)
	}
	e.pcs = slices.Clone(m.Stack())
	e.pc = e.site.programCounter(e.pcs)
	e.object = m.Addr - e.site.offset
	if e.site.gathered {
		e.site.kind, e.site.op, e.object = siteOther, e.site.callee(e.pcs), 0
	}
	e.action = e.site.verb()
	e.verb = e.action
	r.inCall(e)
	r.inChannel(e)
	e.reads, e.writes = e.site.kind != siteWrite && e.site.kind != siteGo, e.site.changes()
	r.look(e, m)
	if e.site.kind == siteGo {
		r.children(ex, e) // now: the step goes on until the next statement has started another one
	}
}

// inCall joins an operation to the call of package sync that it is part of,
// which is one step to the program.
func (r *recorder) inCall(e *event) {
	if !e.site.part() {
		return
	}
	for i := len(r.events) - 2; i >= 0; i-- {
		last := r.events[i]
		if last.member != e.member || last.log {
			continue
		}
		if last.inside != nil {
			last = last.inside
		}
		if last.site.part() && last.pc == e.pc && last.action == e.action && !slices.Equal(last.within(), e.within()) {
			e.inside, last.end = last, e
		}
		return
	}
}

// inChannel joins the access with which the runtime tells the race detector of
// a channel operation to that operation.
func (r *recorder) inChannel(e *event) {
	if e.site.kind != siteRead && e.site.kind != siteWrite {
		return
	}
	for i := len(r.events) - 2; i >= 0; i-- {
		last := r.events[i]
		if last.member == e.member && !last.log {
			if last.site.kind == siteChannel && last.pc == e.pc {
				e.inside, last.end = last, e
			}
			return
		}
	}
}

// alone reports whether a member is the only one alive, but for those that
// trusted code has started.
func (ex *execution) alone(id uint32) bool {
	for i := 1; i <= ex.e.Len(); i++ {
		if m := ex.e.Member(i); m.ID != id && m.State != control.Exited && !ex.x.sites.owns(m) {
			return false
		}
	}
	return true
}

// after notes what became of it.
func (r *recorder) after(ex *execution, m *control.Member, e *event) {
	switch {
	case m.State == control.Panicked, m.State == control.Fatal, m.State == control.Quit, m.State == control.Stuck:
		r.crash(ex, m, e)
		return
	case m.State == control.Blocked && e.waits(m.WaitReason()):
		r.blocks(ex, m, e)
		return
	}
	if e.op != control.OpStart {
		delete(r.waiting, m.ID)
		r.done(ex, m, e)
	}
	if m.State == control.Blocked {
		r.blocks(ex, m, r.inner(ex, m, e))
	}
}

// crash notes where a member was ended: in its last operation, or behind it.
func (r *recorder) crash(ex *execution, m *control.Member, e *event) {
	_, _, pcs := ex.e.Crash()
	var at frame
	for _, f := range resolve(pcs) {
		if ex.x.cfg.isProgram(f.function) {
			at = f
			break
		}
	}
	if at == e.site.user && e.op != control.OpStart && !e.site.self {
		e.failed = true
		return
	}
	verb := map[control.State]string{control.Panicked: "panic", control.Fatal: "fatal error", control.Quit: "os.Exit", control.Stuck: "panic"}[m.State]
	r.add(&event{member: m.ID, op: control.OpStart, verb: verb, pcs: slices.Clone(pcs), site: site{user: at}, failed: true})
}

// blocks notes that a member waits in e.
func (r *recorder) blocks(ex *execution, m *control.Member, e *event) {
	if e.action != condWait && m.WaitReason() == "sync.Cond.Wait" {
		e = r.condition(e)
	}
	e.blocked, e.outcome = true, "blocked"
	if e.started != nil {
		e.outcome = "woken, and blocked again"
	}
	r.waiting[m.ID] = e
	r.waits(ex, m, e)
}

// condition is the row in which a wait on a condition variable began: it ends in
// e, which gives the lock back.
func (r *recorder) condition(e *event) *event {
	for i := e.index - 1; i >= 0; i-- {
		began := r.events[i]
		if began.member == e.member && began.action == condWait && began.started == nil {
			e.acquired = r.state.released(e)
			e.inside = began
			return began
		}
	}
	return e
}

// inner adds the operation that m blocks in, where it is no scheduling point.
func (r *recorder) inner(ex *execution, m *control.Member, last *event) *event {
	e := r.add(&event{member: m.ID, op: m.Op, alone: ex.alone(m.ID), verb: m.WaitReason()})
	if m.Op == last.op && m.Addr-last.site.offset == last.object {
		return e // its stack is that of the last one
	}
	found, self := *ex.x.sites.of(m), inSelf(below(resolve(m.Stack())))
	if found.op != "" && !self {
		e.site, e.action, e.verb = found, found.verb(), found.verb()
	} else {
		e.site.op, e.site.user, e.site.self = m.WaitReason(), found.user, self
	}
	e.object = m.Addr - e.site.offset
	e.pcs = slices.Clone(m.Stack())
	e.pc = e.site.programCounter(e.pcs)
	return e
}

// created notes who started a member, and where.
func (r *recorder) created(ex *execution, m *control.Member) {
	if _, known := r.parents[m.ID]; known {
		return
	}
	by, at := ex.created(m)
	r.parents[m.ID] = by
	if at.file != "" {
		r.first[m.ID] = at
	}
}

// children notes what a go statement has started. One in package sync or in
// this package stands for the program's call of it.
func (r *recorder) children(ex *execution, e *event) {
	for i := 1; i <= ex.e.Len(); i++ {
		m := ex.e.Member(i)
		if m.Parent != e.member || r.claimed[m.ID] {
			continue
		}
		r.claimed[m.ID] = true
		e.children = append(e.children, m.ID)
		r.created(ex, m)
		if _, known := r.first[m.ID]; !known {
			r.first[m.ID] = e.site.user
		}
	}
}

// log adds a line that the program wrote. One that is said again, to say that it
// is a failure, is one line.
func (r *recorder) log(member uint32, text string, kind logKind) {
	if n := len(r.events); n > 0 {
		if last := r.events[n-1]; last.log && last.member == member && last.value == text {
			last.failed = last.failed || kind == logFailure
			return
		}
	}
	r.add(&event{member: member, value: text, log: true, failed: kind == logFailure})
}
