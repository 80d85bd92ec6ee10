package explore

import (
	"fmt"
	"unsafe"

	"github.com/jacquard-go/jacquard/internal/control"
)

// An event is one row of a recorded execution.
type event struct {
	member    uint32
	op        control.Op
	site      site
	object    uintptr
	value     string
	outcome   string
	preempted bool // the member had been stopped before this
	alone     bool // no other goroutine of the program was alive
	idle      bool // it had no effect
	log       bool
	failed    bool
}

// A recorder keeps what a shown execution did.
type recorder struct {
	events  []*event
	owners  map[uintptr]uint32 // lock → member that holds it
	waiting map[uint32]*event  // member → the operation it blocked in
	pending map[uint32]bool    // members that were stopped though they could go on
	first   map[uint32]frame   // member → where it was started
	parents map[uint32]string
}

func newRecorder() *recorder {
	return &recorder{
		owners: make(map[uintptr]uint32), waiting: make(map[uint32]*event), pending: make(map[uint32]bool),
		first: make(map[uint32]frame), parents: make(map[uint32]string),
	}
}

// before notes the operation that m is about to do.
func (r *recorder) before(ex *execution, m *control.Member) *event {
	r.created(ex, m)
	if ex.last != 0 && ex.last != m.ID && !ex.x.sites.owns(m) && ex.e.Member(int(ex.last)).State == control.Runnable {
		if n := len(ex.run); n > 0 && ex.run[n-1].Preempts {
			r.pending[ex.last] = true
		}
	}
	e := &event{member: m.ID, op: m.Op, preempted: r.pending[m.ID], alone: ex.alone(m.ID)}
	delete(r.pending, m.ID)
	switch m.Op {
	case control.OpStart:
	case control.OpWoken:
		if was := r.waiting[m.ID]; was != nil {
			e.site, e.object = was.site, was.object
		}
		e.outcome = "woken"
		if m.Waker != 0 {
			e.outcome = "woken by " + ex.name(m.Waker)
		}
	default:
		e.site = *ex.x.sites.of(m)
		e.object = m.Addr - e.site.offset
		e.value = peek(e, m.Addr)
	}
	r.events = append(r.events, e)
	return e
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
	if m.State == control.Blocked {
		if e.op != control.OpWoken && (m.Op != e.op || m.Addr-e.site.offset != e.object) {
			r.after(ex, &control.Member{ID: m.ID, State: control.Runnable}, e)
			e = r.inner(ex, m)
		}
		e.outcome = "blocked"
		r.waiting[m.ID] = e
		return
	}
	delete(r.waiting, m.ID)
	switch e.site.kind {
	case siteLock:
		r.owners[e.object] = m.ID
	case siteUnlock:
		delete(r.owners, e.object)
	case siteAtomicWrite:
		if now := peek(e, e.object+e.site.offset); now != "" && now != e.value {
			e.value += " → " + now
		}
	case siteGo:
		r.children(ex, e)
	}
	switch m.State {
	case control.Panicked, control.Fatal, control.Quit:
		e.failed = true
	}
}

// inner adds the operation that m blocks in, where it is no scheduling point.
func (r *recorder) inner(ex *execution, m *control.Member) *event {
	e := &event{member: m.ID, op: m.Op, site: *ex.x.sites.of(m), alone: ex.alone(m.ID)}
	e.object = m.Addr - e.site.offset
	if e.site.op == "" || inSelf(resolve(m.Stack())) {
		e.site.op = m.WaitReason()
	}
	r.events = append(r.events, e)
	return e
}

// children says what a go statement has started.
func (r *recorder) children(ex *execution, e *event) {
	for i := 1; i <= ex.e.Len(); i++ {
		m := ex.e.Member(i)
		if _, known := r.first[m.ID]; !known && m.Parent == e.member {
			r.created(ex, m)
		}
	}
}

func (r *recorder) created(ex *execution, m *control.Member) {
	if _, known := r.first[m.ID]; known {
		return
	}
	r.parents[m.ID], r.first[m.ID] = ex.created(m)
}

// log adds a line that the program wrote.
func (r *recorder) log(member uint32, text string, kind logKind) {
	r.events = append(r.events, &event{member: member, value: text, log: true, failed: kind == logFailure})
}

// peek reads the value of an atomic variable. Every goroutine is parked, and
// the collector does not run within an execution unless the heap is large, so
// the address is good.
func peek(e *event, addr uintptr) string {
	if addr == 0 {
		return ""
	}
	switch e.site.size {
	case 4:
		return fmt.Sprint(int32(word(addr) & 0xffffffff))
	case 8:
		v := word(addr)
		if v > 1<<32 && v < 1<<48 {
			return fmt.Sprintf("%#x", v) // a pointer, most likely
		}
		return fmt.Sprint(int64(v))
	}
	return ""
}

// word reads at most eight bytes without crossing a word's boundary.
func word(addr uintptr) uint64 {
	p := *(*unsafe.Pointer)(unsafe.Pointer(&addr))
	if addr%8 == 0 {
		return *(*uint64)(p)
	}
	return uint64(*(*uint32)(p))
}
