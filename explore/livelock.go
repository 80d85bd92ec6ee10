package explore

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
)

// livelock says who spins on what, and who waits for that; unless some wait for
// one another, which is worse.
func (ex *execution) livelock(text string) {
	if ex.jam() {
		return
	}
	var who []string
	for i := 1; i <= ex.e.Len(); i++ {
		m := ex.e.Member(i)
		switch {
		case m.State == control.Runnable:
			who = append(who, fmt.Sprintf("%q does %s again and again", ex.name(m.ID), ex.pendingAt(m)))
		case m.State == control.Blocked && ex.spins.last(m.ID) <= ex.steps/2:
			who = append(who, fmt.Sprintf("%q waits in vain (%s)", ex.name(m.ID), m.WaitReason()))
		}
		if len(who) == 4 {
			break
		}
	}
	if len(who) > 0 {
		text += ": " + strings.Join(who, ", ")
	}
	if ex.x.cfg.Patient {
		ex.out.unknown = "it is not known whether it would end: " + text
		return
	}
	ex.out.fail(KindLivelock, text)
}

// last is the step of the execution that was a member's last.
func (s *spins) last(id uint32) int {
	if int(id) >= len(s.stepped) {
		return 0
	}
	return s.stepped[id]
}

func (ex *execution) pendingAt(m *control.Member) string {
	if m.Op == control.OpStart || m.Op == control.OpWoken {
		return m.Op.String()
	}
	s := ex.x.sites.of(m)
	if at := where(s.user); at != "" {
		return s.op + " at " + at
	}
	return s.op
}
