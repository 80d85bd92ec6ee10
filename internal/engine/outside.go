package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// MemoryStatistics appears in [Result].Outside if the runtime was asked for memory
// statistics, as by testing.AllocsPerRun: they include the explorer's own allocations.
const MemoryStatistics = "memory statistics"

// A seenOutside records what executions have depended on, or done, outside of
// themselves.
type seenOutside struct {
	Outside string
	Notes   control.Notes
}

// Outsiders lists what the executions so far have depended on, or done, that is not
// controlled.
func (x *Engine) Outsiders() (all []string) {
	if x.Outside != "" {
		all = append(all, x.Outside)
	}
	for _, n := range []struct {
		note control.Notes
		text string
	}{{control.NoteProcess, "other processes"}, {control.NoteC, "C code"}, {control.NoteNetwork, "sockets"}, {control.NoteMemory, MemoryStatistics}, {control.NoteGarbage, "when garbage is collected"}} {
		if x.Notes&n.note != 0 {
			all = append(all, n.text)
		}
	}
	return all
}

// Depends is [Result].Depends.
func (x *Engine) Depends() bool { return x.Outside != "" || x.Notes&control.NoteProcess != 0 }

// Opaque names what the execution has done in an order that is not seen: the packages
// of the standard library, other than caches, whose points were left out, and system
// calls. "" means nothing.
func (ex *Execution) Opaque() string {
	names := slices.Sorted(maps.Keys(ex.Engine.Sites.Hidden))
	if ex.calls > ex.writes {
		names = append(names, schedule.SystemCalls)
	}
	return strings.Join(names, ", ")
}

// Visible reports whether another process can observe the execution: it has made system
// calls other than writes to standard output or error.
func (ex *Execution) Visible() bool {
	return ex.calls > ex.writes || ex.Notes&control.NoteFiles != 0
}
