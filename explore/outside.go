package explore

import "github.com/jacquard-go/jacquard/internal/control"

// MemoryStatistics stands in [Result].Outside if the runtime was asked for them,
// as testing.AllocsPerRun does: what they count is the explorer's as well.
const MemoryStatistics = "memory statistics"

// outsiders are what the executions so far have depended on, or done, that nobody
// controls.
func (x *explorer) outsiders() (all []string) {
	if x.outside != "" {
		all = append(all, x.outside)
	}
	for _, n := range []struct {
		note control.Notes
		text string
	}{{control.NoteProcess, "other processes"}, {control.NoteC, "C code"}, {control.NoteNetwork, "sockets"}, {control.NoteMemory, MemoryStatistics}} {
		if x.notes&n.note != 0 {
			all = append(all, n.text)
		}
	}
	return all
}

// depends is [Result].Depends.
func (x *explorer) depends() bool { return x.outside != "" || x.notes&control.NoteProcess != 0 }
