package explore

import (
	"fmt"
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
)

// A bubble of testing/synctest is the runtime's own: who is in it, when all in it
// are blocked, what its clock says. Its goroutines are members like any others. Its
// root, which is in synctest.Run, can run whenever all in the bubble are blocked:
// then it moves the clock, fires timers, and waits again; so can one that is in
// synctest.Wait.

// bubble lists the others in a member's bubble that have been started so far.
func (ex *execution) bubble(m *control.Member) (ids []uint32) {
	for i := 1; i <= ex.e.Len(); i++ {
		if other := ex.e.Member(i); other.Bubble == m.Bubble && other.ID != m.ID {
			ids = append(ids, other.ID)
		}
	}
	return ids
}

// burst notes that the bubble whose root ran last can never go on, for which
// reason is the runtime's word. Those that only wait for the program's goroutines,
// as package testing does, are not to blame.
func (ex *execution) burst(reason string) {
	o := &ex.out
	for _, id := range ex.bubble(ex.e.Member(int(ex.ran))) {
		if ex.e.Member(int(id)).State != control.Exited {
			o.blocked = append(o.blocked, id)
		}
	}
	idle := func(id uint32) bool { return where(ex.blockedAt(id)) == "" }
	if !slices.ContainsFunc(o.blocked, func(id uint32) bool { return !idle(id) }) {
		idle = func(uint32) bool { return false }
	}
	o.blocked = slices.DeleteFunc(o.blocked, idle)
	o.fail(KindDeadlock, reason+": "+ex.list(o.blocked))
}

// standstillStory: in a bubble, one waits for the clock or for all others to be
// blocked, and another one for a lock, which to the runtime is not to be blocked.
func (p *picture) standstillStory() story {
	for _, id := range p.ex.out.blocked {
		m, e := p.ex.e.Member(int(id)), p.rec.waiting[id]
		if m.Bubble == 0 || e == nil || e.site.kind != siteLock && e.site.kind != siteRLock {
			continue
		}
		for _, other := range p.ex.bubble(m) {
			since := p.rec.waiting[other]
			if since == nil || !slices.Contains(p.ex.out.blocked, other) {
				continue
			}
			waits := ""
			switch p.ex.e.Member(int(other)).WaitReason() {
			case "sleep":
				waits = "sleeps"
			case control.OpIdle.String():
				waits = "is in " + control.OpIdle.String()
			default:
				continue
			}
			return tale(fmt.Sprintf("%s %s since step %d, and %s waits for %s since step %d: a bubble's clock stands still, and synctest.Wait does not return, while a goroutine of the bubble waits for a lock",
				p.who(since), waits, since.index, p.who(e), p.awaited(e), e.index), since, e)
		}
	}
	return story{}
}
