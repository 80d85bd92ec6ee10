package explore

import (
	"fmt"
	"runtime"

	"github.com/jacquard-go/jacquard/internal/control"
)

// How an execution is kept from going on for ever.
const (
	runAlone    = 1000    // decisions in a row that one goroutine gets before it has to let others run
	afterRoot   = 200     // timers fired after the body has returned
	heapLimit   = 1 << 30 // live bytes at which garbage is collected within an execution
	heapBetween = 128 << 20
)

// A picker decides a schedule.
type picker interface{ Pick(*Point) Choice }

// An execution runs the body once.
type execution struct {
	x      *explorer
	e      *control.Execution
	t      *T
	pick   picker
	given  map[uint32]string // names given to members
	trace  *recorder         // nil unless the execution is to be shown
	run    []Decision
	nth    map[uint32]int
	hash   uint64
	ran    uint32 // member that ran last
	last   uint32 // the same, but for those that run of themselves; see sites.owns
	streak int    // decisions in a row that it was chosen though others could run
	rooted bool   // the body has returned
	fired  int    // timers fired since
	steps  int
	racers []uint32 // member that ran at each race report
	trust  map[uint32]entry
	out    outcome
	point  Point // reused
}

// An outcome is how an execution ended.
type outcome struct {
	kind     Kind // "" is well
	message  string
	messages []string
	races    []RaceReport
	unknown  string // why nothing can be concluded
	member   uint32 // that failed, if one did
	stack    []uintptr
	blocked  []uint32
	cycle    []uint32
}

func (o *outcome) failed() bool { return o.kind != "" }

// fail keeps the first failure.
func (o *outcome) fail(kind Kind, message string) {
	if o.kind == "" {
		o.kind, o.message = kind, message
	}
}

// execute runs the body once, under p, with the random choices of seed.
func (x *explorer) execute(p picker, seed uint64, trace *recorder) *execution {
	return x.start(&execution{x: x, pick: p, trace: trace}, seed)
}

// executeWith is execute for a picker that looks at the execution.
func (x *explorer) executeWith(p func(*execution) picker, seed uint64, trace *recorder) *execution {
	ex := &execution{x: x, trace: trace}
	ex.pick = p(ex)
	return x.start(ex, seed)
}

func (x *explorer) start(ex *execution, seed uint64) *execution {
	ex.nth = make(map[uint32]int)
	ex.run = make([]Decision, 0, x.result.Points+8)
	ex.t = newT(x, ex)
	ex.e = control.Start(seed)
	control.SetMemory(x.memory)
	ex.e.Spawn(func() { ex.t.body(x.body) })
	ex.loop()
	ex.e.Finish()
	ex.conclude()
	x.temp.clear()
	if control.HeapLive() > heapBetween {
		runtime.GC()
	}
	return ex
}

// loop steps members until nothing is left to do.
func (ex *execution) loop() {
	for {
		if ex.ended() {
			return
		}
		runnable, current := ex.runnable()
		if len(runnable) == 0 {
			if !ex.wait() {
				return
			}
			continue
		}
		if ex.steps++; ex.steps > ex.x.cfg.MaxSteps {
			ex.out.fail(KindLivelock, fmt.Sprintf("no end after %d steps, the last half of them fairly scheduled", ex.x.cfg.MaxSteps))
			return
		}
		ex.step(ex.choose(runnable, current))
	}
}

// ended reports whether the execution is over before all its members are.
func (ex *execution) ended() bool {
	st := ex.e.Status()
	switch {
	case st.Stalled:
		ex.x.lost = true
		ex.out.unknown = fmt.Sprintf("goroutine %q ran for %v without a scheduling point, or waits for something outside the execution", ex.name(ex.ran), ex.x.cfg.Stall)
		return true
	case st.Full:
		ex.out.unknown = fmt.Sprintf("more than %d goroutines in one execution", control.MaxMembers)
		return true
	case ex.ran == 0:
		return false
	}
	switch m := ex.e.Member(int(ex.ran)); m.State {
	case control.Panicked:
		v, _, pcs := ex.e.Crash()
		ex.out.member, ex.out.stack = m.ID, append([]uintptr(nil), pcs...)
		ex.out.fail(KindPanic, "panic: "+panicText(v))
		return true
	case control.Fatal:
		_, msg, pcs := ex.e.Crash()
		ex.out.member, ex.out.stack = m.ID, append([]uintptr(nil), pcs...)
		ex.out.fail(KindFatal, "fatal error: "+msg)
		return true
	}
	return false
}

// panicText formats a panic's value; its own methods may panic in turn.
func panicText(v any) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("%T (its text cannot be had: %v)", v, r)
		}
	}()
	return fmt.Sprint(v)
}

// runnable lists the members that can run, having let those go on whose
// pending operation is no scheduling point.
func (ex *execution) runnable() (ids []uint32, current int) {
	ex.settle()
	ids, current = ex.point.Runnable[:0], -1
	for i := 1; i <= ex.e.Len(); i++ {
		m := ex.e.Member(i)
		if m.State != control.Runnable {
			continue
		}
		if m.ID == ex.last && m.Op != control.OpWoken {
			current = len(ids)
		}
		ids = append(ids, m.ID)
	}
	ex.point.Runnable = ids
	return ids, current
}

// settle steps the member that ran last for as long as its next operation is
// no scheduling point.
func (ex *execution) settle() {
	for ex.ran != 0 {
		m := ex.e.Member(int(ex.ran))
		if m.State != control.Runnable || m.Op == control.OpStart || m.Op == control.OpWoken {
			return
		}
		s := ex.x.sites.of(m)
		if !s.trusted && ex.trust != nil {
			delete(ex.trust, m.ID)
		}
		switch {
		case s.kind == siteInner:
			ex.e.Skip(int(ex.ran))
		case s.trusted && !ex.enters(m, s):
		default:
			return
		}
		ex.advance(ex.ran, 0)
		if ex.e.Status().Stalled {
			return
		}
	}
}

// An entry is the first operation of a call into trusted code.
type entry struct {
	call  uintptr // return address of the call in the program
	first siteKey
}

// enters reports whether a member's operation, in trusted code, is the first
// of a call by the program. It is, if its last one was in another call; and if it
// is the operation with which this call began: then it has begun again.
func (ex *execution) enters(m *control.Member, s *site) bool {
	if s.call == 0 {
		return false // of a goroutine that is trusted code's own
	}
	if ex.trust == nil {
		ex.trust = make(map[uint32]entry)
	}
	key := keyOf(m)
	if last, ok := ex.trust[m.ID]; ok && last.call == s.call {
		return last.first == key
	}
	ex.trust[m.ID] = entry{call: s.call, first: key}
	return true
}

// advance runs one member until its next operation.
func (ex *execution) advance(id, selected uint32) {
	ex.e.Step(id, selected)
	for range ex.e.NewRaces() {
		ex.racers = append(ex.racers, id)
	}
}

// wait lets time pass. It returns false when nothing can happen any more.
func (ex *execution) wait() bool {
	alive := false
	for i := 1; i <= ex.e.Len(); i++ {
		if ex.e.Member(i).State == control.Blocked {
			alive = true
		}
	}
	if !alive {
		return false
	}
	if ex.rooted = ex.e.Member(1).State == control.Exited; ex.rooted {
		ex.fired++
	}
	return ex.fired <= afterRoot && ex.e.Advance()
}

// choose asks the strategy, if there is a choice.
func (ex *execution) choose(runnable []uint32, current int) (id, selected uint32, decided bool) {
	for _, id := range runnable {
		if m := ex.e.Member(int(id)); ex.x.sites.owns(m) {
			return id, 0, false
		}
	}
	first := ex.e.Member(int(runnable[0]))
	if len(runnable) == 1 && first.Op != control.OpSelect {
		return runnable[0], 0, false
	}
	p := &ex.point
	p.Index, p.Current, p.Created = len(ex.run), current, ex.e.Len()
	p.Next = 0
	for i, id := range runnable {
		if id > ex.last {
			p.Next = i
			break
		}
	}
	p.Yielded = current >= 0 && (ex.streak >= runAlone || ex.e.Member(int(ex.last)).Op == control.OpYield)
	if p.Yielded && current == p.Next {
		p.Next = (p.Next + 1) % len(runnable)
	}
	p.Pending = p.Pending[:0]
	for _, id := range runnable {
		p.Pending = append(p.Pending, ex.operation(id))
	}
	var c Choice
	if ex.steps > ex.x.cfg.MaxSteps/2 {
		c = Choice{Index: p.Next} // fair from here on
	} else {
		c = ex.pick.Pick(p)
	}
	if c.Index < 0 || c.Index >= len(runnable) {
		c.Index = p.Default()
	}
	ex.run = append(ex.run, Decision{
		Runnable: len(runnable), Default: p.Default(), Preempts: current >= 0 && !p.Yielded,
		Chosen: c, Goroutine: runnable[c.Index], Last: ex.last, Nth: ex.nth[ex.last], hash: ex.hash,
	})
	ex.nth[ex.last]++
	if c.Index == current {
		ex.streak++
	} else {
		ex.streak = 0
	}
	return runnable[c.Index], c.Case, true
}

// operation is what a member will do next. One that was woken goes on with
// what it had announced before it blocked.
func (ex *execution) operation(id uint32) Operation {
	m := ex.e.Member(int(id))
	if m.Op == control.OpStart || m.Addr == 0 {
		return Operation{}
	}
	if m.Op == control.OpWoken {
		return Operation{Object: uint64(m.Addr), Writes: true}
	}
	s := ex.x.sites.of(m)
	return Operation{Object: uint64(m.Addr - s.offset), Writes: s.changes()}
}

// step runs one member until its next operation.
func (ex *execution) step(id, selected uint32, decided bool) {
	m := ex.e.Member(int(id))
	ex.mix(m)
	var before *event
	if ex.trace != nil {
		before = ex.trace.before(ex, m)
	}
	ex.ran = id
	if decided || !ex.x.sites.owns(m) {
		ex.last = id
	}
	isSelect := m.Op == control.OpSelect
	ex.advance(id, selected)
	if decided {
		d := &ex.run[len(ex.run)-1]
		d.Chosen.Case = 0
		if isSelect && m.Ready > 1 {
			d.Ready = int(m.Ready)
			d.Chosen.Case = selected % m.Ready
		}
	}
	if ex.trace != nil {
		ex.settle()
		ex.trace.after(ex, m, before)
	}
	if control.HeapLive() > heapLimit {
		runtime.GC()
	}
}

// mix adds the operation that is about to run to the execution's hash: who,
// what, and the code it is in, relative to this program's text.
func (ex *execution) mix(m *control.Member) {
	h := ex.hash ^ uint64(m.ID)<<32 ^ uint64(m.Op)
	if m.Op != control.OpStart && m.Op != control.OpWoken {
		for _, pc := range m.Stack()[:min(4, len(m.Stack()))] {
			h = (h ^ uint64(pc-textBase)) * 1099511628211
		}
	}
	ex.hash = (h ^ h>>29) * 0x9e3779b97f4a7c15
}

// conclude says how the execution ended.
func (ex *execution) conclude() {
	o := &ex.out
	o.races = ex.x.races.read(ex.e.RaceFrames(), accessors{later: ex.racers, name: ex.name})
	if ex.t.unknown != "" && o.unknown == "" {
		o.unknown = ex.t.unknown
	}
	st := ex.e.Status()
	if st.Outside > 0 && o.unknown == "" {
		o.unknown = fmt.Sprintf("%s by goroutines outside the execution", plural(int(st.Outside), "wake-up"))
	}
	if len(o.races) > 0 && ex.x.cfg.Races == RacesFail {
		first := o.races[0]
		// A race is found at the access, before what it may lead to.
		kind, msg := o.kind, o.message
		o.kind, o.message = KindRace, first.String()
		if kind != "" {
			o.messages = append(o.messages, msg)
		}
	}
	failures := ex.t.failures()
	o.messages = append(o.messages, failures...)
	if len(failures) > 0 {
		o.fail(KindCheck, failures[0])
	}
	if o.failed() || o.unknown != "" {
		return
	}
	ex.left()
}

// left looks at the members that can never go on.
func (ex *execution) left() {
	o := &ex.out
	for i := 1; i <= ex.e.Len(); i++ {
		switch ex.e.Member(i).State {
		case control.Blocked, control.Runnable:
			o.blocked = append(o.blocked, uint32(i))
		}
	}
	if len(o.blocked) == 0 {
		return
	}
	names := ex.list(o.blocked)
	switch {
	case ex.e.Member(1).State != control.Exited:
		o.fail(KindDeadlock, fmt.Sprintf("%s can never go on", names))
	case ex.x.cfg.Leaks == LeaksFail:
		o.fail(KindLeak, fmt.Sprintf("%s never ended", names))
	}
}

func (ex *execution) list(ids []uint32) string {
	text := ""
	for i, id := range ids {
		switch {
		case i > 0 && i == len(ids)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += fmt.Sprintf("%q", ex.name(id))
	}
	return text
}

// digest identifies what happened, for counting distinct executions and for
// strict replay.
func (ex *execution) digest() uint64 { return ex.hash }
