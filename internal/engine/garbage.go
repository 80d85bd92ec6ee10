package engine

import (
	"runtime"
	"time"

	"github.com/jacquard-go/jacquard/internal/control"
	"github.com/jacquard-go/jacquard/internal/source"
)

// When garbage is collected must not influence an execution, because it happens at
// another moment when the schedule is run again. So the collector runs only on
// demand: between executions, and between two steps of an execution with a very
// large heap. Only a step that alone needs so much memory meets the runtime's own
// collections, which a limit on the memory starts. A collection leaves the pools of
// package sync alone; they are emptied when an execution begins. Finalizers and
// cleanups end before tasks continue.
const (
	heapLimit   = 1 << 30 // live bytes at which garbage is collected within an execution
	heapBetween = 128 << 20
	finalizing  = 100 * time.Millisecond // real time to wait for finalizers
)

// A heap records the state of the process's memory.
type heap struct {
	kept   uint64 // live bytes after the last collection
	jammed bool   // a finalizer has not ended in time
}

// collect collects garbage between executions, once the live heap has doubled since the
// last collection: goroutines that can never end keep their memory. If the program has
// weak pointers, collect does so every time, so that each execution finds all weak
// pointers of earlier ones cleared.
func (x *Engine) collect() {
	if x.Notes&control.NoteWeak == 0 && control.HeapLive() <= max(heapBetween, 2*x.heap.kept) {
		return
	}
	x.Garbage()
	x.heap.kept = control.HeapLive()
}

// Garbage collects garbage. It waits only once for a finalizer that waits for a task
// for ever.
func (x *Engine) Garbage() {
	runtime.GC()
	x.heap.jammed = x.heap.jammed || !control.Settle(finalizing)
}

// collect collects garbage within an execution, if the heap is very large.
func (ex *Execution) collect() {
	if ex.Control.Live() > heapLimit {
		ex.garbage()
	}
}

func (ex *Execution) garbage() {
	ex.Engine.Garbage()
	ex.Forget()
}

// Forget forgets the objects that were collected, because their addresses will be
// reused for other objects.
func (ex *Execution) Forget() {
	n, freed := control.Collections()
	if n == ex.Objects.Collected || !freed {
		return
	}
	ex.Objects.Forget(n)
	source.ForgetFreed(ex.locks.Readers)
	source.ForgetFreed(ex.locks.Owner)
}
