package report

import (
	"fmt"
	"strings"

	"github.com/jacquard-go/jacquard/internal/source"
)

// isTry reports whether an operation is an attempt to take a lock, or a part of one.
func (e *event) isTry() bool { return strings.HasPrefix(e.Action, "Try") }

// tried records how an attempt has ended, and what was in its way.
func (r *Recorder) tried(e *event, got bool) {
	e.value, e.refused = fmt.Sprint("= ", got), !got
	e.writes = e.writes && got
	if holders := r.state.lock(e.object).holders(); !got && len(holders) > 0 {
		e.acquired = holders[0]
	}
}

// tryDone reports whether the row of an attempt has taken the lock, and records the end of the
// attempt.
func (r *Recorder) tryDone(e *event) bool {
	if e.Site.Kind == source.SiteRLock {
		return r.tryReadDone(e)
	}
	const mutexLocked, readerCount = 1, 16 // bits and offsets in Mutex and RWMutex
	now, _ := source.Word(e.variable(), 4)
	got := e.bits&mutexLocked == 0 && now&mutexLocked != 0
	readers, _ := source.Word(e.object+readerCount, 4)
	if got && e.Site.Op == "RWMutex.TryLock" && int32(readers) >= 0 {
		e.glance = true // only against other writers; readers come next
		return true
	}
	r.tried(e, got)
	return got
}

// tryReadDone is tryDone for a read lock, which checks for a writer and, if there is none, counts
// itself in with a compare-and-swap that it repeats.
func (r *Recorder) tryReadDone(e *event) bool {
	now, _ := source.Word(e.variable(), 4)
	got := int32(now) > int32(e.bits)
	looks := strings.HasPrefix(source.Leaf(e.pcs), "Load")
	if got || looks && int32(e.bits) < 0 {
		r.tried(e, got)
	} else {
		e.reads, e.glance = false, true
	}
	return got
}

// tryGoesOn records the end of TryLock on an RWMutex after it has excluded other writers: it
// succeeds if there are no readers, and otherwise backs out.
func (r *Recorder) tryGoesOn(e *event) {
	switch {
	case strings.HasSuffix(e.Site.Op, ", readers"):
		now, _ := source.Word(e.variable(), 4)
		r.tried(e, int32(now) < 0)
	case strings.HasSuffix(e.Site.Op, ", back"):
		r.tried(e, false)
	}
}
