package source

import (
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// On returns the object of a pending operation: the whole object, if it has parts.
func (s *Site) On(m *control.Task) (addr uintptr, kind string) {
	if m.Op == control.OpTimer {
		// A timer begins with its channel, which is nil for time.AfterFunc.
		if c, ok := Word(m.Addr, 8); ok && c != 0 {
			return uintptr(c), "chan"
		}
	}
	return m.Addr - s.Offset, s.object
}

// objectKind returns the kind of the operation's object.
func (s *Site) objectKind(op control.Op) string {
	switch op {
	case control.OpSignal, control.OpBroadcast, control.OpCondWait:
		return "cond"
	case control.OpTimer:
		return "timer"
	case control.OpPool:
		return "pool"
	case control.OpClock:
		return "clock"
	case control.OpRead, control.OpWrite:
		return "memory"
	case control.OpAtomic:
		for _, kind := range []string{"RWMutex", "Mutex", "WaitGroup", "Once"} {
			if strings.HasPrefix(s.Op, kind) {
				return strings.ToLower(kind)
			}
		}
		return "atomic"
	}
	return "chan"
}

// OnChannels returns the operation of a select on channels, some of which may be those of
// timers; 0 is a nil channel.
func OnChannels(channels []uintptr, number func(addr uintptr, kind string) uint32) (o schedule.Operation) {
	for _, c := range channels {
		if c != 0 {
			o.Add(schedule.Access{Object: number(c, "chan"), Mode: schedule.Changes})
		}
	}
	if slices.ContainsFunc(channels, control.OfTimer) {
		o.Add(schedule.ReadsTime)
	}
	return o
}

// OnGroup reports whether the operation is on a wait group.
func (s *Site) OnGroup() bool { return s.object == "waitgroup" }

// Counts reports whether the operation counts a wait group down or waits for it; false for nil.
func (s *Site) Counts() bool { return s != nil && (s.Kind == SiteDone || s.Op == GroupWait) }

// OnLock reports whether the operation locks or unlocks; false for nil.
func (s *Site) OnLock() bool { return s != nil && s.Kind >= SiteLock && s.Kind <= SiteRUnlock }

// Counted returns what an operation adds to a wait group: the upper half of its operand.
func Counted(m *control.Task) int32 { return int32(uint64(m.Operands()[0]) >> 32) }

// Mode returns how the operation works on its object. Shared is the same for an RWMutex
// that no code tries, and that only its readers unlock.
func (s *Site) Mode() schedule.Mode   { return s.mode }
func (s *Site) Shared() schedule.Mode { return s.shared }

// sort sets the results of Mode and Shared.
func (s *Site) sort() { s.mode, s.shared = s.modeOf(), s.sharedMode() }

func (s *Site) sharedMode() schedule.Mode {
	switch s.Op {
	case "RWMutex.Lock":
		return schedule.Takes
	case "RWMutex.Unlock":
		return schedule.Frees
	case "RWMutex.RLock":
		return schedule.Shares
	case "RWMutex.RUnlock":
		return schedule.Returns
	}
	return s.modeOf()
}

func (s *Site) modeOf() schedule.Mode {
	switch {
	case s.Adds:
		return schedule.Counts
	case s.Op == "Mutex.Lock" && !s.Gathered:
		return schedule.Takes
	case s.Op == "Mutex.Unlock" && !s.Gathered:
		return schedule.Frees
	}
	switch s.Kind {
	case SiteRead, SiteAtomicRead, SiteRLock, siteLen:
		return schedule.Reads
	case SiteRUnlock, SiteDone:
		return schedule.Releases
	}
	return schedule.Changes
}
