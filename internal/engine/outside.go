package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/schedule"
)

// MemoryStatistics stands in [Result].Outside if the runtime was asked for them,
// as testing.AllocsPerRun does: what they count is the explorer's as well.
const MemoryStatistics = "memory statistics"

// A seenOutside is what executions have depended on, or done, that is no part of
// them.
type seenOutside struct {
	Outside string
	Notes   control.Notes
}

// Outsiders are what the executions so far have depended on, or done, that nobody
// controls.
func (x *Engine) Outsiders() (all []string) {
	if x.Outside != "" {
		all = append(all, x.Outside)
	}
	for _, n := range []struct {
		note control.Notes
		text string
	}{{control.NoteProcess, "other processes"}, {control.NoteC, "C code"}, {control.NoteNetwork, "sockets"}, {control.NoteMemory, MemoryStatistics}} {
		if x.Notes&n.note != 0 {
			all = append(all, n.text)
		}
	}
	return all
}

// Depends is [Result].Depends.
func (x *Engine) Depends() bool { return x.Outside != "" || x.Notes&control.NoteProcess != 0 }

// Opaque names what the execution has done whose order is not seen: the packages
// of the standard library of which points were left out that are more than caches,
// and system calls. It is "" if there is nothing.
func (ex *Execution) Opaque() string {
	names := slices.Sorted(maps.Keys(ex.Engine.Sites.Hidden))
	if ex.calls > ex.writes {
		names = append(names, schedule.SystemCalls)
	}
	return strings.Join(names, ", ")
}

// Visible reports whether another process can tell the execution: it has made system
// calls other than those that write to the standard output or error.
func (ex *Execution) Visible() bool {
	return ex.calls > ex.writes || ex.Notes&control.NoteFiles != 0
}
