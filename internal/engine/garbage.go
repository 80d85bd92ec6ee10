package engine

import (
	"runtime"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// When garbage is collected must not decide what an execution does: it happens at
// another moment when the schedule is run again. So the collector runs only when it
// is told to: between executions, and between two steps of one that has come to a
// very large heap. A collection leaves the pools of package sync as they are, which
// are emptied when an execution begins; and finalizers and cleanups come to their end
// before tasks go on.
const (
	heapLimit   = 1 << 30 // live bytes at which garbage is collected within an execution
	heapBetween = 128 << 20
	finalizing  = 100 * time.Millisecond // that finalizers may take in all
)

// A heap is what is known of the process's memory.
type heap struct {
	kept   uint64 // live bytes after the last collection
	jammed bool   // a finalizer does not end
}

// collect collects garbage between executions, when there is as much again as
// was left the last time: goroutines that can never end keep what they hold. Where
// the program has weak pointers it does so every time, so that each execution
// finds all of them that others have left pointing to nothing.
func (x *Engine) collect() {
	if x.Notes&control.NoteWeak == 0 && control.HeapLive() <= max(heapBetween, 2*x.heap.kept) {
		return
	}
	x.Garbage()
	x.heap.kept = control.HeapLive()
}

// Garbage collects garbage. A finalizer that waits for a task for ever is waited
// for once.
func (x *Engine) Garbage() {
	runtime.GC()
	x.Keeping.collected()
	x.heap.jammed = x.heap.jammed || !control.Settle(finalizing)
}

// collect collects garbage within an execution, if it has to be.
func (ex *Execution) collect() {
	if ex.Control.Live() > heapLimit {
		ex.garbage()
	}
}

func (ex *Execution) garbage() {
	ex.Engine.Garbage()
	ex.Forget()
}

// Forget forgets the objects that were collected: what is at their addresses next is
// something else.
func (ex *Execution) Forget() {
	n, freed := control.Collections()
	if n == ex.Objects.Collected || !freed {
		return
	}
	ex.Objects.Forget(n)
	source.ForgetFreed(ex.locks.Readers)
	source.ForgetFreed(ex.locks.Owner)
}
