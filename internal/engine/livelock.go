package engine

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// livelock fails the execution, and says which tasks spin on what and which wait in
// vain. A cycle of locks, if there is one, is the verdict instead. What is left of a test
// after its body only outlives it.
func (ex *Execution) livelock(text string) {
	if ex.jam() || ex.Engine.Settings.Patient && ex.Returned() {
		return
	}
	var who []string
	for i := 1; i <= ex.Control.Len(); i++ {
		m := ex.Control.Task(i)
		switch {
		case ex.OnlyRuns(m.ID), m.Leftover() && ex.Spins.last(m.ID) == 0: // nobody asked the latter for anything
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

// endless reports whether an execution that may be long will never end: only resting
// tasks are left, none of them computes anything, and none can change what they poll; or
// the execution is far longer than the schedule without preemptions.
func (ex *Execution) endless() bool {
	return ex.beyond() || len(ex.Spins.resting) > 0 && ex.Steps-ex.Spins.since >= ex.Engine.Settings.MaxSteps/2 && !ex.working()
}

// How much longer than the schedule without preemptions another may be, in operations.
const (
	longerMost  = 1e6
	longerTimes = 1000
	longerTimed = 30 // times as long again if a task may be waiting for a time to come
)

// beyond reports whether the execution is far longer than the schedule without
// preemptions, which has ended.
func (ex *Execution) beyond() bool {
	usual, made := ex.Engine.Usual, ex.Steps+max(ex.Slices.Operations, ex.solos)
	if usual == 0 || made <= longerMost+longerTimes*usual {
		return false
	}
	_, timer := ex.Control.NextTimer()
	return !timer && !ex.Control.AsksForTime() || made > longerTimed*(longerMost+longerTimes*usual)
}

// last returns the number of a task's last step, 0 if it has made none.
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
