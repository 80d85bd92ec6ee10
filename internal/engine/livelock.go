package engine

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// livelock says who spins on what, and who waits for that; unless some wait for
// one another, which is worse.
func (ex *Execution) livelock(text string) {
	if ex.jam() {
		return
	}
	var who []string
	for i := 1; i <= ex.Control.Len(); i++ {
		m := ex.Control.Task(i)
		switch {
		case ex.OnlyRuns(m.ID):
		case m.State == control.Runnable:
			who = append(who, fmt.Sprintf("%q does %s again and again", ex.Name(m.ID), ex.pendingAt(m)))
		case m.State == control.Blocked && ex.Spins.last(m.ID) <= ex.Steps/2:
			who = append(who, fmt.Sprintf("%q waits in vain (%s)", ex.Name(m.ID), m.WaitReason()))
		}
		if len(who) == 4 {
			break
		}
	}
	if len(who) > 0 {
		text += ": " + strings.Join(who, ", ")
	}
	if ex.Engine.Settings.Patient && !ex.endless() {
		ex.Out.Unknown = "it is not known whether it would end: " + text
		return
	}
	ex.Out.fail(KindLivelock, text)
}

// endless reports whether an execution that could be long has no end: nobody can
// change what those ask for who are left, and none of them does anything else; or others
// of its kind have ended long before.
func (ex *Execution) endless() bool {
	return ex.beyond() || len(ex.Spins.resting) > 0 && ex.Steps-ex.Spins.since >= ex.Engine.Settings.MaxSteps/2 && !ex.working()
}

// How much longer than the one without preemptions a schedule may be, in operations.
const (
	longerMost  = 1e6
	longerTimes = 1000
	longerTimed = 30 // times as long if a time may come that is waited for
)

// beyond reports whether the execution is far longer than the schedule that preempts
// nobody, which has come to its end.
func (ex *Execution) beyond() bool {
	usual, made := ex.Engine.Usual, ex.Steps+max(ex.Slices.Operations, ex.solos)
	if usual == 0 || made <= longerMost+longerTimes*usual {
		return false
	}
	_, timer := ex.Control.NextTimer()
	return !timer && !ex.Control.AsksForTime() || made > longerTimed*(longerMost+longerTimes*usual)
}

// last is the step of the execution that was a task's last.
func (s *spins) last(id uint32) int {
	if int(id) >= len(s.stepped) {
		return 0
	}
	return s.stepped[id]
}

func (ex *Execution) pendingAt(m *control.Task) string {
	if m.Op == control.OpStart || m.Op == control.OpWoken {
		return m.Op.String()
	}
	s := ex.Engine.Sites.Of(m)
	if at := source.Where(s.User); at != "" {
		return s.Op + " at " + at
	}
	return s.Op
}
