package explore

import (
	"fmt"

	"github.com/jacquard-go/jacquard/internal/control"
)

// lostWakeUp says that what a goroutine waits for has been offered before it
// waited, to nobody: a Signal or a Broadcast of its condition variable, a
// non-blocking send to its channel or receive from it. It is "" if nothing was.
func (p *picture) lostWakeUp(id uint32) string {
	waits := p.rec.waiting[id]
	if waits == nil {
		return ""
	}
	for i := len(p.rec.events) - 1; i >= 0; i-- {
		e := p.rec.events[i]
		if e.member == id || !e.idle || !p.wouldWake(e, waits, id) {
			continue
		}
		return fmt.Sprintf("a lost wake-up: %q did %s when nobody was waiting, and %q waits in %s",
			p.ex.name(e.member), p.phrase(e), p.ex.name(id), p.waitPhrase(waits, id))
	}
	return ""
}

// waitPhrase is what a goroutine waits in. The last operation of Cond.Wait is to
// unlock.
func (p *picture) waitPhrase(waits *event, id uint32) string {
	if p.ex.e.Member(int(id)).WaitReason() == condWait {
		return "Cond.Wait at " + where(waits.site.user)
	}
	return p.phrase(waits)
}

const condWait = "sync.Cond.Wait" // the runtime's word for it

// wouldWake reports whether an operation that had no effect would have woken a
// goroutine, had that waited already.
func (p *picture) wouldWake(e, waits *event, id uint32) bool {
	m := p.ex.e.Member(int(id))
	switch e.op {
	case control.OpSignal, control.OpBroadcast:
		return m.WaitReason() == condWait && m.Cond == e.object
	case control.OpTrySend:
		return e.object == waits.object && (waits.op == control.OpRecv || waits.op == control.OpSelect)
	case control.OpTryRecv:
		return e.object == waits.object && (waits.op == control.OpSend || waits.op == control.OpSelect)
	}
	return false
}
