package engine

import "github.com/jacquard-go/jacquard/internal/control"

// A Recorder observes an execution step by step. It may query the execution, but
// changes nothing.
type Recorder interface {
	// Before is called when m is about to do what it has announced. It reports whether
	// After is to be called.
	Before(ex *Execution, m *control.Task) bool
	// After is called when m has done it.
	After(ex *Execution, m *control.Task)
	Shows() bool // the recording will be read, so the execution may take longer
	// Log adds a line that the program wrote; see [Host].Logged.
	Log(task uint32, text string, kind LogKind) *string
}
