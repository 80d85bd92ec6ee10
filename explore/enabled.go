package explore

import (
	"slices"

	"github.com/jacquard-go/jacquard/internal/control"
)

// An enabled is the members that can run, kept up to date by what changes: a step
// changes the member that made it, and there are those that have begun and those
// that were woken. So a step costs nothing for members that wait.
type enabled struct {
	ids   []uint32 // ascending
	known int      // members that have been looked at
	kept  []uint32 // of ids, without those that rest; reused
	io    []uint32 // members that wait for the network
	owned bool     // some were started by trusted code; see sites.owns
}

// update brings the set up to date after a step.
func (ex *execution) update() {
	s := &ex.enabled
	if ex.ran != 0 {
		s.changed(ex.e.Member(int(ex.ran)))
	}
	for n := ex.e.Len(); s.known < n; {
		s.known++
		m := ex.e.Member(s.known)
		s.changed(m)
		s.owned = s.owned || ex.owned[m.ID]
	}
	ex.e.Woken(func(m *control.Member) {
		s.changed(m)
		ex.woke(m)
	})
}

// changed takes note of what a member is doing now.
func (s *enabled) changed(m *control.Member) {
	s.ids = with(s.ids, m.ID, m.State == control.Runnable)
	s.io = with(s.io, m.ID, m.State == control.Blocked && m.WaitsForIO())
}

// with is a set, in ascending order, with or without a member.
func with(set []uint32, id uint32, is bool) []uint32 {
	if n := len(set); n == 0 || set[n-1] < id {
		if is {
			set = append(set, id)
		}
		return set
	}
	at, was := slices.BinarySearch(set, id)
	switch {
	case is && !was:
		return slices.Insert(set, at, id)
	case was && !is:
		return slices.Delete(set, at, at+1)
	}
	return set
}

// runnable lists the members that can run, those included for which the network
// has something by now, and the place of the one that ran last.
func (ex *execution) runnable() (ids []uint32, current int) {
	ex.update()
	if len(ex.enabled.io) > 0 && ex.e.Poll() {
		ex.late = true
		ex.update()
	}
	return ex.enabled.ids, ex.current(ex.enabled.ids)
}

// current is the place of the member that ran last; -1 if it has blocked since or
// cannot go on.
func (ex *execution) current(ids []uint32) int {
	at, found := slices.BinarySearch(ids, ex.last)
	if !found || ex.e.Member(int(ex.last)).Op == control.OpWoken {
		return -1
	}
	return at
}

// awake leaves out of the members that can run those that rest.
func (ex *execution) awake(runnable []uint32, current int) ([]uint32, int) {
	if len(ex.spins.resting) == 0 {
		return runnable, current
	}
	kept, at := ex.enabled.kept[:0], -1
	for i, id := range runnable {
		if ex.spins.rests(id) {
			continue
		}
		if i == current {
			at = len(kept)
		}
		kept = append(kept, id)
	}
	ex.enabled.kept = kept
	ex.spins.cut = ex.spins.cut || len(kept) > 0
	return kept, at
}
